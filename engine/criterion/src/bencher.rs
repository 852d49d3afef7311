//! The argument of a benchmark's closure: it receives the routine to measure.

use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::time::Duration;

use benchbook_contract::protocol::Counts;
use benchbook_suite::__private::{
    LoopTiming, Routine, count_calls, time_arguments, time_calls, time_empty, time_inputs, time_passing,
};

use crate::measurement::{Measurement, WallTime};
use crate::settings::BatchSize;

/// Measures a routine.
pub(crate) type Measure<'a> = &'a mut dyn FnMut(&mut dyn Routine);

/// Receives the routine of a benchmark.
pub struct Bencher<'a, M: Measurement = WallTime> {
    /// Absent after the first routine.
    measure: Option<Measure<'a>>,
    measurement: PhantomData<M>,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    /// Calls `body` with a bencher that passes the first routine to `measure`, which is then taken.
    pub(crate) fn with(measure: &mut Option<Measure<'a>>, body: &mut dyn FnMut(&mut Self)) {
        let mut bencher = Self { measure: measure.take(), measurement: PhantomData };
        body(&mut bencher);
        *measure = bencher.measure;
    }
}

impl<M: Measurement> Bencher<'_, M> {
    /// Measures a routine. Dropping its output is part of a call.
    pub fn iter<O>(&mut self, routine: impl FnMut() -> O) {
        self.measure(&mut PlainRoutine(routine));
    }

    /// Measures a routine without the time of dropping its output.
    pub fn iter_with_large_drop<O>(&mut self, mut routine: impl FnMut() -> O) {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Measures a routine that takes an input by value. `setup` creates the input of each call before the batch; neither it nor
    /// dropping the output is part of a call.
    pub fn iter_batched<I, O>(&mut self, setup: impl FnMut() -> I, routine: impl FnMut(I) -> O, size: BatchSize) {
        self.measure(&mut BatchedRoutine { setup, routine, size });
    }

    /// As [`Self::iter_batched`], for a routine that takes its input by reference. Dropping the input is not part of a call.
    pub fn iter_batched_ref<I, O>(
        &mut self,
        setup: impl FnMut() -> I,
        routine: impl FnMut(&mut I) -> O,
        size: BatchSize,
    ) {
        self.measure(&mut ByReferenceRoutine { setup, routine, size });
    }

    /// As [`Self::iter_batched`], with batches of a single call.
    pub fn iter_with_setup<I, O>(&mut self, setup: impl FnMut() -> I, routine: impl FnMut(I) -> O) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine that makes a given number of calls and returns their total time.
    pub fn iter_custom(&mut self, routine: impl FnMut(u64) -> Duration) {
        self.measure(&mut CustomRoutine(routine));
    }

    pub(crate) fn measure(&mut self, routine: &mut dyn Routine) {
        if let Some(measure) = self.measure.take() {
            measure(routine);
        }
    }
}

/// A routine without inputs.
struct PlainRoutine<R>(R);

impl<O, R: FnMut() -> O> Routine for PlainRoutine<R> {
    fn one_call_per_batch(&self) -> bool {
        false
    }
    fn new_inputs(&self, batch: u32, _calls: usize) -> usize {
        usize::from(batch == 0)
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        time_calls(calls, &mut self.0)
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        time_empty(calls)
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        // Dropping the output is part of the call.
        count_calls(std::iter::repeat_n((), calls), |()| drop(black_box((self.0)())), |()| ())
    }
}

/// A routine with an input of its own for each call.
struct BatchedRoutine<S, R> {
    setup: S,
    routine: R,
    size: BatchSize,
}

impl<I, O, S: FnMut() -> I, R: FnMut(I) -> O> Routine for BatchedRoutine<S, R> {
    fn one_call_per_batch(&self) -> bool {
        self.size == BatchSize::PerIteration
    }
    fn new_inputs(&self, _batch: u32, calls: usize) -> usize {
        calls
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        let mut inputs = inputs(&mut self.setup, calls);
        // `drain`, since the memory of the vector is to be released after the second reading of the clock.
        time_arguments(inputs.drain(..), calls, &mut self.routine, || ())
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        let mut inputs = inputs(&mut self.setup, calls);
        if needs_drop::<I>() {
            // The inputs move from one vector to the other, as for an identity routine: dropping them is not part of the loop.
            time_inputs(inputs, |input| input)
        } else {
            time_passing(inputs.drain(..), || ())
        }
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let inputs = inputs(&mut self.setup, calls);
        count_calls(inputs.into_iter(), &mut self.routine, |_| ())
    }
}

/// A routine that takes an input of its own for each call by reference. The inputs stay where they are: moving a large one would take longer
/// than a short call.
struct ByReferenceRoutine<S, R> {
    setup: S,
    routine: R,
    size: BatchSize,
}

impl<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> O> Routine for ByReferenceRoutine<S, R> {
    fn one_call_per_batch(&self) -> bool {
        self.size == BatchSize::PerIteration
    }
    fn new_inputs(&self, _batch: u32, calls: usize) -> usize {
        calls
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        let mut inputs = inputs(&mut self.setup, calls);
        time_arguments(inputs.iter_mut(), calls, &mut self.routine, || ())
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        let mut inputs = inputs(&mut self.setup, calls);
        time_passing(inputs.iter_mut(), || ())
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let mut inputs = inputs(&mut self.setup, calls);
        count_calls(inputs.iter_mut(), &mut self.routine, |_| ())
    }
}

/// Creates the inputs of a batch.
pub(crate) fn inputs<I>(setup: &mut impl FnMut() -> I, calls: usize) -> Vec<I> {
    (0..calls).map(|_| setup()).collect()
}

/// A routine that measures itself.
struct CustomRoutine<R>(R);

impl<R: FnMut(u64) -> Duration> Routine for CustomRoutine<R> {
    fn one_call_per_batch(&self) -> bool {
        false
    }
    fn new_inputs(&self, _batch: u32, calls: usize) -> usize {
        calls
    }
    fn time(&mut self, calls: usize) -> LoopTiming {
        let mut elapsed = Duration::ZERO;
        let around = time_calls(1, || elapsed = (self.0)(calls as u64));
        LoopTiming { elapsed: elapsed.as_nanos() as f64, ..around }
    }
    /// The routine excludes its own overhead.
    fn time_empty(&mut self, _calls: usize) -> LoopTiming {
        LoopTiming { elapsed: 0.0, ..time_empty(0) }
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        count_calls(std::iter::repeat_n((), calls), |()| (self.0)(1), |_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_by_reference_are_not_moved() {
        let mut addresses = Vec::new();
        let mut measure = |routine: &mut dyn Routine| {
            routine.time(4);
        };
        Bencher::<WallTime>::with(&mut Some(&mut measure), &mut |bencher| {
            let routine = |input: &mut [u8; 4_096]| addresses.push(input.as_ptr().addr());
            bencher.iter_batched_ref(|| [0; 4_096], routine, BatchSize::SmallInput);
        });
        let distances: Vec<usize> = addresses.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(distances, [4_096; 3], "the inputs are next to each other in the vector of the batch");
    }
}
