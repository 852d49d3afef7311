//! A function bound to a generator, with its types forgotten: what the registration points to.

use std::any::Any;

use crate::collect::batch::{Batch, Bound, InputOf, Timed};
use crate::collect::hash::combine;
use crate::collect::input_access::Access;
use crate::collect::inputs::Inputs;
use crate::collect::timed_batch::{BatchOrder, TimedBatch};
use crate::entry::stage;
use crate::generator::{Generator, GeneratorSource};
use crate::memory;
use crate::service::Service;
use crate::workload::{Hook, Workload};
use benchbook_contract::parameter::Arguments;
use benchbook_contract::protocol::Stage;

/// Prepares a workload, with its type forgotten.
pub type Opener = fn(&Service, &Arguments) -> Result<Box<dyn AnyInputs>, String>;

/// Times a batch on the inputs of a slot.
pub(crate) type Time = fn(&mut dyn Any, BatchOrder) -> TimedBatch;

/// A function bound to a generator.
pub struct Binding {
    /// What the generator is.
    pub generator: &'static GeneratorSource,
    /// What measures; absent where only a native runner can.
    pub calls: Option<BoundCalls>,
}

/// The function pointers through which a slot reaches the timed loop.
///
/// A loop that is called through a pointer stays a function of its own, which is entered again with each batch: a
/// browser replaces code on entry alone.
#[derive(Clone, Copy)]
pub struct BoundCalls {
    pub(crate) open: Opener,
    pub(crate) time: Time,
    pub(crate) time_empty: Time,
    pub(crate) check: fn(&mut dyn Any, BatchOrder) -> Option<u64>,
}

/// What a slot asks of a workload, whatever its input is.
pub trait AnyInputs {
    /// The inputs, for the function pointers of a binding.
    fn as_any(&mut self) -> &mut dyn Any;
    /// Calls that make a round.
    fn round(&self) -> usize;
    /// Whether calls are timed one by one.
    fn one_call_a_batch(&self) -> bool;
}

impl<I: 'static> AnyInputs for Inputs<I> {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn round(&self) -> usize {
        Inputs::round(self)
    }
    fn one_call_a_batch(&self) -> bool {
        Inputs::one_call_a_batch(self)
    }
}

impl Binding {
    /// The binding of `B`.
    pub const fn of<B: Bound>() -> Self {
        let calls =
            BoundCalls { open: open::<B::Generator>, time: time::<B>, time_empty: time_empty::<B>, check: check::<B> };
        Self { generator: &B::Generator::SOURCE, calls: Some(calls) }
    }

    /// A binding that only a native runner can measure.
    pub const fn native_only<G: Generator>() -> Self {
        Self { generator: &G::SOURCE, calls: None }
    }
}

fn open<G: Generator>(service: &Service, arguments: &Arguments) -> Result<Box<dyn AnyInputs>, String> {
    let workload = G::prepare(service, arguments)?;
    Ok(Box::new(Inputs::new(workload.into_prepared(), service.seed())?))
}

#[inline(never)]
fn time<B: Bound>(inputs: &mut dyn Any, order: BatchOrder) -> TimedBatch {
    run::<B>(inputs, order, true, |batch| B::time(batch))
}

#[inline(never)]
fn time_empty<B: Bound>(inputs: &mut dyn Any, order: BatchOrder) -> TimedBatch {
    // A closure, since the method is one for a single lifetime.
    #[expect(clippy::redundant_closure_for_method_calls)]
    run::<B>(inputs, order, false, |batch| batch.time_empty())
}

/// Prepares a batch, has it timed, and runs the hook.
#[inline(always)]
fn run<B: Bound>(
    inputs: &mut dyn Any,
    order: BatchOrder,
    hooked: bool,
    timing: impl Fn(Batch<'_, B>) -> Timed,
) -> TimedBatch {
    with_inputs::<B, _>(inputs, order, hooked, |inputs, first, before| {
        let batch = Batch::new(inputs, first, order.calls);
        let prepared = memory::live_bytes();
        stage::enter(Stage::Function);
        let timed = timing(batch);
        let held = timed.live_after.max(prepared) - before;
        TimedBatch {
            elapsed: timed.elapsed,
            held: held.max(0) as f64 / order.calls as f64,
            allocations: timed.allocations,
            interrupted: timed.interrupted,
        }
    })
}

fn check<B: Bound>(inputs: &mut dyn Any, order: BatchOrder) -> Option<u64> {
    with_inputs::<B, _>(inputs, order, true, |inputs, first, _| {
        let batch = Batch::new(inputs, first, order.calls);
        stage::enter(Stage::Function);
        let outputs = B::hash_outputs(batch)?;
        // What a function does to its input is part of what it puts out.
        let changed = if B::Access::OWN_INPUTS { inputs } else { &mut [] };
        changed.iter().try_fold(outputs, |hashes, input| Some(combine(hashes, B::hash_input(input)?)))
    })
}

/// Runs `work` on the inputs of a batch, then the hook for single calls. `work` is told too which input is the first
/// call's, and how many bytes were live without what the batch alone holds: inputs of its own count, kept ones do not.
#[inline(always)]
fn with_inputs<B: Bound, R>(
    inputs: &mut dyn Any,
    order: BatchOrder,
    hooked: bool,
    work: impl FnOnce(&mut [InputOf<B::Generator>], usize, i64) -> R,
) -> R {
    let source: &mut Inputs<InputOf<B::Generator>> =
        inputs.downcast_mut().expect("a slot's functions are bound to the generator that opened it");
    let mut hook = if hooked { source.take_hook() } else { None };
    let result = if B::Access::OWN_INPUTS {
        let before = memory::live_bytes();
        let mut own = source.own(order.number, order.batch, order.calls);
        let result = work(&mut own, 0, before);
        run_hook(&mut hook, &mut own, 0, order.calls);
        result
    } else {
        let kept = source.kept(order.number);
        // Each batch goes on where the one before it ended.
        let first = order.batch as usize * order.calls;
        let result = work(kept, first, memory::live_bytes());
        run_hook(&mut hook, kept, first, order.calls);
        result
    };
    if hooked {
        source.return_hook(hook);
    }
    result
}

fn run_hook<I>(hook: &mut Option<Hook<I>>, inputs: &mut [I], first: usize, calls: usize) {
    if let Some(hook) = hook {
        stage::enter(Stage::Hook);
        let count = inputs.len();
        for call in first..first + calls {
            hook(&mut inputs[call % count]);
        }
    }
}
