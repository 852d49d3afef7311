//! The timed loop.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::needs_drop;

use crate::collect::clock;
use crate::collect::contention::on_threads;
use crate::collect::hash::Hashes;
use crate::collect::interruption::InterruptionProbe;
use crate::collect::plain_loop::{time_arguments, time_passing};
use crate::collect::timed_batch::LoopTiming;
use crate::generator::WorkloadGenerator;
use crate::memory;
use crate::workload::input_access::{Access, PassModes};
use crate::workload::input_access::{BorrowModes, borrowed, borrowed_bits};
use crate::workload::{Serves, Workload};
use benchbook_contract::protocol::Counts;

/// The input of one call, as the generator creates it.
pub type InputOf<G> = <<G as WorkloadGenerator>::Workload as Workload>::Input;

/// A function bound to a generator. `#[measured]` implements it for each pair, so the compiler checks that they fit.
pub trait Bound: Sized + 'static {
    /// The generator.
    type Generator: WorkloadGenerator<Workload: Serves<Self::Access>>;
    /// How calls share inputs, and how each parameter is passed.
    type Access: Access<InputOf<Self::Generator>>;
    /// Times calls of the function.
    fn time(batch: Batch<'_, Self>) -> LoopTiming;
    /// Calls the function without timing it, adds the hashes of its results to `hashes`, and returns its memory use.
    fn call_untimed(batch: Batch<'_, Self>, hashes: Option<&mut Hashes>) -> Counts;
    /// Times the same loop without the call.
    fn time_empty(batch: Batch<'_, Self>) -> LoopTiming {
        batch.time_empty()
    }
    /// Hashes an input; `None` if its type does not implement `Hash`.
    fn hash_input(input: &InputOf<Self::Generator>) -> Option<u64>;
}

/// A batch that is ready to be timed: inputs are prepared, and arguments passed by value are cloned.
pub struct Batch<'i, B: Bound> {
    inputs: &'i mut [InputOf<B::Generator>],
    /// The index of the first call's input if calls share inputs.
    first: usize,
    /// One entry per call. A `Cell` has no niche, so the iterator's `Option` has a discriminant of its own, and the
    /// loop does not have to inspect the value's bits.
    owned_args: Vec<Cell<OwnedArgsOf<B>>>,
    /// The number of threads that make the calls, each of them all.
    threads: usize,
}

/// How a bound function takes each of its parameters.
type PassModesOf<B> = <<B as Bound>::Access as Access<InputOf<<B as Bound>::Generator>>>::PassModes;

/// The arguments of one call that are created before the batch.
type OwnedArgsOf<B> = <PassModesOf<B> as PassModes<InputOf<<B as Bound>::Generator>>>::OwnedArgs;

/// All arguments of one call as a tuple.
type ArgumentsOf<'i, B> = <PassModesOf<B> as PassModes<InputOf<<B as Bound>::Generator>>>::Arguments<'i>;

impl<'i, B: Bound> Batch<'i, B> {
    pub(crate) fn new(inputs: &'i mut [InputOf<B::Generator>], first: usize, calls: usize, threads: usize) -> Self {
        let owned_args = owned_args::<B>(inputs, first, calls);
        Self { inputs, first, owned_args, threads }
    }

