//! Type-erased bindings of functions to generators, for the registration.

use std::any::Any;

use crate::collect::batch::{Batch, Bound, InputOf};
use crate::collect::clock;
use crate::collect::hash::{Hashes, combine};
use crate::collect::inputs::Inputs;
use crate::collect::timed_batch::{BatchSpec, LoopTiming, TimedBatch, UntimedBatch};
use crate::generator::{GeneratorSource, WorkloadGenerator};
use crate::memory;
use crate::service::Service;
use crate::stage;
use crate::workload::input_access::Access;
use crate::workload::{Hook, Throughput, Workload};
use benchbook_contract::parameter::Arguments;
use benchbook_contract::protocol::FailureStage;

/// Prepares a workload and erases its type.
pub type Opener = fn(&Service, &Arguments) -> Result<Box<dyn AnyInputs>, String>;

/// Measures one batch on the inputs of a slot.
pub(crate) type BatchTimer = fn(&mut dyn Any, BatchSpec) -> TimedBatch;

/// Makes the calls of one batch on the inputs of a slot without timing them; the last argument requests hashes.
pub(crate) type UntimedCaller = fn(&mut dyn Any, BatchSpec, bool) -> UntimedBatch;

/// A function bound to a generator.
pub struct Binding {
    /// The generator's declaration.
    pub generator: &'static GeneratorSource,
    /// The arguments of a generic generator, such as `<u32>`; otherwise empty.
    pub generator_instance: &'static str,
    /// The functions that measure; absent if only a native runner can measure.
    pub loops: Option<FunctionLoops>,
}

/// The function pointers through which a slot reaches the timed loop.
///
/// A loop behind a function pointer is not inlined, so every batch re-enters the function that contains the loop. Browsers replace baseline
/// code with optimised code only when a function is entered.
#[derive(Clone, Copy)]
pub struct FunctionLoops {
    pub(crate) open: Opener,
    pub(crate) time: BatchTimer,
    pub(crate) time_empty: BatchTimer,
    pub(crate) call_untimed: UntimedCaller,
}

/// Inputs of any type.
pub trait AnyInputs {
    /// Returns the inputs for the function pointers of a binding.
    fn as_any(&mut self) -> &mut dyn Any;
    /// Returns the number of calls in a round.
    fn round(&self) -> usize;
    /// Whether each batch must be a single call.
    fn one_call_per_batch(&self) -> bool;
    /// Returns what a call processes, as the generator declares it.
    fn throughput(&self) -> Throughput;
}

impl<I: 'static> AnyInputs for Inputs<I> {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn round(&self) -> usize {
        Inputs::round(self)
    }
    fn one_call_per_batch(&self) -> bool {
        Inputs::one_call_per_batch(self)
    }
    fn throughput(&self) -> Throughput {
        Inputs::throughput(self)
    }
}

impl Binding {
    /// Creates the binding of `B`, whose generator has the given arguments in its path.
    pub const fn of<B: Bound>(generator_instance: &'static str) -> Self {
        let loops = FunctionLoops {
            open: open::<B::Generator>,
            time: time::<B>,
            time_empty: time_empty::<B>,
            call_untimed: call_untimed::<B>,
        };
        Self { generator: &B::Generator::SOURCE, generator_instance, loops: Some(loops) }
    }

    /// Creates a binding that only a native runner can measure.
    pub const fn native_only<G: WorkloadGenerator>(generator_instance: &'static str) -> Self {
        Self { generator: &G::SOURCE, generator_instance, loops: None }
    }

    /// Crate, modules, name and arguments of the generator.
    pub(crate) fn generator_path(&self) -> String {
        format!("{}{}", self.generator.path, self.generator_instance)
    }
}

fn open<G: WorkloadGenerator>(service: &Service, arguments: &Arguments) -> Result<Box<dyn AnyInputs>, String> {
    let workload = G::prepare(service, arguments)?;
    Ok(Box::new(Inputs::new(workload.erase(), service.seed())?))
}

#[inline(never)]
fn time<B: Bound>(inputs: &mut dyn Any, spec: BatchSpec) -> TimedBatch {
    run::<B>(inputs, spec, true, |batch| B::time(batch))
}

