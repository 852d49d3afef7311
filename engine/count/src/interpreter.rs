//! Executes the counting modules of suites in an interpreter.

use std::cell::OnceCell;

use anyhow::{Context as _, Result, anyhow, ensure};
use benchbook_contract::protocol::{Open, PROTOCOL, SuiteMessage};
use benchbook_host::response::{WasmCounts, WasmInstructions};
use benchbook_instrument::{
    CODE_MAP_SECTION, CONTEXT_GLOBALS, CONTEXTS_SECTION, CodeMap, ContextCounts, ContextReading, STACK_POINTER,
};
use wasmi::{
    AsContextMut, Caller, CompilationMode, Config, Engine, Extern, Func, Global, Instance, Linker, Memory, Module,
    Store, TypedFunc, Val,
};

use crate::contexts::ContextSession;
use crate::counting::{Clock, CountFailure, CountSession, Rounds, Step, StepOutcome, counts};
use crate::layout::Layout;

/// The counting module of a suite, ready to be executed.
#[derive(Debug)]
pub struct Interpreter {
    engine: Engine,
    module: Module,
    map: CodeMap,
    /// The module that counts by context, once it was needed.
    by_context: OnceCell<Module>,
}

/// What is read of an instance's counters at once.
trait Reading: Sized + 'static {
    /// The exports that it is read from.
    type Source: Clone;

    /// Those of an instance. `map`: that of its module.
    fn source(instance: &Instance, store: &Store<HostState<Self>>, map: &CodeMap) -> Result<Self::Source>;

    /// Reads it, which changes no counter.
    fn read(source: &Self::Source, store: impl AsContextMut<Data = HostState<Self>>) -> Result<Self, wasmi::Error>;
}

/// What the imports of an instance use.
struct HostState<R: Reading> {
    /// Absent until the module is instantiated.
    source: Option<R::Source>,
    sent: Vec<Vec<u8>>,
    clock: Clock,
    /// The number of readings of the clock since the message.
    clock_readings: u32,
    /// What was read of the counters since the message.
    readings: Vec<R>,
}

/// All counters.
impl Reading for Vec<u64> {
    /// The functions that return them, with the number that each returns.
    type Source = Vec<(Func, usize)>;

    fn source(instance: &Instance, store: &Store<HostState<Self>>, map: &CodeMap) -> Result<Self::Source> {
        let function = |(name, count): (String, usize)| {
            let function = instance.get_func(store, &name);
            Ok((function.with_context(|| format!("the module exports no `{name}`"))?, count))
        };
        map.exports().map(function).collect()
    }

    fn read(source: &Self::Source, mut store: impl AsContextMut<Data = HostState<Self>>) -> Result<Self, wasmi::Error> {
        let mut counters = Vec::new();
        for (function, count) in source {
            let mut results = vec![Val::I64(0); *count];
            function.call(&mut store, &[], &mut results)?;
            counters.extend(results.iter().filter_map(|counter| Some(counter.i64()? as u64)));
        }
        Ok(counters)
    }
}

impl Reading for ContextReading {
    type Source = (Memory, [Global; 3]);

    fn source(instance: &Instance, store: &Store<HostState<Self>>, _: &CodeMap) -> Result<Self::Source> {
        let missing = || format!("the module exports no `memory` or none of {}", CONTEXT_GLOBALS.join(", "));
        let [contexts, allocations, end] = CONTEXT_GLOBALS.map(|name| instance.get_global(store, name));
        let globals =
            contexts.zip(allocations).zip(end).map(|((contexts, allocations), end)| [contexts, allocations, end]);
        instance.get_memory(store, "memory").zip(globals).with_context(missing)
    }

    fn read(
        (memory, globals): &Self::Source,
        store: impl AsContextMut<Data = HostState<Self>>,
    ) -> Result<Self, wasmi::Error> {
        let globals = globals.map(|global| global.get(&store).i32().unwrap_or_default().cast_unsigned());
        let [start, _, end] = globals.map(|address| address as usize);
        let bytes = memory.data(&store).get(start..end).unwrap_or_default().to_vec();
        Ok(Self { globals, bytes })
    }
}

/// A running instance.
struct Running<R: Reading> {
    store: Store<HostState<R>>,
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
        Ok(Self { engine, module, map, by_context: OnceCell::new() })
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

    /// Counts the calls of the only function of `open` by context.
    ///
    /// # Errors
    /// If the suite cannot be started, fails, or ends.
    pub fn count_contexts(&self, open: &Open, rounds: Rounds) -> Result<ContextCounts, CountFailure> {
        let start = || <Running<ContextReading>>::start(&self.engine, self.by_context()?, &self.map, Layout::Usual);
        let mut running = start().map_err(|error| CountFailure::Failed(format!("{error:#}")))?;
        let mut session = ContextSession::new(&self.map, open.clone(), rounds);
        while let Some(step) = session.step() {
            session.observe(running.handle(&step));
        }
        session.counts()
    }

