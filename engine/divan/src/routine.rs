//! The routines of benchmarks: each call has an input of its own, by value or by reference.

use std::mem::needs_drop;

use benchbook_contract::protocol::Counts;
use benchbook_suite::__private::{
    LoopTiming, Routine, count_calls, on_threads, time_arguments, time_inputs, time_passing,
};

/// A routine with its way to take inputs.
pub(crate) trait InputCalls<I> {
    /// Times a call for each input. `ready` is called right before the first clock reading.
    fn time(&mut self, inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming;
    /// Times the same loop without the calls.
    fn time_empty(inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming;
    /// Makes the calls without timing them, and returns their memory use.
    fn call_untimed(&mut self, inputs: Vec<I>) -> Counts;
}

/// A routine that threads may call at the same time.
pub(crate) trait SharedInputCalls<I>: InputCalls<I> + Sync {
    /// The routine by reference.
    fn shared(&self) -> impl InputCalls<I>;
}

/// A routine that takes inputs by value.
pub(crate) struct ByValue<R>(pub(crate) R);

impl<I, O, R: FnMut(I) -> O> InputCalls<I> for ByValue<R> {
    #[inline(always)]
    fn time(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        let calls = inputs.len();
        // `drain`, since the memory of the vector is to be released after the second reading of the clock.
        time_arguments(inputs.drain(..), calls, &mut self.0, ready)
    }
    #[inline(always)]
    fn time_empty(mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        if needs_drop::<I>() {
            ready();
            // The inputs move from one vector to the other, as for an identity routine: dropping them is not part of the loop.
            time_inputs(inputs, |input| input)
        } else {
            time_passing(inputs.drain(..), ready)
        }
    }
    fn call_untimed(&mut self, inputs: Vec<I>) -> Counts {
        count_calls(inputs.into_iter(), &mut self.0, |_| ())
    }
}

impl<I, O, R: Fn(I) -> O + Sync> SharedInputCalls<I> for ByValue<R> {
    fn shared(&self) -> impl InputCalls<I> {
        ByValue(&self.0)
    }
}

/// A routine that takes inputs by reference.
pub(crate) struct ByReference<R>(pub(crate) R);

impl<I, O, R: FnMut(&mut I) -> O> InputCalls<I> for ByReference<R> {
    #[inline(always)]
    fn time(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        let calls = inputs.len();
        time_arguments(inputs.iter_mut(), calls, &mut self.0, ready)
    }
    #[inline(always)]
    fn time_empty(mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        time_passing(inputs.iter_mut(), ready)
    }
    fn call_untimed(&mut self, mut inputs: Vec<I>) -> Counts {
        count_calls(inputs.iter_mut(), &mut self.0, |_| ())
    }
}

impl<I, O, R: Fn(&mut I) -> O + Sync> SharedInputCalls<I> for ByReference<R> {
    fn shared(&self) -> impl InputCalls<I> {
        ByReference(&self.0)
    }
}

fn inputs<I>(mut make: impl FnMut() -> I, calls: usize) -> Vec<I> {
    (0..calls).map(|_| make()).collect()
}

/// The inputs that `batch` has and no earlier one had: a type without a size has a single value.
fn new_inputs<I>(batch: u32, calls: usize) -> usize {
    if size_of::<I>() == 0 { usize::from(batch == 0) } else { calls }
}

/// A routine on a single thread.
pub(crate) struct LocalRoutine<G, R> {
    pub(crate) make: G,
    pub(crate) calls: R,
}

impl<I, G: FnMut() -> I, R: InputCalls<I>> Routine for LocalRoutine<G, R> {
    fn one_call_per_batch(&self) -> bool {
        false
    }
    fn new_inputs(&self, batch: u32, calls: usize) -> usize {
        new_inputs::<I>(batch, calls)
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        let inputs = inputs(&mut self.make, calls);
        self.calls.time(inputs, || ())
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        R::time_empty(inputs(&mut self.make, calls), || ())
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let inputs = inputs(&mut self.make, calls);
        self.calls.call_untimed(inputs)
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
        LoopTiming::mean(&on_threads(self.threads, |ready| self.calls.shared().time(inputs(&self.make, calls), ready)))
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        LoopTiming::mean(&on_threads(self.threads, |ready| R::time_empty(inputs(&self.make, calls), ready)))
    }
    /// The memory use of one of the threads.
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let counts = on_threads(self.threads, |ready| {
            let inputs = inputs(&self.make, calls);
            ready();
            self.calls.shared().call_untimed(inputs)
        });
        counts[0]
    }
}
