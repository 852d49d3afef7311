//! Routines with an input of their own for each call, by value or by reference.

use std::mem::needs_drop;

use benchbook_contract::protocol::Counts;

use super::routines::Routine;
use crate::collect::batch::count_calls;
use crate::collect::plain_loop::{time_arguments, time_inputs, time_passing};
use crate::collect::timed_batch::LoopTiming;

/// A routine with its way to take inputs.
///
/// Implementations pass closures that call it, not references to it: those are called through a function of the standard library, which the
/// compiler does not inline into the timed loop. In crc32fast's benches, that added 1.5 to 2.8 ns to a call.
pub trait InputCalls<I> {
    /// Times the calls, each with one of the inputs. `ready` is called right before the first clock reading.
    fn time(&mut self, inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming;
    /// Times the same loop without the calls.
    fn time_empty(&mut self, inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming;
    /// Makes the calls without timing them, and returns their memory use.
    fn call_untimed(&mut self, inputs: Vec<I>) -> Counts;
}

/// A routine that takes inputs by value.
pub struct ValueCalls<R>(pub R);

impl<I, O, R: FnMut(I) -> O> InputCalls<I> for ValueCalls<R> {
    #[inline(always)]
    fn time(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        let calls = inputs.len();
        // `drain`, since the memory of the vector is to be released after the second reading of the clock.
        time_arguments(inputs.drain(..), calls, |input| (self.0)(input), ready)
    }
    #[inline(always)]
    fn time_empty(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        if needs_drop::<I>() {
            // The inputs move from one vector to the other, as for an identity routine: dropping them is not part of the loop.
            time_inputs(inputs, |input| input, ready)
        } else {
            time_passing(inputs.drain(..), ready)
        }
    }
    fn call_untimed(&mut self, inputs: Vec<I>) -> Counts {
        count_calls(inputs.into_iter(), |input| (self.0)(input), |_| ())
    }
}

/// A routine that takes inputs by reference. The inputs stay where they are: moving a large one would take longer than a short call.
pub struct ReferenceCalls<R>(pub R);

impl<I, O, R: FnMut(&mut I) -> O> InputCalls<I> for ReferenceCalls<R> {
    #[inline(always)]
    fn time(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        let calls = inputs.len();
        time_arguments(inputs.iter_mut(), calls, |input| (self.0)(input), ready)
    }
    #[inline(always)]
    fn time_empty(&mut self, mut inputs: Vec<I>, ready: impl FnOnce()) -> LoopTiming {
        time_passing(inputs.iter_mut(), ready)
    }
    fn call_untimed(&mut self, mut inputs: Vec<I>) -> Counts {
        count_calls(inputs.iter_mut(), |input| (self.0)(input), |_| ())
    }
}

/// Creates the inputs of a batch.
pub fn make_inputs<I>(mut make: impl FnMut() -> I, calls: usize) -> Vec<I> {
    (0..calls).map(|_| make()).collect()
}

/// The inputs that `batch` has and no earlier one had: a type without a size has a single value.
pub fn new_inputs<I>(batch: u32, calls: usize) -> usize {
    if size_of::<I>() == 0 { usize::from(batch == 0) } else { calls }
}

/// A routine with inputs, on a single thread.
pub struct InputRoutine<G, C> {
    /// Creates an input.
    pub make: G,
    /// The calls.
    pub calls: C,
    /// Whether each batch must be a single call.
    pub one_call_per_batch: bool,
}

impl<I, G: FnMut() -> I, C: InputCalls<I>> Routine for InputRoutine<G, C> {
    fn one_call_per_batch(&self) -> bool {
        self.one_call_per_batch
    }
    fn new_inputs(&self, batch: u32, calls: usize) -> usize {
        new_inputs::<I>(batch, calls)
    }
    #[inline(never)]
    fn time(&mut self, calls: usize) -> LoopTiming {
        let inputs = make_inputs(&mut self.make, calls);
        self.calls.time(inputs, || ())
    }
    #[inline(never)]
    fn time_empty(&mut self, calls: usize) -> LoopTiming {
        let inputs = make_inputs(&mut self.make, calls);
        self.calls.time_empty(inputs, || ())
    }
    fn call_untimed(&mut self, calls: usize) -> Counts {
        let inputs = make_inputs(&mut self.make, calls);
        self.calls.call_untimed(inputs)
    }
}
