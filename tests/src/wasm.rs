//! A host for wasm suites in an interpreter. Its clock counts instructions, one nanosecond each, so times and timeouts
//! are identical in every run.

use anyhow::{Context, Result, anyhow, ensure};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::quality::Quality;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{ClockCard, Point};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use wasmi::{Caller, Config, Engine, Extern, Linker, Memory, Module, Store, TrapCode, TypedFunc};

/// The clock's resolution in nanoseconds, as in an isolated page.
const RESOLUTION: u64 = 5_000;

/// The limit for messages without a timeout, in instructions (10 s).
const TIMEOUT: u64 = 10_000_000_000;

/// A compiled module, which starts instances quickly.
pub struct WasmModule {
    engine: Engine,
    module: Module,
}

/// A running instance.
pub struct WasmSuite {
    store: Store<WasmHostState>,
    memory: Memory,
    receive: TypedFunc<u32, u32>,
    handle: TypedFunc<u32, ()>,
}

/// The abnormal end of an instance.
#[derive(Debug, PartialEq, Eq)]
pub enum Termination {
    /// The instance trapped; the interpreter's message.
    Trapped(String),
    /// The instance exceeded its instructions.
    OutOfTime,
}

/// The state that the instance's imports access.
#[derive(Default)]
struct WasmHostState {
    sent: Vec<String>,
    /// Instructions executed before the current message.
    spent: u64,
    /// The limit for the current message, in instructions.
    given: u64,
}

impl WasmModule {
    /// Compiles a module.
    pub fn new(wasm: &[u8]) -> Result<Self> {
        let mut config = Config::default();
        config.consume_fuel(true);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, wasm).context("invalid module")?;
        Ok(Self { engine, module })
    }

    /// Starts an instance.
    pub fn start(&self) -> Result<WasmSuite> {
        let mut store = Store::new(&self.engine, WasmHostState { given: TIMEOUT, ..WasmHostState::default() });
        store.set_fuel(TIMEOUT)?;
        let mut linker = <Linker<WasmHostState>>::new(&self.engine);
        linker.func_wrap("benchbook", "now", now)?;
        linker.func_wrap("benchbook", "send", send)?;
        let instance = linker.instantiate_and_start(&mut store, &self.module)?;
        let protocol = instance.get_typed_func::<(), u32>(&store, "benchbook_protocol")?.call(&mut store, ())?;
        ensure!(protocol == PROTOCOL, "unsupported protocol {protocol}");
        Ok(WasmSuite {
            memory: instance.get_memory(&store, "memory").context("the module exports no `memory`")?,
            receive: instance.get_typed_func(&store, "benchbook_receive")?,
            handle: instance.get_typed_func(&store, "benchbook_handle")?,
            store,
        })
    }

    /// Requests the catalog from a new instance, and again as the page does if a part of the program fails. The error contains the reason
    /// of a suite that cannot describe itself.
    pub fn describe(&self) -> Result<Suite> {
        let mut without = Vec::new();
        loop {
            match self.request(&HostMessage::describe(&without))? {
                SuiteMessage::Catalog { suite, .. } => return Ok(suite),
                SuiteMessage::Failed(failed) if failed.omit(&mut without) => {}
                SuiteMessage::Failed(failed) => return Err(anyhow!(failed.reason)),
                other => return Err(anyhow!("not a catalog: {other:?}")),
            }
        }
    }

    /// Measures a request as the page does: an instance that traps or times out is replaced, and the measurement
    /// continues.
    pub fn measure(&self, request: Request, quality: Quality) -> Result<Vec<Point>> {
        let plan = Plan::new(&self.describe()?, request).map_err(|problems| anyhow!("{problems:?}"))?;
        let clock = match self.request(&HostMessage::Collect(ClockCard::request()))? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            other => return Err(anyhow!("no samples of the clock: {other:?}")),
        };
        let clock = clock.context("the suite's clock does not advance")?;
        let mut measurement = Measurement::new(MeasurementSettings::new(plan, quality, clock));
        let mut suite = self.start()?;
        loop {
            let messages = measurement.messages();
            ensure!(
                !messages.is_empty() || measurement.is_done(),
                "the measurement is stuck without a message to send"
            );
            for message in messages {
                let patience = (measurement.timeout_ms() * 1e6) as u64;
                let (replies, termination) = suite.send_within(&serde_json::to_string(&message)?, patience);
                for reply in replies {
                    measurement.handle_reply(serde_json::from_str(&reply)?);
                }
                if let Some(termination) = termination {
                    measurement.handle_exit(&match termination {
                        Termination::Trapped(trap) => Ending::Died(trap),
                        Termination::OutOfTime => Ending::TimedOut(measurement.timeout_ms() as u32),
                    });
                    suite = self.start()?;
                    // The replies to the remaining messages are lost with the instance.
                    break;
                }
            }
            if measurement.is_done() {
                return Ok(measurement.into_points());
            }
        }
    }

    fn request(&self, message: &HostMessage) -> Result<SuiteMessage> {
        let (replies, termination) = self.start()?.send(&serde_json::to_string(message)?);
        ensure!(replies.len() == 1, "expected one reply: {replies:?}, {termination:?}");
        let reply = serde_json::from_str(&replies[0])?;
        let is_failed = matches!(reply, SuiteMessage::Failed(_));
        ensure!(is_failed || termination.is_none(), "it ended after {reply:?}: {termination:?}");
        Ok(reply)
    }
}

impl WasmSuite {
    /// Delivers a message. Returns the replies and, if the instance ended, how.
    pub fn send(&mut self, message: &str) -> (Vec<String>, Option<Termination>) {
        self.send_within(message, TIMEOUT)
    }

    /// As [`WasmSuite::send`], with a limit in instructions.
    fn send_within(&mut self, message: &str, instructions: u64) -> (Vec<String>, Option<Termination>) {
        let result = self.deliver(message, instructions);
        let termination = result.err().map(|error| match error.as_trap_code() {
            Some(TrapCode::OutOfFuel) => Termination::OutOfTime,
            _ => Termination::Trapped(error.to_string()),
        });
        (std::mem::take(&mut self.store.data_mut().sent), termination)
    }

    fn deliver(&mut self, message: &str, instructions: u64) -> Result<(), wasmi::Error> {
        let left = self.store.get_fuel()?;
        let host = self.store.data_mut();
        host.spent += host.given - left;
        host.given = instructions;
        self.store.set_fuel(instructions)?;
        let length = message.len() as u32;
        let room = self.receive.call(&mut self.store, length)?;
        self.memory.write(&mut self.store, room as usize, message.as_bytes())?;
        self.handle.call(&mut self.store, length)
    }
}

/// The import `now`: the time in milliseconds.
fn now(caller: Caller<'_, WasmHostState>) -> Result<f64, wasmi::Error> {
    let host = caller.data();
    let nanos = host.spent + host.given - caller.get_fuel()?;
    Ok((nanos - nanos % RESOLUTION) as f64 / 1e6)
}

/// The import `send`: stores a copy of the message.
fn send(mut caller: Caller<'_, WasmHostState>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let mut message = vec![0; length as usize];
    memory.read(&caller, start as usize, &mut message)?;
    let message = String::from_utf8(message).map_err(|_| wasmi::Error::new("a message is UTF-8"))?;
    caller.data_mut().sent.push(message);
    Ok(())
}

/// The contents of a custom section of a module.
pub fn custom_section(module: &[u8], name: &str) -> Option<Vec<u8>> {
    let module = Module::new(&Engine::default(), module).ok()?;
    module.custom_sections().find(|section| section.name() == name).map(|section| section.data().to_vec())
}
