//! Executes the counting modules of suites in an interpreter.

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, Open, PROTOCOL, SuiteMessage};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{
    ALLOCATIONS, AllocationEvent, AllocationOperation, CODE_MAP_SECTION, CONTEXTS, CodeMap, Context, ContextMemory,
    STACK_POINTER, memory_by_context, read_allocations, read_contexts,
};
use serde::{Deserialize, Serialize};
use wasmi::{Caller, CompilationMode, Config, Engine, Extern, Instance, Linker, Memory, Module, Store, TypedFunc, Val};

use crate::counting::{Clock, CountFailure, CountSession, Step, StepOutcome, counts};
use crate::layout::Layout;

/// The counting module of a suite, ready to be executed.
#[derive(Debug)]
pub struct Interpreter {
    engine: Engine,
    module: Module,
    map: CodeMap,
}

/// What the imports of an instance use.
#[derive(Debug, Default)]
struct HostState {
    /// The exports that return the counters, with the number that each returns.
    exports: Vec<(String, usize)>,
    /// The map of a module that counts by context.
    map: Option<CodeMap>,
    sent: Vec<Vec<u8>>,
    clock: Clock,
    /// The number of readings of the clock since the message.
    readings: u32,
    /// All counters at each reading of the clock at which they were to be read.
    counters: Vec<Vec<u64>>,
    /// The contexts when the counters were read last, if the module counts by context.
    contexts: Vec<Context>,
}

/// What calls execute in each context, without the loop around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextCounts {
    /// The number of counted calls.
    pub calls: u64,
    /// All contexts of the suite, those of the loop and of other work included; a caller comes before those that it called.
    pub contexts: Vec<Context>,
    /// How often each block of a context was executed, in the order of the contexts and of [`Context::blocks`]. Signed, as
    /// [`WasmInstructions`] are.
    pub blocks: Vec<Vec<i64>>,
    /// What the allocator did in calls with the same inputs, by its own contexts.
    pub memory: Vec<ContextMemory>,
}

/// A running instance.
struct Running {
    store: Store<HostState>,
    instance: Instance,
    memory: Memory,
    receive: TypedFunc<u32, u32>,
    handle: TypedFunc<u32, ()>,
}

impl Interpreter {
    /// `module`: the contents of a file such as `sorts.counted.wasm`.
    ///
    /// # Errors
    /// If it is not a counting module, or from another version.
    pub fn new(module: &[u8]) -> Result<Self> {
        let mut config = Config::default();
        // A count needs a small part of the code.
        config.compilation_mode(CompilationMode::Lazy);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, module).context("the module is invalid")?;
        let section = module.custom_sections().find(|section| section.name() == CODE_MAP_SECTION);
        let map = CodeMap::from_bytes(section.context("the module does not count: it has no code map")?.data())?;
        Ok(Self { engine, module, map })
    }

    /// The names of its functions, also of those that are only inlined: demangled, without their hashes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let frames = self.map.frames.iter().map(|frame| frame.function);
        let names = frames.chain(self.map.functions.iter().map(|function| function.name));
        names.map(|name| self.map.strings[name as usize].as_str())
    }

    /// Counts the calls of the only function of `open` in two instances, whose heap and stack are at different addresses.
    pub fn count(&self, open: &Open) -> WasmCounts {
        let [usual, shifted] = Layout::BOTH.map(|layout| self.instructions(open, layout));
        counts(usual, shifted)
    }

    /// Counts the calls of the only function of `open` by context, if the module does so.
    ///
    /// # Errors
    /// If the suite cannot be started, fails, or ends.
    pub fn count_contexts(&self, open: &Open) -> Result<ContextCounts, CountFailure> {
        let mut running = self.start(Layout::Usual).map_err(|error| CountFailure::Failed(format!("{error:#}")))?;
        let mut session = CountSession::by_context(&self.map, open.clone());
        while let Some(step) = session.step() {
            session.observe(running.handle(&step));
        }
        let counters = session.counters()?;
        let mut rest = counters.get(self.map.counters()..).unwrap_or_default();
        let mut blocks = Vec::new();
        for context in &running.store.data().contexts {
            let (own, others) = rest.split_at(context.blocks.len().min(rest.len()));
            blocks.push(own.to_vec());
            rest = others;
        }
        let failed = |error| CountFailure::Failed(format!("{error:#}"));
        let allocations = running.allocations(open.slot, &session).map_err(failed)?;
        let memory = memory_by_context(&allocations);
        let contexts = running.contexts(&self.map).map_err(failed)?;
        blocks.resize(contexts.len(), Vec::new());
        Ok(ContextCounts { calls: session.calls(), contexts, blocks, memory })
    }

    /// What its counters count.
    pub fn map(&self) -> &CodeMap {
        &self.map
    }

    /// Counts them in one instance.
    ///
    /// # Errors
    /// If the suite cannot be started, fails, or ends.
    fn instructions(&self, open: &Open, layout: Layout) -> Result<WasmInstructions, CountFailure> {
        let mut running = self.start(layout).map_err(|error| CountFailure::Failed(format!("{error:#}")))?;
        let mut session = CountSession::new(&self.map, open.clone());
        while let Some(step) = session.step() {
            session.observe(running.handle(&step));
        }
        session.instructions()
    }

    fn start(&self, layout: Layout) -> Result<Running> {
        let counts_contexts = self.module.get_export(CONTEXTS).is_some();
        let exports = if counts_contexts { Vec::new() } else { self.map.exports().collect() };
        let map = counts_contexts.then(|| self.map.clone());
        let mut store = Store::new(&self.engine, HostState { exports, map, ..HostState::default() });
        let mut linker = <Linker<HostState>>::new(&self.engine);
        linker.func_wrap("benchbook", "now", now)?;
        linker.func_wrap("benchbook", "send", send)?;
        let instance = linker.instantiate_and_start(&mut store, &self.module)?;
        let memory = instance.get_memory(&store, "memory").context("the module exports no `memory`")?;
        memory.grow(&mut store, u64::from(layout.pages())).map_err(|_| anyhow!("the memory cannot grow"))?;
        lower_stack(&mut store, &instance, layout)?;
        let protocol = instance.get_typed_func::<(), u32>(&store, "benchbook_protocol")?.call(&mut store, ())?;
        ensure!(
            protocol == PROTOCOL,
            "the module uses version {protocol} of the contract; this build requires {PROTOCOL}"
        );
        Ok(Running {
            memory,
            instance,
            receive: instance.get_typed_func(&store, "benchbook_receive")?,
            handle: instance.get_typed_func(&store, "benchbook_handle")?,
            store,
        })
    }
}

