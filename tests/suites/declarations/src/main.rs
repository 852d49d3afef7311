//! Instances of generic functions, functions of other crates, lists of generators, inputs without `Clone`, and `async`.

use std::collections::HashMap;
use std::sync::Barrier;

use benchbook::prelude::*;

/// Sorts keys of several types.
#[measured(types(u32, String, (u8, u16)), generators(keys::<T>))]
fn sort<T: Ord + From<Small> + 'static>(keys: &mut [T]) {
    keys.sort();
}

/// Sums chunks of a constant size.
#[measured(consts(1, 8), generators(..numbers), alternatives = "sum")]
fn sum<const N: usize>(numbers: &[u64]) -> u64 {
    numbers.chunks(N).map(|chunk| chunk.iter().copied().fold(0, u64::wrapping_add)).fold(0, u64::wrapping_add)
}

/// Counts how often the remainder of a division occurs. The result has no hash.
#[measured(consts(2, 4), generators(..numbers), alternatives = "count")]
fn count_remainders<const N: u64>(numbers: &[u64]) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    numbers.iter().for_each(|number| *counts.entry(number % N).or_default() += 1);
    counts
}

measure! {
    /// Whether the numbers are sorted.
    fn is_sorted(numbers: &[u64]) -> bool = <[u64]>::is_sorted, generators(..numbers, single);

    /// The first number above another one.
    fn partition_point(numbers: Vec<u64>, limit: u64) -> usize = functions::partition_point, generators(with_limit);
}

/// Waits until every thread has called it.
#[measured(threads, generators(meetings))]
fn meet(barrier: &Barrier) {
    barrier.wait();
}

/// A barrier for all threads.
#[generator(name = "Barrier")]
fn meetings(
    _service: &Service,
    /// Number of threads.
    #[parameter(min = 1, max = 10_000, default = 1..=2)]
    threads: usize,
) -> Contended<Barrier> {
    Contended::new(threads, move |_| Barrier::new(threads))
}

mod functions {
    pub(super) fn partition_point(numbers: Vec<u64>, limit: u64) -> usize {
        numbers.partition_point(|number| *number < limit)
    }
}

generators!(numbers = [inputs::random, inputs::ascending]);

mod inputs {
    use super::*;

    /// Random numbers.
    #[generator(name = "Random")]
    pub(super) fn random(
        _service: &Service,
        /// Number of numbers.
        #[parameter(min = 1, max = 1_000, default = 10..=100)]
        count: usize,
    ) -> Shared<Vec<u64>> {
        Shared::new(move |rng| (0..count).map(|_| rng.random()).collect())
    }

    /// Ascending numbers.
    #[generator(name = "Ascending")]
    pub(super) fn ascending(
        _service: &Service,
        /// Number of numbers.
        #[parameter(values = [10, 20, 100], default = 10..=100)]
        count: u64,
    ) -> Fresh<Vec<u64>> {
        Fresh::new(move |_| (0..count).collect())
    }
}

/// The same numbers for all calls.
#[generator(name = "Single")]
fn single(_service: &Service) -> Shared<Vec<u64>> {
    Shared::new(|rng| (0..1_000).map(|_| rng.random()).collect()).one()
}

/// Numbers and a limit.
#[generator(name = "With a limit")]
fn with_limit(_service: &Service) -> Owned<(Vec<u64>, u64)> {
    Owned::new(|_| ((0..10).collect(), 5))
}

/// A number that fits into each type of key.
struct Small(u8);

impl From<Small> for u32 {
    fn from(small: Small) -> Self {
        small.0.into()
    }
}

impl From<Small> for String {
    fn from(small: Small) -> Self {
        small.0.to_string()
    }
}

impl From<Small> for (u8, u16) {
    fn from(small: Small) -> Self {
        (small.0, 1)
    }
}

/// Keys of any type.
#[generator(name = "Keys")]
fn keys<T: From<Small> + 'static>(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 1_000, default = 10..=100)]
    size: usize,
) -> Fresh<Vec<T>> {
    Fresh::new(move |rng| (0..size).map(|_| T::from(Small(rng.random()))).collect())
}

/// A task without `Clone`.
struct Task {
    number: u64,
}

/// Consumes its input.
#[measured(generators(task))]
fn run(task: Task) -> u64 {
    task.number.wrapping_mul(3)
}

/// A task.
#[generator(name = "Task")]
fn task(_service: &Service) -> Owned<Task> {
    Owned::new(|rng| Task { number: rng.random() })
}

/// Waits once.
#[measured(executor = executor::block_on, generators(task))]
async fn run_later(task: Task) -> u64 {
    let mut is_woken = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut is_woken, true) {
        true => std::task::Poll::Ready(()),
        false => std::task::Poll::Pending,
    })
    .await;
    task.number
}

#[cfg(not(target_arch = "wasm32"))]
mod executor {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// Polls a future until it is ready.
    pub(super) fn block_on<F: Future>(future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return output;
            }
        }
    }
}

benchbook::suite!("declarations");