#[inline(never)]
fn time_empty<B: Bound>(inputs: &mut dyn Any, spec: BatchSpec) -> TimedBatch {
    run::<B>(inputs, spec, false, |batch| B::time_empty(batch))
}

/// Prepares a batch, times it with `timing`, and runs the hook if `runs_hook`.
#[inline(always)]
fn run<B: Bound>(
    inputs: &mut dyn Any,
    spec: BatchSpec,
    runs_hook: bool,
    timing: impl Fn(Batch<'_, B>) -> LoopTiming,
) -> TimedBatch {
    let entered = clock::now();
    let threads = source::<B>(inputs).threads();
    with_inputs::<B, _>(inputs, spec, runs_hook, |inputs, first, before| {
        let new_inputs = inputs.len().saturating_sub(first).min(spec.calls);
        let batch = Batch::new(inputs, first, spec.calls, threads);
        let prepared = memory::live_bytes();
        stage::enter(FailureStage::Function);
        let timed = timing(batch);
        let held = timed.live_after.max(prepared) - before;
        TimedBatch {
            entered,
            elapsed: timed.elapsed,
            held: held.max(0) as f64 / spec.calls as f64,
            new_inputs,
            interrupted: timed.interrupted,
        }
    })
}

/// One function for checks and for counts, so that a suite contains each measured function only twice.
fn call_untimed<B: Bound>(inputs: &mut dyn Any, spec: BatchSpec, is_hashing: bool) -> UntimedBatch {
    let threads = source::<B>(inputs).threads();
    with_inputs::<B, _>(inputs, spec, true, |inputs, first, _| {
        let batch = Batch::new(inputs, first, spec.calls, threads);
        let mut hashes = is_hashing.then(Hashes::default);
        stage::enter(FailureStage::Function);
        let counts = B::call_untimed(batch, hashes.as_mut());
        let hash = hashes.and_then(Hashes::finish).and_then(|outputs| {
            // The changes that a function makes to its input are part of its output.
            let modified = if B::Access::OWN_INPUTS { inputs } else { &mut [] };
            modified.iter().try_fold(outputs, |hashes, input| Some(combine(hashes, B::hash_input(input)?)))
        });
        UntimedBatch { counts, hash }
    })
}

/// Runs `work` on the inputs of a batch, then the `after_call` hook if `runs_hook`.
///
/// `work` also receives the index of the first call's input, and the number of live bytes excluding those that only this
/// batch holds, which are inputs of its own but not shared ones.
#[inline(always)]
fn with_inputs<B: Bound, R>(
    inputs: &mut dyn Any,
    spec: BatchSpec,
    runs_hook: bool,
    work: impl FnOnce(&mut [InputOf<B::Generator>], usize, i64) -> R,
) -> R {
    let source = source::<B>(inputs);
    let mut hook = if runs_hook { source.take_hook() } else { None };
    let result = if B::Access::OWN_INPUTS {
        let before = memory::live_bytes();
        let mut own = source.own(spec.input_set, spec.batch, spec.calls);
        let result = work(&mut own, 0, before);
        run_hook(&mut hook, &mut own, 0, spec.calls);
        result
    } else {
        let shared = source.shared(spec.input_set);
        // Each batch continues where the previous one ended.
        let first = spec.batch as usize * spec.calls;
        let result = work(shared, first, memory::live_bytes());
        run_hook(&mut hook, shared, first, spec.calls);
        result
    };
    if runs_hook {
        source.return_hook(hook);
    }
    result
}

/// The inputs with their type.
fn source<B: Bound>(inputs: &mut dyn Any) -> &mut Inputs<InputOf<B::Generator>> {
    inputs.downcast_mut().expect("a slot's functions are bound to the generator that opened it")
}

fn run_hook<I>(hook: &mut Option<Hook<I>>, inputs: &mut [I], first: usize, calls: usize) {
    if let Some(hook) = hook {
        stage::enter(FailureStage::Hook);
        let count = inputs.len();
        for call in first..first + calls {
            hook(&mut inputs[call % count]);
        }
    }
}