fn lower_stack(store: &mut Store<HostState>, instance: &Instance, layout: Layout) -> Result<()> {
    let Some(pointer) = instance.get_global(&*store, STACK_POINTER) else { return Ok(()) };
    let address = pointer.get(&*store).i32().context("the stack pointer is no address")?;
    pointer
        .set(store, Val::I32(address.wrapping_sub(layout.stack_bytes() as i32)))
        .context("the stack pointer is constant")
}

impl Running {
    fn handle(&mut self, step: &Step) -> StepOutcome {
        let state = self.store.data_mut();
        (state.clock, state.readings) = (step.clock, 0);
        let message = serde_json::to_string(&step.message).expect("messages are valid JSON (this is a bug)");
        let ended = self.send(&message);
        let state = self.store.data_mut();
        let counters = std::mem::take(&mut state.counters);
        let reply = state.sent.drain(..).next_back();
        let reply = reply.and_then(|reply| serde_json::from_slice::<SuiteMessage>(&reply).ok());
        match (reply, ended) {
            (Some(reply @ SuiteMessage::Failed(_)), _) | (Some(reply), Ok(())) => {
                StepOutcome::Replied(Box::new(reply), counters)
            }
            (None, Ok(())) => StepOutcome::Ended("the suite sent no reply".to_owned()),
            (_, Err(error)) => StepOutcome::Ended(format!("the suite ended: {error:#}")),
        }
    }

    /// What the allocator does in the counted calls.
    fn allocations(&mut self, slot: u32, session: &CountSession<'_>) -> Result<Vec<AllocationEvent>> {
        let (target, calls) = (LaneTarget::Count(0), session.uncounted_calls() + session.calls());
        let message = HostMessage::Collect(Collect { slot, target, calls, batches: 1, input_set: 0 });
        let step = Step { message, clock: Clock::default() };
        // The first calls may allocate what later ones reuse.
        let earlier = self.handled(&step).and_then(|()| self.events())?.len();
        self.handled(&step)?;
        let mut events = self.events()?.split_off(earlier);
        let begins = |(_, event): &(usize, &AllocationEvent)| event.operation == AllocationOperation::Call;
        let starts: Vec<usize> = events.iter().enumerate().filter(begins).map(|(index, _)| index).collect();
        let start = |call: u64| starts.get(call as usize).copied().unwrap_or(events.len());
        // Afterwards, the suite tests whether its allocator counts.
        let counted = start(session.uncounted_calls())..start(calls);
        events.truncate(counted.end);
        Ok(events.split_off(counted.start))
    }

