//! The argument of a benchmark's function: it receives the routine to measure.

use std::fmt;

use benchbook_suite::__private::{InputCalls, InputRoutine, Measure, ReferenceCalls, ValueCalls};

use crate::counter::{Count, Counted, Counter, IntoCounter, add};
use crate::routine::{SharedInputCalls, SharedRoutine};

/// What a benchmark's function measures with.
pub(crate) struct BenchContext<'b> {
    pub(crate) measure: Measure<'b>,
    pub(crate) counted: Counted,
    /// The number of threads that call a routine, unless it is local.
    pub(crate) threads: usize,
}

/// Receives the routine of a benchmark.
#[must_use = "a benchmark without a routine measures nothing: call `bench` or another method"]
pub struct Bencher<'a, 'b, C = BencherConfig> {
    context: &'a mut BenchContext<'b>,
    config: C,
}

/// What [`Bencher::with_inputs`] sets.
pub struct BencherConfig<G = ()> {
    make: G,
}

impl<C> fmt::Debug for Bencher<'_, '_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher").finish_non_exhaustive()
    }
}

impl<'a, 'b> Bencher<'a, 'b> {
    pub(crate) fn new(context: &'a mut BenchContext<'b>) -> Self {
        Self { context, config: BencherConfig { make: () } }
    }

    /// Measures a routine. Its outputs are dropped after the batch.
    pub fn bench<O, B>(self, routine: B)
    where
        B: Fn() -> O + Sync,
    {
        self.with_inputs(|| ()).bench_values(|()| routine());
    }

    /// As [`Self::bench`], on a single thread.
    pub fn bench_local<O, B>(self, mut routine: B)
    where
        B: FnMut() -> O,
    {
        self.with_inputs(|| ()).bench_local_values(|()| routine());
    }

    /// Creates the input of each call before the batch.
    pub fn with_inputs<G>(self, make: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        Bencher { context: self.context, config: BencherConfig { make } }
    }
}

impl<G> Bencher<'_, '_, BencherConfig<G>> {
    /// Says what a call processes.
    pub fn counter<C: IntoCounter>(self, counter: C) -> Self {
        add(counter, &mut self.context.counted);
        self
    }
}

impl<I, G: FnMut() -> I> Bencher<'_, '_, BencherConfig<G>> {
    /// Says what a call processes, for an input. It is called for one of the inputs: a curve or a bar has a single throughput.
    pub fn input_counter<C, F>(mut self, counter: F) -> Self
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        let input = (self.config.make)();
        add(counter(&input), &mut self.context.counted);
        self
    }

    /// Says that the inputs are numbers of what a call processes.
    pub fn count_inputs_as<C>(self) -> Self
    where
        C: Counter,
        I: Count,
    {
        self.input_counter(|input| C::of(input.count()))
    }

    /// Measures a routine that takes its input by value.
    pub fn bench_values<O, B>(self, routine: B)
    where
        B: Fn(I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        self.measure_shared(ValueCalls(routine));
    }

    /// As [`Self::bench_values`], on a single thread.
    pub fn bench_local_values<O, B>(self, routine: B)
    where
        B: FnMut(I) -> O,
    {
        self.measure_local(ValueCalls(routine));
    }

    /// Measures a routine that takes its input by reference. Dropping the input is not part of a call.
    pub fn bench_refs<O, B>(self, routine: B)
    where
        B: Fn(&mut I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        self.measure_shared(ReferenceCalls(routine));
    }

    /// As [`Self::bench_refs`], on a single thread.
    pub fn bench_local_refs<O, B>(self, routine: B)
    where
        B: FnMut(&mut I) -> O,
    {
        self.measure_local(ReferenceCalls(routine));
    }

    fn measure_local(self, calls: impl InputCalls<I>) {
        let Self { context, config } = self;
        let mut routine = InputRoutine { make: config.make, calls, one_call_per_batch: false };
        (context.measure)(&mut routine, context.counted.throughput());
    }

    fn measure_shared(self, calls: impl SharedInputCalls<I>)
    where
        G: Fn() -> I + Sync,
    {
        let threads = self.context.threads;
        if threads == 1 {
            return self.measure_local(calls);
        }
        let Self { context, config } = self;
        (context.measure)(&mut SharedRoutine { make: config.make, calls, threads }, context.counted.throughput());
    }
}
