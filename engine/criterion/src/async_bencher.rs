//! A bencher of asynchronous routines.

use std::future::ready;
use std::hint::black_box;
use std::time::Duration;

use benchbook_contract::protocol::Counts;
use benchbook_suite::__private::{
    InputCalls, LoopTiming, Routine, count_async_calls, time_async_arguments, time_async_calls,
};

use crate::async_executor::AsyncExecutor;
use crate::bencher::Bencher;
use crate::measurement::{Measurement, WallTime};
use crate::settings::BatchSize;

/// Receives the asynchronous routine of a benchmark: the result of [`Bencher::to_async`].
///
/// The executor runs a whole batch as one future, and the clock is read within it. The time of a call is that of creating its future and
/// awaiting it, without starting the executor.
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'a mut Bencher<'b, M>,
    executor: A,
}

impl<'b, M: Measurement> Bencher<'b, M> {
    /// Returns a bencher of asynchronous routines, which the executor runs.
    pub fn to_async<'a, A: AsyncExecutor>(&'a mut self, executor: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { bencher: self, executor }
    }
}

impl<A: AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Measures a routine. Dropping its output is part of a call.
    pub fn iter<O, F: Future<Output = O>>(&mut self, routine: impl FnMut() -> F) {
        self.bencher.measure(&mut AsyncRoutine { executor: &self.executor, routine });
    }

    /// Measures a routine without the time of dropping its output.
    pub fn iter_with_large_drop<O, F: Future<Output = O>>(&mut self, mut routine: impl FnMut() -> F) {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Measures a routine that takes an input by value. `setup` creates the input of each call before the batch, outside of the
    /// executor; neither it nor dropping the output is part of a call.
    pub fn iter_batched<I, O, F: Future<Output = O>>(
        &mut self,
        setup: impl FnMut() -> I,
        routine: impl FnMut(I) -> F,
        size: BatchSize,
    ) {
        self.bencher.measure_inputs(setup, AsyncValueCalls { executor: &self.executor, routine }, size);
    }

    /// As [`Self::iter_batched`], for a routine that takes its input by reference. Dropping the input is not part of a call.
    pub fn iter_batched_ref<I, O, F: Future<Output = O>>(
        &mut self,
        setup: impl FnMut() -> I,
        routine: impl FnMut(&mut I) -> F,
        size: BatchSize,
    ) {
        self.bencher.measure_inputs(setup, AsyncReferenceCalls { executor: &self.executor, routine }, size);
    }

    /// As [`Self::iter_batched`], with batches of a single call.
    pub fn iter_with_setup<I, O, F: Future<Output = O>>(
        &mut self,
        setup: impl FnMut() -> I,
        routine: impl FnMut(I) -> F,
    ) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine that makes a given number of calls and returns their total time.
    pub fn iter_custom<F: Future<Output = Duration>>(&mut self, mut routine: impl FnMut(u64) -> F) {
        let executor = &self.executor;
        self.bencher.iter_custom(|calls| executor.block_on(routine(calls)));
    }
}

/// An asynchronous routine without inputs.
struct AsyncRoutine<'e, E, R> {
    executor: &'e E,
    routine: R,
}

impl<E: AsyncExecutor, O, F: Future<Output = O>, R: FnMut() -> F> Routine for AsyncRoutine<'_, E, R> {
    fn one_call_per_batch(&self) -> bool {
        false
    }
    fn new_inputs(&self, batch: u32, _calls: usize) -> usize {
        usize::from(batch == 0)
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        self.executor.block_on(time_async_calls(calls, &mut self.routine))
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        self.executor.block_on(time_async_calls(calls, || ready(())))
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let routine = &mut self.routine;
        let with_drop = |()| {
            let future = routine();
            async move { drop(black_box(future.await)) }
        };
        self.executor.block_on(count_async_calls(std::iter::repeat_n((), calls), with_drop))
    }
}

/// An asynchronous routine that takes inputs by value. The executor starts after all inputs of a batch exist.
struct AsyncValueCalls<'e, E, R> {
    executor: &'e E,
    routine: R,
}

impl<E: AsyncExecutor, I, O, F: Future<Output = O>, R: FnMut(I) -> F> InputCalls<I> for AsyncValueCalls<'_, E, R> {
    fn time(&mut self, mut inputs: Vec<I>, start: impl FnOnce()) -> LoopTiming {
        start();
        let calls = inputs.len();
        self.executor.block_on(time_async_arguments(inputs.drain(..), calls, &mut self.routine))
    }
    /// The calls of an identity routine: inputs that need dropping move to another vector, since dropping them is not part of the loop.
    fn time_empty(&mut self, mut inputs: Vec<I>, start: impl FnOnce()) -> LoopTiming {
        start();
        let calls = inputs.len();
        self.executor.block_on(time_async_arguments(inputs.drain(..), calls, ready))
    }
    fn call_untimed(&mut self, inputs: Vec<I>) -> Counts {
        self.executor.block_on(count_async_calls(inputs.into_iter(), &mut self.routine))
    }
}

