//! Functions that use the same memory in each call, on both targets. `tests/tests/suites/counts.rs` has the counts for ten values.

use std::hint::black_box;

use benchbook::prelude::*;

/// Allocates nothing.
#[measured(generators(values))]
fn nothing(values: &[u64]) -> usize {
    values.len()
}

/// Allocates a vector for all values. Its caller drops it.
#[measured(generators(values))]
fn reserve(values: &[u64]) -> Vec<u64> {
    Vec::with_capacity(values.len())
}

/// Allocates a vector of zeros.
#[measured(generators(values))]
fn zeros(values: &[u64]) -> Vec<u64> {
    vec![0; values.len()]
}

/// Allocates a box. Its caller drops it.
#[measured(generators(values))]
fn put_in_box(values: &[u64]) -> Box<u64> {
    Box::new(values[0])
}

/// Pushes all values onto a vector without capacity.
#[measured(generators(values))]
fn push(values: &[u64]) -> Vec<u64> {
    let mut pushed = Vec::new();
    for value in values {
        pushed.push(*value);
    }
    pushed
}

/// Allocates ten times the capacity, then returns the rest.
#[measured(generators(values))]
fn shrink(values: &[u64]) -> Vec<u64> {
    let mut shrunk = Vec::with_capacity(10 * values.len());
    shrunk.extend_from_slice(values);
    shrunk.shrink_to_fit();
    shrunk
}

/// Allocates three vectors, one after another.
#[measured(generators(values))]
fn in_turn(values: &[u64]) {
    for _ in 0..3 {
        drop(black_box(values.to_vec()));
    }
}

/// Allocates three vectors and drops them together.
#[measured(generators(values))]
fn at_once(values: &[u64]) {
    drop(black_box([values.to_vec(), values.to_vec(), values.to_vec()]));
}

/// Drops its own argument, which was allocated before the call.
#[measured(generators(values))]
fn consume(values: Vec<u64>) -> usize {
    values.len()
}

/// Drops its own argument, then allocates half as much.
#[measured(generators(values))]
fn consume_then_reserve(values: Vec<u64>) -> Vec<u64> {
    let half = values.len() / 2;
    drop(black_box(values));
    Vec::with_capacity(half)
}

/// Doubles the capacity of its argument.
#[measured(generators(values))]
fn grow(values: &mut Vec<u64>) {
    values.reserve_exact(values.len());
}

/// Allocates and drops a vector of eight numbers.
#[measured(generators(number))]
fn reserve_and_drop(_number: &u64) {
    drop(black_box(Vec::<u64>::with_capacity(8)));
}

/// Allocates and drops a box.
#[measured(generators(number))]
fn box_and_drop(number: &u64) {
    drop(black_box(Box::new(*number)));
}

/// Pushes a thousand numbers onto a vector that grows, and drops it.
#[measured(generators(number))]
fn push_and_drop(number: &u64) {
    let mut pushed = Vec::new();
    for addend in 0..1_000 {
        pushed.push(number.wrapping_add(addend));
    }
    drop(black_box(pushed));
}

/// Allocates nothing.
#[measured(generators(number))]
fn copy_number(number: &u64) -> u64 {
    *number
}

/// A number, without a hook: the time between batches is that of the calls.
#[generator(name = "Number")]
fn number(
    _service: &Service,
    /// No effect.
    #[parameter(min = 1, max = 1_000, default = 10..=1_000, unit = "values")]
    _size: usize,
) -> Shared<u64> {
    Shared::new(Rng::random)
}

/// Vectors that are filled to their capacity. Creating them and the hook after each call allocate too, which is not counted.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000, default = 10..=1_000, unit = "values")]
    size: usize,
) -> Fresh<Vec<u64>> {
    let make = move |rng: &mut Rng| {
        let mut values: Vec<u64> = (0..2 * size).map(|_| rng.random()).collect();
        values.truncate(size);
        values.shrink_to_fit();
        values
    };
    Fresh::new(make).after_call(|values| drop(black_box(values.clone())))
}