    /// All contexts so far.
    fn contexts(&self, map: &CodeMap) -> Result<Vec<Context>> {
        Ok(read_contexts(map, self.memory.data(&self.store), self.list(CONTEXTS)?)?)
    }

    /// Handles a message whose reply says nothing new.
    fn handled(&mut self, step: &Step) -> Result<()> {
        match self.handle(step) {
            StepOutcome::Replied(reply, _) => match *reply {
                SuiteMessage::Failed(failed) => bail!("{}", failed.reason),
                _ => Ok(()),
            },
            StepOutcome::Ended(reason) => bail!("{reason}"),
        }
    }

    fn events(&self) -> Result<Vec<AllocationEvent>> {
        Ok(read_allocations(self.memory.data(&self.store), self.list(ALLOCATIONS)?)?)
    }

    fn list(&self, name: &str) -> Result<u32> {
        let list = self.instance.get_global(&self.store, name).and_then(|list| list.get(&self.store).i32());
        list.map(i32::cast_unsigned).with_context(|| format!("the module exports no `{name}`"))
    }

    fn send(&mut self, message: &str) -> Result<()> {
        let length = u32::try_from(message.len())?;
        let address = self.receive.call(&mut self.store, length)?;
        self.memory.write(&mut self.store, address as usize, message.as_bytes())?;
        Ok(self.handle.call(&mut self.store, length)?)
    }
}

/// The host's `now`.
fn now(mut caller: Caller<'_, HostState>) -> Result<f64, wasmi::Error> {
    let state = caller.data_mut();
    let (number, clock) = (state.readings, state.clock);
    state.readings += 1;
    if clock.reads_counters(number) {
        let counters = counters(&mut caller)?;
        caller.data_mut().counters.push(counters);
    }
    Ok(clock.read(number))
}

/// All counters: those of the map, and then those of each context. Reading them does not change them.
fn counters(caller: &mut Caller<'_, HostState>) -> Result<Vec<u64>, wasmi::Error> {
    if let Some(map) = caller.data_mut().map.take() {
        let counters = counters_by_context(caller, &map);
        caller.data_mut().map = Some(map);
        return counters;
    }
    let exports = std::mem::take(&mut caller.data_mut().exports);
    let mut counters = Vec::new();
    for (name, count) in &exports {
        let Some(Extern::Func(read)) = caller.get_export(name) else {
            return Err(wasmi::Error::new(format!("the module exports no `{name}`")));
        };
        let mut results = vec![Val::I64(0); *count];
        read.call(&mut *caller, &[], &mut results)?;
        counters.extend(results.iter().filter_map(|counter| Some(counter.i64()? as u64)));
    }
    caller.data_mut().exports = exports;
    Ok(counters)
}

fn counters_by_context(caller: &mut Caller<'_, HostState>, map: &CodeMap) -> Result<Vec<u64>, wasmi::Error> {
    let (Some(Extern::Global(list)), Some(Extern::Memory(memory))) =
        (caller.get_export(CONTEXTS), caller.get_export("memory"))
    else {
        return Err(wasmi::Error::new(format!("the module exports no `{CONTEXTS}` or no `memory`")));
    };
    let list = list.get(&*caller).i32().unwrap_or_default().cast_unsigned();
    let contexts =
        read_contexts(map, memory.data(&*caller), list).map_err(|error| wasmi::Error::new(error.to_string()))?;
    let mut counters = vec![0; map.counters()];
    let first_blocks = map.first_blocks();
    for context in &contexts {
        let of_map = &mut counters[first_blocks[context.function as usize]..];
        of_map.iter_mut().zip(&context.blocks).for_each(|(sum, times)| *sum += times);
    }
    counters.extend(contexts.iter().flat_map(|context| &context.blocks));
    caller.data_mut().contexts = contexts;
    Ok(counters)
}

/// The host's `send`, which copies the message.
fn send(mut caller: Caller<'_, HostState>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let message = memory.data(&caller).get(start as usize..).and_then(|rest| rest.get(..length as usize));
    let message = message.ok_or_else(|| wasmi::Error::new("a message outside of the memory"))?.to_vec();
    caller.data_mut().sent.push(message);
    Ok(())
}