    fn by_context(&self) -> Result<&Module> {
        if let Some(module) = self.by_context.get() {
            return Ok(module);
        }
        let section = self.module.custom_sections().find(|section| section.name() == CONTEXTS_SECTION);
        let section = section.context("the counting module does not count by context. Build the suite again")?;
        let module = Module::new(&self.engine, section.data()).context("the module is invalid")?;
        Ok(self.by_context.get_or_init(|| module))
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
        let running = <Running<Vec<u64>>>::start(&self.engine, &self.module, &self.map, layout);
        let mut running = running.map_err(|error| CountFailure::Failed(format!("{error:#}")))?;
        let mut session = CountSession::new(&self.map, open.clone());
        while let Some(step) = session.step() {
            session.observe(running.handle(&step));
        }
        session.instructions()
    }
}

fn lower_stack<R: Reading>(store: &mut Store<HostState<R>>, instance: &Instance, layout: Layout) -> Result<()> {
    let Some(pointer) = instance.get_global(&*store, STACK_POINTER) else { return Ok(()) };
    let address = pointer.get(&*store).i32().context("the stack pointer is no address")?;
    pointer
        .set(store, Val::I32(address.wrapping_sub(layout.stack_bytes() as i32)))
        .context("the stack pointer is constant")
}

impl<R: Reading> Running<R> {
    fn start(engine: &Engine, module: &Module, map: &CodeMap, layout: Layout) -> Result<Self> {
        let clock = Clock::default();
        let state = HostState { source: None, sent: Vec::new(), clock, clock_readings: 0, readings: Vec::new() };
        let mut store = Store::new(engine, state);
        let mut linker = <Linker<HostState<R>>>::new(engine);
        linker.func_wrap("benchbook", "now", now)?;
        linker.func_wrap("benchbook", "send", send)?;
        let instance = linker.instantiate_and_start(&mut store, module)?;
        let memory = instance.get_memory(&store, "memory").context("the module exports no `memory`")?;
        memory.grow(&mut store, u64::from(layout.pages())).map_err(|_| anyhow!("the memory cannot grow"))?;
        lower_stack(&mut store, &instance, layout)?;
        store.data_mut().source = Some(R::source(&instance, &store, map)?);
        let protocol = instance.get_typed_func::<(), u32>(&store, "benchbook_protocol")?.call(&mut store, ())?;
        ensure!(
            protocol == PROTOCOL,
            "the module uses version {protocol} of the contract; this build requires {PROTOCOL}"
        );
        Ok(Self {
            memory,
            receive: instance.get_typed_func(&store, "benchbook_receive")?,
            handle: instance.get_typed_func(&store, "benchbook_handle")?,
            store,
        })
    }

    fn handle(&mut self, step: &Step) -> StepOutcome<R> {
        let state = self.store.data_mut();
        (state.clock, state.clock_readings) = (step.clock, 0);
        let message = serde_json::to_string(&step.message).expect("messages are valid JSON (this is a bug)");
        let ended = self.send(&message);
        let state = self.store.data_mut();
        let readings = std::mem::take(&mut state.readings);
        let reply = state.sent.drain(..).next_back();
        let reply = reply.and_then(|reply| serde_json::from_slice::<SuiteMessage>(&reply).ok());
        match (reply, ended) {
            (Some(reply @ SuiteMessage::Failed(_)), _) | (Some(reply), Ok(())) => {
                StepOutcome::Replied(Box::new(reply), readings)
            }
            (None, Ok(())) => StepOutcome::Ended("the suite sent no reply".to_owned()),
            (_, Err(error)) => StepOutcome::Ended(format!("the suite ended: {error:#}")),
        }
    }

    fn send(&mut self, message: &str) -> Result<()> {
        let length = u32::try_from(message.len())?;
        let address = self.receive.call(&mut self.store, length)?;
        self.memory.write(&mut self.store, address as usize, message.as_bytes())?;
        self.handle.call(&mut self.store, length)?;
        if self.store.data().clock == Clock::ReadAtEnd {
            read(&mut self.store)?;
        }
        Ok(())
    }
}

/// The host's `now`.
fn now<R: Reading>(mut caller: Caller<'_, HostState<R>>) -> Result<f64, wasmi::Error> {
    let state = caller.data_mut();
    let (number, clock) = (state.clock_readings, state.clock);
    state.clock_readings += 1;
    if clock.reads_counters(number) {
        read(&mut caller)?;
    }
    Ok(clock.read(number))
}

fn read<R: Reading>(mut store: impl AsContextMut<Data = HostState<R>>) -> Result<(), wasmi::Error> {
    let source = store.as_context().data().source.clone();
    let source = source.ok_or_else(|| wasmi::Error::new("the module is not instantiated"))?;
    let reading = R::read(&source, &mut store)?;
    store.as_context_mut().data_mut().readings.push(reading);
    Ok(())
}

/// The host's `send`, which copies the message.
fn send<R: Reading>(mut caller: Caller<'_, HostState<R>>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let message = memory.data(&caller).get(start as usize..).and_then(|rest| rest.get(..length as usize));
    let message = message.ok_or_else(|| wasmi::Error::new("a message outside of the memory"))?.to_vec();
    caller.data_mut().sent.push(message);
    Ok(())
}
