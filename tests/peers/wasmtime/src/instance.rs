//! Executes suites in wasmtime.

use anyhow::{Context, Result, ensure};
use benchbook_contract::protocol::{PROTOCOL, SuiteMessage};
use benchbook_count::{Clock, Step, StepOutcome};
use wasmtime::{AsContextMut, Caller, Config, Engine, Extern, Func, Linker, Memory, Module, Store, TypedFunc, Val};

/// The fuel of an instance: as much as wasmtime counts in one register.
pub(crate) const FUEL: u64 = i64::MAX as u64;

/// What tells how much an instance has executed.
pub enum Meter {
    /// wasmtime's fuel.
    Fuel,
    /// These exported functions, with the number of counters that each returns.
    Counters(Vec<(String, usize)>),
}

/// A compiled module of a suite.
pub struct SuiteModule {
    engine: Engine,
    module: Module,
    meter: Meter,
}

/// What the imports of an instance use.
#[derive(Default)]
struct HostState {
    /// The functions that return the counters, with the number that each returns; none if fuel is consumed.
    counters: Vec<(Func, usize)>,
    sent: Vec<Vec<u8>>,
    clock: Clock,
    /// The number of readings of the clock since the message.
    readings: u32,
    /// The meter at each reading of the clock at which it was to be read.
    at_readings: Vec<Vec<u64>>,
}

/// A running instance.
pub struct Running {
    store: Store<HostState>,
    memory: Memory,
    receive: TypedFunc<u32, u32>,
    handle: TypedFunc<u32, ()>,
}

/// What an instance did with a message.
pub struct Handled {
    /// Its reply, with the meter at the requested readings of the clock.
    pub outcome: StepOutcome,
    /// The number of readings of the clock.
    pub readings: u32,
}

impl SuiteModule {
    /// Compiles a module.
    pub fn new(wasm: &[u8], meter: Meter) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(matches!(meter, Meter::Fuel));
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, wasm)?;
        Ok(Self { engine, module, meter })
    }

    /// Starts an instance.
    pub fn start(&self) -> Result<Running> {
        let mut store = Store::new(&self.engine, HostState::default());
        if matches!(self.meter, Meter::Fuel) {
            store.set_fuel(FUEL)?;
        }
        let mut linker = Linker::new(&self.engine);
        linker.func_wrap("benchbook", "now", now)?;
        linker.func_wrap("benchbook", "send", send)?;
        let instance = linker.instantiate(&mut store, &self.module)?;
        if let Meter::Counters(exports) = &self.meter {
            for (name, count) in exports {
                let read = instance.get_func(&mut store, name).with_context(|| format!("there is no `{name}`"))?;
                store.data_mut().counters.push((read, *count));
            }
        }
        let protocol = instance.get_typed_func::<(), u32>(&mut store, "benchbook_protocol")?.call(&mut store, ())?;
        ensure!(protocol == PROTOCOL, "unsupported protocol {protocol}");
        Ok(Running {
            memory: instance.get_memory(&mut store, "memory").context("the module exports no `memory`")?,
            receive: instance.get_typed_func(&mut store, "benchbook_receive")?,
            handle: instance.get_typed_func(&mut store, "benchbook_handle")?,
            store,
        })
    }
}

impl Running {
    /// The meter.
    pub fn executed(&mut self) -> Result<Vec<u64>> {
        Ok(read(&mut self.store)?)
    }

    /// Sends a message, and reads the meter meanwhile.
    pub fn handle(&mut self, step: &Step) -> Result<Handled> {
        let state = self.store.data_mut();
        (state.clock, state.readings) = (step.clock, 0);
        let message = serde_json::to_string(&step.message)?;
        let ended = self.send(&message);
        let state = self.store.data_mut();
        let at_readings = std::mem::take(&mut state.at_readings);
        let reply = state.sent.drain(..).next_back();
        let reply = reply.and_then(|reply| serde_json::from_slice::<SuiteMessage>(&reply).ok());
        let outcome = match (reply, ended) {
            (Some(SuiteMessage::Failed(failed)), _) => StepOutcome::Ended(failed.reason),
            (Some(reply), Ok(())) => StepOutcome::Replied(Box::new(reply), at_readings),
            (None, Ok(())) => StepOutcome::Ended("the suite sent no reply".to_owned()),
            (_, Err(error)) => StepOutcome::Ended(format!("the suite ended: {error:#}")),
        };
        Ok(Handled { outcome, readings: state.readings })
    }

    fn send(&mut self, message: &str) -> Result<()> {
        let length = u32::try_from(message.len())?;
        let address = self.receive.call(&mut self.store, length)?;
        self.memory.write(&mut self.store, address as usize, message.as_bytes())?;
        Ok(self.handle.call(&mut self.store, length)?)
    }
}

/// All counters, or the consumed fuel alone. Reading them does not change them.
///
/// wasmtime 48 takes a millisecond for each thousand results of a function.
fn read(mut store: impl AsContextMut<Data = HostState>) -> wasmtime::Result<Vec<u64>> {
    let mut context = store.as_context_mut();
    let counters = std::mem::take(&mut context.data_mut().counters);
    if counters.is_empty() {
        return Ok(vec![FUEL - context.get_fuel()?]);
    }
    let mut values = Vec::new();
    for (read, count) in &counters {
        let mut results = vec![Val::I64(0); *count];
        read.call(&mut context, &[], &mut results)?;
        values.extend(results.iter().filter_map(|counter| Some(counter.i64()? as u64)));
    }
    context.data_mut().counters = counters;
    Ok(values)
}

/// The host's `now`.
fn now(mut caller: Caller<'_, HostState>) -> wasmtime::Result<f64> {
    let state = caller.data_mut();
    let (number, clock) = (state.readings, state.clock);
    state.readings += 1;
    if clock.reads_counters(number) {
        let values = read(&mut caller)?;
        caller.data_mut().at_readings.push(values);
    }
    Ok(clock.read(number))
}

/// The host's `send`, which copies the message.
fn send(mut caller: Caller<'_, HostState>, start: u32, length: u32) -> wasmtime::Result<()> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmtime::Error::msg("the module exports no `memory`"));
    };
    let message = memory.data(&caller).get(start as usize..).and_then(|rest| rest.get(..length as usize));
    let message = message.ok_or_else(|| wasmtime::Error::msg("a message outside of the memory"))?.to_vec();
    caller.data_mut().sent.push(message);
    Ok(())
}
