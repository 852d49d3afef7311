//! Routines that several threads call at the same time.

use benchbook_contract::protocol::Counts;
use benchbook_suite::__private::{
    InputCalls, LoopTiming, ReferenceCalls, Routine, ValueCalls, make_inputs, new_inputs, on_threads,
};

/// A routine that threads may call at the same time.
pub(crate) trait SharedInputCalls<I>: InputCalls<I> + Sync {
    /// A closure that calls the routine.
    fn shared(&self) -> impl InputCalls<I>;
}

impl<I, O, R: Fn(I) -> O + Sync> SharedInputCalls<I> for ValueCalls<R> {
    fn shared(&self) -> impl InputCalls<I> {
        ValueCalls(|input| (self.0)(input))
    }
}

impl<I, O, R: Fn(&mut I) -> O + Sync> SharedInputCalls<I> for ReferenceCalls<R> {
    fn shared(&self) -> impl InputCalls<I> {
        ReferenceCalls(|input: &mut I| (self.0)(input))
    }
}

/// A routine that several threads call at the same time, each with inputs of its own.
pub(crate) struct SharedRoutine<G, R> {
    pub(crate) make: G,
    pub(crate) calls: R,
    pub(crate) threads: usize,
}

impl<I, G: Fn() -> I + Sync, R: SharedInputCalls<I>> Routine for SharedRoutine<G, R> {
    fn one_call_per_batch(&self) -> bool {
        false
    }
    fn new_inputs(&self, batch: u32, calls: usize) -> usize {
        new_inputs::<I>(batch, calls)
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        LoopTiming::mean(&on_threads(self.threads, &|ready| {
            self.calls.shared().time(make_inputs(&self.make, calls), ready)
        }))
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        LoopTiming::mean(&on_threads(self.threads, &|ready| {
            self.calls.shared().time_empty(make_inputs(&self.make, calls), ready)
        }))
    }
    /// The memory use of one of the threads.
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let counts = on_threads(self.threads, &|ready| {
            let inputs = make_inputs(&self.make, calls);
            ready();
            self.calls.shared().call_untimed(inputs)
        });
        counts[0]
    }
}
