//! The argument of a benchmark's closure: it receives the routine to measure.

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Duration;

use benchbook_contract::protocol::Counts;
use benchbook_suite::__private::{
    InputCalls, InputRoutine, LoopTiming, ReferenceCalls, Routine, ValueCalls, count_calls, time_calls, time_empty,
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
        self.measure_inputs(setup, ValueCalls(routine), size);
    }

    /// As [`Self::iter_batched`], for a routine that takes its input by reference. Dropping the input is not part of a call.
    pub fn iter_batched_ref<I, O>(
        &mut self,
        setup: impl FnMut() -> I,
        routine: impl FnMut(&mut I) -> O,
        size: BatchSize,
    ) {
        self.measure_inputs(setup, ReferenceCalls(routine), size);
    }

    /// As [`Self::iter_batched`], with batches of a single call.
    pub fn iter_with_setup<I, O>(&mut self, setup: impl FnMut() -> I, routine: impl FnMut(I) -> O) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine that makes a given number of calls and returns their total time.
    pub fn iter_custom(&mut self, routine: impl FnMut(u64) -> Duration) {
        self.measure(&mut CustomRoutine(routine));
    }

    /// * `setup`: creates the input of a call.
    pub(crate) fn measure_inputs<I>(&mut self, setup: impl FnMut() -> I, calls: impl InputCalls<I>, size: BatchSize) {
        let one_call_per_batch = size == BatchSize::PerIteration;
        self.measure(&mut InputRoutine { make: setup, calls, one_call_per_batch });
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
        // Not `&mut self.0`, whose calls are not inlined; see `InputCalls`.
        time_calls(calls, || (self.0)())
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
    use std::cell::RefCell;

    use super::*;

    thread_local! {
        static EVENTS: RefCell<String> = const { RefCell::new(String::new()) };
    }

    fn record(event: char) {
        EVENTS.with_borrow_mut(|events| events.push(event));
    }

    struct Output;

    impl Drop for Output {
        fn drop(&mut self) {
            record('o');
        }
    }

    fn call() -> Output {
        record('c');
        Output
    }

    struct Input;

    impl Drop for Input {
        fn drop(&mut self) {
            record('i');
        }
    }

    fn setup() -> Input {
        record('s');
        Input
    }

    /// The event log of a timed batch of two calls: `s`etup, `c`all, dropping an `i`nput or an `o`utput; and whether each batch must be a single
    /// call.
    fn batch(mut body: impl FnMut(&mut Bencher<'_, WallTime>)) -> (String, bool) {
        let mut is_single = false;
        let mut measure = |routine: &mut dyn Routine| {
            is_single = routine.one_call_per_batch();
            routine.time(2);
        };
        Bencher::with(&mut Some(&mut measure), &mut body);
        (EVENTS.take(), is_single)
    }

    #[test]
    fn setup_comes_before_the_calls_and_drops_after_them_as_documented() {
        assert_eq!(batch(|b| b.iter(call)), ("coco".to_owned(), false));
        assert_eq!(batch(|b| b.iter_with_large_drop(call)), ("ccoo".to_owned(), false));
        let by_value = |_input: Input| call();
        assert_eq!(batch(|b| b.iter_batched(setup, by_value, BatchSize::SmallInput)), ("sscicioo".to_owned(), false));
        assert_eq!(batch(|b| b.iter_with_setup(setup, by_value)), ("sscicioo".to_owned(), true));
        let (by_reference, is_single) =
            batch(|b| b.iter_batched_ref(setup, |_input: &mut Input| call(), BatchSize::LargeInput));
        assert!(by_reference.starts_with("sscc") && by_reference.len() == 8 && !is_single, "{by_reference}");
        for (size, expected) in [
            (BatchSize::PerIteration, true),
            (BatchSize::LargeInput, false),
            (BatchSize::NumBatches(2), false),
            (BatchSize::NumIterations(2), false),
        ] {
            assert_eq!(batch(|b| b.iter_batched(setup, by_value, size)).1, expected, "{size:?}");
        }
    }

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
