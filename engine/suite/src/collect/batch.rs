//! The timed loop.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop};

use crate::collect::clock;
use crate::collect::input_access::{Access, Modes};
use crate::collect::interruption::Watch;
use crate::generator::Generator;
use crate::memory;
use crate::workload::{Serves, Workload};

/// The input of a generator.
pub type InputOf<G> = <<G as Generator>::Workload as Workload>::Input;

/// A function bound to a generator; `#[measured]` implements it for each pair, which checks that they fit.
pub trait Bound: Sized + 'static {
    /// The generator.
    type Generator: Generator<Workload: Serves<Self::Access>>;
    /// How calls go over inputs, and parameters get at one.
    type Access: Access<InputOf<Self::Generator>>;
    /// Times calls of the function.
    fn time(batch: Batch<'_, Self>) -> Timed;
    /// Calls the function and hashes its results; absent where the results have no hash.
    fn hash_outputs(batch: Batch<'_, Self>) -> Option<u64>;
    /// Hashes an input; absent where it has no hash.
    fn hash_input(input: &InputOf<Self::Generator>) -> Option<u64>;
}

/// A batch that is ready to be timed: inputs are prepared, clones are made.
pub struct Batch<'i, B: Bound> {
    inputs: &'i mut [InputOf<B::Generator>],
    /// The input of the first call, where calls share them.
    first: usize,
    /// One for each call; in cells, since then nobody looks in its bits for the value that says there is none.
    owned_args: Vec<Cell<OwnedArgsOf<B>>>,
}

/// How the parameters of a bound function get at its input.
type ModesOf<B> = <<B as Bound>::Access as Access<InputOf<<B as Bound>::Generator>>>::Modes;

/// What is made before the batch, for each call.
type OwnedArgsOf<B> = <ModesOf<B> as Modes<InputOf<<B as Bound>::Generator>>>::OwnedArgs;

/// What the function gets, as a tuple.
type ArgumentsOf<'i, B> = <ModesOf<B> as Modes<InputOf<<B as Bound>::Generator>>>::Arguments<'i>;

/// A batch that was timed.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Nanoseconds between the two readings of the clock.
    pub elapsed: f64,
    /// Bytes that the suite held right after the last call, outputs included.
    pub live_after: i64,
    /// Allocations between the two readings, on this thread.
    pub allocations: u64,
    /// Whether something else had the processor meanwhile, as far as the kernel tells.
    pub interrupted: bool,
}

impl<'i, B: Bound> Batch<'i, B> {
    pub(crate) fn new(inputs: &'i mut [InputOf<B::Generator>], first: usize, calls: usize) -> Self {
        let count = inputs.len();
        let owned_args =
            (first..first + calls).map(|call| Cell::new(ModesOf::<B>::owned_args(&inputs[call % count]))).collect();
        Self { inputs, first, owned_args }
    }

    /// Times `call` on each call's arguments.
    ///
    /// Arguments and results pass through `black_box`, on each call. Results that own something are held until the
    /// clock was read, and dropped after it: so an allocating function is charged for fresh memory, as in a caller
    /// that keeps the results. The sampler keeps what a batch holds within [`benchbook_contract::protocol::MAX_BATCH_BYTES`].
    #[inline(always)]
    pub fn time<O>(mut self, call: impl Fn(ArgumentsOf<'i, B>) -> O) -> Timed {
        let mut outputs = room_for(if needs_drop::<O>() { self.owned_args.len() } else { 0 });
        let arguments = B::Access::arguments(self.inputs, self.first, &mut self.owned_args);
        let allocations = memory::allocations();
        let watch = Watch::begin();
        let start = clock::now();
        let mut make = |arguments| {
            let output = black_box(call(black_box(arguments)));
            if needs_drop::<O>() {
                outputs.push(output);
            }
        };
        if needs_drop::<ArgumentsOf<'i, B>>() {
            // So that no `Option` of what a call consumes is ever made; the loop below is the quicker one elsewhere.
            arguments.for_each(make);
        } else {
            for arguments in arguments {
                make(arguments);
            }
        }
        let elapsed = clock::now() - start;
        Timed {
            elapsed,
            live_after: memory::live_bytes(),
            allocations: memory::allocations() - allocations,
            interrupted: watch.was_interrupted(),
        }
    }

    /// Times the loop of the same shape without the call. What a call would consume stays where it is, and the loop passes
    /// its bits: moving it anywhere takes time that no call takes, and dropping it is the call's part.
    #[inline(always)]
    pub(crate) fn time_empty(mut self) -> Timed {
        if needs_drop::<ArgumentsOf<'i, B>>() {
            time_passing_bits(B::Access::bits(self.inputs, self.first, &mut self.owned_args))
        } else {
            time_passing(B::Access::arguments(self.inputs, self.first, &mut self.owned_args))
        }
    }

    /// Makes the calls untimed, and hands each result to `see`.
    pub fn call_untimed<O>(mut self, call: impl Fn(ArgumentsOf<'i, B>) -> O, mut see: impl FnMut(&O)) {
        for arguments in B::Access::arguments(self.inputs, self.first, &mut self.owned_args) {
            see(&call(arguments));
        }
    }
}

/// Times a loop that hides each of the arguments from the optimiser, and does no more.
#[inline(always)]
fn time_passing(arguments: impl Iterator) -> Timed {
    let watch = Watch::begin();
    let start = clock::now();
    for arguments in arguments {
        black_box(arguments);
    }
    let elapsed = clock::now() - start;
    Timed { elapsed, live_after: memory::live_bytes(), allocations: 0, interrupted: watch.was_interrupted() }
}

/// The same as values are passed that own something.
#[inline(always)]
fn time_passing_bits(bits: impl Iterator) -> Timed {
    let watch = Watch::begin();
    let start = clock::now();
    bits.for_each(|bits| {
        black_box(bits);
    });
    let elapsed = clock::now() - start;
    Timed { elapsed, live_after: memory::live_bytes(), allocations: 0, interrupted: watch.was_interrupted() }
}

/// Room for `count` values, in memory that was touched before: otherwise the loop would pay for its pages.
fn room_for<T>(count: usize) -> Vec<T> {
    let mut room = Vec::with_capacity(count);
    // What has no size has room without end.
    for place in room.spare_capacity_mut().iter_mut().take(count) {
        *black_box(place) = MaybeUninit::zeroed();
    }
    room
}