    /// Times a loop that calls `call` with the arguments of each call.
    ///
    /// Arguments and results pass through `black_box` in each call. Results that need dropping are stored and dropped
    /// after the second clock reading. An allocating function is therefore charged for fresh memory, as if its caller
    /// kept the results. The host limits the size of a batch to
    /// [`benchbook_contract::protocol::MAX_BATCH_BYTES`].
    #[inline(always)]
    pub fn time<O>(mut self, call: impl Fn(ArgumentsOf<'i, B>) -> O) -> LoopTiming {
        let calls = self.owned_args.len();
        time_arguments(B::Access::arguments(self.inputs, self.first, &mut self.owned_args), calls, call, || ())
    }

    /// As [`Self::time`], on all threads of the workload at once. Each of them makes all calls.
    pub fn time_on_threads<O>(self, call: impl Fn(ArgumentsOf<'i, B>) -> O + Sync) -> LoopTiming
    where
        InputOf<B::Generator>: Sync,
        PassModesOf<B>: BorrowModes<InputOf<B::Generator>>,
    {
        let Self { inputs, first, owned_args: own, threads } = self;
        let (inputs, calls): (&'i [_], usize) = (inputs, own.len());
        LoopTiming::mean(&on_threads(threads, &|ready| {
            let mut own = owned_args::<B>(inputs, first, calls);
            time_arguments(borrowed::<_, PassModesOf<B>>(inputs, first, &mut own), calls, &call, ready)
        }))
    }

    /// As [`Self::time_on_threads`], without the call.
    pub fn time_empty_on_threads(self) -> LoopTiming
    where
        InputOf<B::Generator>: Sync,
        PassModesOf<B>: BorrowModes<InputOf<B::Generator>>,
    {
        let Self { inputs, first, owned_args: own, threads } = self;
        let (inputs, calls): (&'i [_], usize) = (inputs, own.len());
        LoopTiming::mean(&on_threads(threads, &|ready| {
            let mut own = owned_args::<B>(inputs, first, calls);
            time_passing(borrowed_bits::<_, PassModesOf<B>>(inputs, first, &mut own), ready)
        }))
    }

    /// Times the same loop without the call.
    ///
    /// The loop passes a copy of the bits of arguments that a call would consume, and leaves the arguments in place:
    /// moving them elsewhere would take time that no call needs, and dropping them is part of the call.
    #[inline(always)]
    pub(crate) fn time_empty(mut self) -> LoopTiming {
        if needs_drop::<ArgumentsOf<'i, B>>() {
            time_passing_bits(B::Access::bits(self.inputs, self.first, &mut self.owned_args))
        } else {
            time_passing(B::Access::arguments(self.inputs, self.first, &mut self.owned_args), || ())
        }
    }

    /// Makes the calls without timing them, and returns their memory use. If `hashes` is present, `add_hash` adds the hash
    /// of each result.
    ///
    /// Counts from right before each call until it returns: its result is counted, dropping its result is not.
    pub fn call_untimed<O>(
        mut self,
        call: impl Fn(ArgumentsOf<'i, B>) -> O,
        add_hash: impl Fn(&O, &mut Hashes),
        mut hashes: Option<&mut Hashes>,
    ) -> Counts {
        let arguments = B::Access::arguments(self.inputs, self.first, &mut self.owned_args);
        count_calls(arguments, call, |output| {
            if let Some(hashes) = &mut hashes {
                add_hash(output, hashes);
            }
        })
    }

    /// As [`Self::call_untimed`], on all threads of the workload at once. Returns the memory use of one of them. There are no hashes: the
    /// results depend on how the calls of the threads alternate.
    pub fn call_untimed_on_threads<O>(self, call: impl Fn(ArgumentsOf<'i, B>) -> O + Sync) -> Counts
    where
        InputOf<B::Generator>: Sync,
        PassModesOf<B>: BorrowModes<InputOf<B::Generator>>,
    {
        let Self { inputs, first, owned_args: own, threads } = self;
        let (inputs, calls): (&'i [_], usize) = (inputs, own.len());
        let counts = on_threads(threads, &|ready| {
            let mut own = owned_args::<B>(inputs, first, calls);
            ready();
            count_calls(borrowed::<_, PassModesOf<B>>(inputs, first, &mut own), &call, |_| ())
        });
        counts[0]
    }
}

/// Makes calls without timing them, and returns their memory use. `look` sees each result.
pub fn count_calls<A, O>(
    arguments: impl Iterator<Item = A>,
    mut call: impl FnMut(A) -> O,
    mut look: impl FnMut(&O),
) -> Counts {
    let mut counts = Counts::default();
    for arguments in arguments {
        memory::begin_call(memory::held_bytes());
        // `black_box` as in the timed loop, so that the optimiser removes no allocation that it keeps there.
        let output = black_box(call(black_box(arguments)));
        memory::end_call().add_to(&mut counts);
        look(&output);
    }
    counts
}

/// As [`count_calls`], for an asynchronous routine: the future of all calls, for a single call of an executor.
pub async fn count_async_calls<A, O, F: Future<Output = O>>(
    arguments: impl Iterator<Item = A>,
    mut call: impl FnMut(A) -> F,
) -> Counts {
    let mut counts = Counts::default();
    for arguments in arguments {
        memory::begin_call(memory::held_bytes());
        let output = black_box(call(black_box(arguments)).await);
        memory::end_call().add_to(&mut counts);
        drop(output);
    }
    counts
}

/// The values of each call that are created before the batch.
fn owned_args<B: Bound>(inputs: &[InputOf<B::Generator>], first: usize, calls: usize) -> Vec<Cell<OwnedArgsOf<B>>> {
    let count = inputs.len();
    (first..first + calls).map(|call| Cell::new(PassModesOf::<B>::owned_args(&inputs[call % count]))).collect()
}

/// Times the loop of [`Batch::time`] for arguments that need dropping. Passes only copies of their bits.
#[inline(always)]
fn time_passing_bits(bits: impl Iterator) -> LoopTiming {
    let watch = InterruptionProbe::begin();
    let start = clock::now();
    bits.for_each(|bits| {
        black_box(bits);
    });
    let elapsed = clock::now() - start;
    LoopTiming { elapsed, live_after: memory::live_bytes(), interrupted: watch.was_interrupted() }
}