/// As [`AsyncValueCalls`], for inputs by reference, which stay where they are.
struct AsyncReferenceCalls<'e, E, R> {
    executor: &'e E,
    routine: R,
}

impl<E: AsyncExecutor, I, O, F: Future<Output = O>, R: FnMut(&mut I) -> F> InputCalls<I>
    for AsyncReferenceCalls<'_, E, R>
{
    fn time(&mut self, mut inputs: Vec<I>, start: impl FnOnce()) -> LoopTiming {
        start();
        let calls = inputs.len();
        self.executor.block_on(time_async_arguments(inputs.iter_mut(), calls, &mut self.routine))
    }
    fn time_empty(&mut self, mut inputs: Vec<I>, start: impl FnOnce()) -> LoopTiming {
        start();
        let calls = inputs.len();
        self.executor.block_on(time_async_arguments(inputs.iter_mut(), calls, |_| ready(())))
    }
    fn call_untimed(&mut self, mut inputs: Vec<I>) -> Counts {
        self.executor.block_on(count_async_calls(inputs.iter_mut(), &mut self.routine))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Counts the futures that it runs. They are ready at once.
    #[derive(Default)]
    struct Counting {
        futures: Cell<usize>,
        is_running: Cell<bool>,
    }

    impl AsyncExecutor for &Counting {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.futures.set(self.futures.get() + 1);
            self.is_running.set(true);
            let Poll::Ready(output) = pin!(future).poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("the future waits")
            };
            self.is_running.set(false);
            output
        }
    }

    /// Calls `body` with a bencher, and returns the numbers of futures for a timed batch, an empty one and an untimed one of four calls.
    fn futures(executor: &Counting, body: impl Fn(&mut AsyncBencher<'_, '_, &Counting>)) -> [usize; 3] {
        let mut numbers = [0; 3];
        let mut measure = |routine: &mut dyn Routine| {
            routine.time(4);
            numbers[0] = executor.futures.take();
            routine.time_empty(4);
            numbers[1] = executor.futures.take();
            routine.call_untimed(4);
            numbers[2] = executor.futures.take();
        };
        Bencher::with(&mut Some(&mut measure), &mut |bencher: &mut Bencher<'_>| body(&mut bencher.to_async(executor)));
        numbers
    }

    #[test]
    fn the_executor_runs_a_batch_as_one_future() {
        let executor = Counting::default();
        let (calls, setups) = (Cell::new(0), Cell::new(0));
        let call = || calls.set(calls.get() + 1);
        let setup = || {
            assert!(!executor.is_running.get(), "the setup is outside of the executor");
            setups.set(setups.get() + 1);
        };
        assert_eq!(futures(&executor, |bencher| bencher.iter(|| async { call() })), [1, 1, 1]);
        assert_eq!((calls.take(), setups.take()), (8, 0));
        assert_eq!(futures(&executor, |bencher| bencher.iter_with_large_drop(|| async { call() })), [1, 1, 1]);
        assert_eq!((calls.take(), setups.take()), (8, 0));
        let by_value = |bencher: &mut AsyncBencher<'_, '_, &Counting>| {
            bencher.iter_batched(setup, |()| async { call() }, BatchSize::LargeInput);
        };
        assert_eq!(futures(&executor, by_value), [1, 1, 1]);
        assert_eq!((calls.take(), setups.take()), (8, 12));
        let by_reference = |bencher: &mut AsyncBencher<'_, '_, &Counting>| {
            bencher.iter_batched_ref(setup, |()| async { call() }, BatchSize::LargeInput);
        };
        assert_eq!(futures(&executor, by_reference), [1, 1, 1]);
        assert_eq!((calls.take(), setups.take()), (8, 12));
        assert_eq!(futures(&executor, |bencher| bencher.iter_with_setup(setup, |()| async { call() })), [1, 1, 1]);
        assert_eq!((calls.take(), setups.take()), (8, 12));
        let custom = |bencher: &mut AsyncBencher<'_, '_, &Counting>| {
            bencher.iter_custom(|calls| async move { Duration::from_nanos(calls) });
        };
        // An empty batch has no future, and untimed calls are counted one by one.
        assert_eq!(futures(&executor, custom), [1, 0, 4]);
    }
}
