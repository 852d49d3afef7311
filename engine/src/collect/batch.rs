//! The timed loop.

use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::needs_drop;

use crate::collect::clock;
use crate::collect::lend::{Access, Modes};
use crate::entry::allocator;

/// A batch that is ready to be timed: inputs are prepared, clones are made.
pub struct Batch<'i, I: 'static, M: Modes<I>, A> {
    inputs: &'i mut [I],
    /// One for each call.
    spares: Vec<M::Spare>,
    access: PhantomData<A>,
}

/// A batch that was timed.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Nanoseconds between the two readings of the clock.
    pub elapsed: f64,
    /// Bytes that the suite held right after the last call, outputs included.
    pub live_after: i64,
    /// Allocations between the two readings, on this thread.
    pub allocations: u64,
}

impl<'i, I: 'static, M: Modes<I>, A: Access<I, M>> Batch<'i, I, M, A> {
    pub(crate) fn new(inputs: &'i mut [I], calls: usize) -> Self {
        let spares = (0..calls).map(|call| M::spare(&inputs[call % inputs.len()])).collect();
        Self { inputs, spares, access: PhantomData }
    }

    /// Times `call` on each call's arguments.
    ///
    /// Arguments and results pass through `black_box`, on each call. Results that own something are held until the
    /// clock was read, and dropped after it: so an allocating function is charged for fresh memory, as in a caller
    /// that keeps the results. The sampler keeps what a batch holds within [`crate::protocol::HELD_BYTES`].
    #[inline(always)]
    pub fn time<O>(mut self, call: impl Fn(M::Arguments<'i>) -> O) -> Timed {
        let mut outputs: Vec<O> = Vec::with_capacity(if needs_drop::<O>() { self.spares.len() } else { 0 });
        let allocations = allocator::allocations();
        let start = clock::now();
        A::for_each(self.inputs, &mut self.spares, |arguments| {
            let output = black_box(call(black_box(arguments)));
            if needs_drop::<O>() {
                outputs.push(output);
            }
        });
        let elapsed = clock::now() - start;
        Timed { elapsed, live_after: allocator::live_bytes(), allocations: allocator::allocations() - allocations }
    }

    /// Times the loop of the same shape without the call. What a call would have consumed is held as results are.
    #[inline(always)]
    pub(crate) fn time_empty(mut self) -> Timed {
        let holds = needs_drop::<M::Arguments<'i>>();
        let mut held = Vec::with_capacity(if holds { self.spares.len() } else { 0 });
        let start = clock::now();
        A::for_each(self.inputs, &mut self.spares, |arguments| {
            let arguments = black_box(arguments);
            if holds {
                held.push(arguments);
            }
        });
        let elapsed = clock::now() - start;
        Timed { elapsed, live_after: allocator::live_bytes(), allocations: 0 }
    }

    /// Makes the calls untimed, and hands each result to `see`.
    pub fn call_untimed<O>(mut self, call: impl Fn(M::Arguments<'i>) -> O, mut see: impl FnMut(&O)) {
        A::for_each(self.inputs, &mut self.spares, |arguments| see(&call(arguments)));
    }
}
