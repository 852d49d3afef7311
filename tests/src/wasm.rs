//! The host of a wasm suite, as the page's worker is one, but in an interpreter and with a clock that counts
//! instructions: each takes a nanosecond. So every run of a test sees the same times, and a time-out is exact.

use anyhow::{Context, Result, anyhow, ensure};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::quality::Quality;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::Point;
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::Measurement;
use wasmi::{Caller, Config, Engine, Extern, Linker, Memory, Module, Store, TrapCode, TypedFunc};

/// The step of the clock in nanoseconds: that of a browser in an isolated page.
const RESOLUTION: u64 = 5_000;

/// Instructions for describing, opening and the like, where no time-out is set: they take 10 s.
const PATIENCE: u64 = 10_000_000_000;

/// A compiled module, from which suites can be started at once.
pub struct WasmModule {
    engine: Engine,
    module: Module,
}

/// A running instance.
pub struct WasmSuite {
    store: Store<Host>,
    memory: Memory,
    receive: TypedFunc<u32, u32>,
    handle: TypedFunc<u32, ()>,
}

/// How an instance ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Death {
    /// It trapped; what the interpreter says of it.
    Trapped(String),
    /// It went on for longer than it was given.
    OutOfTime,
}

/// What the instance's imports work on.
#[derive(Default)]
struct Host {
    sent: Vec<String>,
    /// Instructions before the message at work.
    spent: u64,
    /// Instructions that the message at work may take.
    given: u64,
}

impl WasmModule {
    /// Compiles a module.
    ///
    /// # Errors
    /// Where it isn't valid.
    pub fn new(wasm: &[u8]) -> Result<Self> {
        let mut config = Config::default();
        config.consume_fuel(true);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, wasm).context("the module is not valid")?;
        Ok(Self { engine, module })
    }

    /// Starts an instance.
    ///
    /// # Errors
    /// Where it doesn't keep to the contract.
    pub fn start(&self) -> Result<WasmSuite> {
        let mut store = Store::new(&self.engine, Host { given: PATIENCE, ..Host::default() });
        store.set_fuel(PATIENCE)?;
        let mut linker = <Linker<Host>>::new(&self.engine);
        linker.func_wrap("benchbook", "now", now)?;
        linker.func_wrap("benchbook", "send", send)?;
        let instance = linker.instantiate_and_start(&mut store, &self.module)?;
        let protocol = instance.get_typed_func::<(), u32>(&store, "benchbook_protocol")?.call(&mut store, ())?;
        ensure!(protocol == PROTOCOL, "it speaks protocol {protocol}");
        Ok(WasmSuite {
            memory: instance.get_memory(&store, "memory").context("it exports no `memory`")?,
            receive: instance.get_typed_func(&store, "benchbook_receive")?,
            handle: instance.get_typed_func(&store, "benchbook_handle")?,
            store,
        })
    }

    /// Asks a fresh instance for its catalog.
    ///
    /// # Errors
    /// Where it refuses: its reason.
    pub fn describe(&self) -> Result<Suite> {
        match self.ask(&HostMessage::Describe { protocol: PROTOCOL })? {
            SuiteMessage::Catalog { suite, .. } => Ok(suite),
            SuiteMessage::Failed(failed) => Err(anyhow!(failed.reason)),
            other => Err(anyhow!("it answered {other:?}")),
        }
    }

    /// Measures a request as a page does: what dies or takes too long is replaced, and the rest goes on.
    ///
    /// # Errors
    /// Where the request doesn't fit, or the suite doesn't keep to the contract.
    pub fn measure(&self, request: Request, quality: Quality) -> Result<Vec<Point>> {
        let plan = Plan::new(&self.describe()?, request).map_err(|problems| anyhow!("{problems:?}"))?;
        let clock = match self.ask(&HostMessage::Collect(ClockCard::order()))? {
            SuiteMessage::Samples(samples) => ClockCard::from_steps(&samples),
            other => return Err(anyhow!("it answered {other:?} to the clock")),
        };
        let mut measurement = Measurement::new(plan, quality, clock.context("its clock stands still")?);
        let mut suite = self.start()?;
        loop {
            let messages = measurement.messages();
            ensure!(!messages.is_empty() || measurement.is_done(), "it waits for an answer that does not come");
            for message in messages {
                let patience = (measurement.timeout_ms() * 1e6) as u64;
                let (answers, death) = suite.tell_within(&serde_json::to_string(&message)?, patience);
                for answer in answers {
                    measurement.answer(serde_json::from_str(&answer)?);
                }
                if let Some(death) = death {
                    measurement.ended(&match death {
                        Death::Trapped(trap) => Ending::Died(trap),
                        Death::OutOfTime => Ending::TimedOut(measurement.timeout_ms() as u32),
                    });
                    suite = self.start()?;
                    // What was told after that message is lost with the instance.
                    break;
                }
            }
            if measurement.is_done() {
                return Ok(measurement.into_points());
            }
        }
    }

    fn ask(&self, message: &HostMessage) -> Result<SuiteMessage> {
        let (answers, death) = self.start()?.tell(&serde_json::to_string(message)?);
        ensure!(death.is_none() && answers.len() == 1, "it answered {answers:?}, {death:?}");
        Ok(serde_json::from_str(&answers[0])?)
    }
}

impl WasmSuite {
    /// Hands over a message; what is sent meanwhile comes back, and how the instance ended, if it did.
    pub fn tell(&mut self, message: &str) -> (Vec<String>, Option<Death>) {
        self.tell_within(message, PATIENCE)
    }

    /// The same, within so many instructions.
    fn tell_within(&mut self, message: &str, instructions: u64) -> (Vec<String>, Option<Death>) {
        let told = self.hand_over(message, instructions);
        let death = told.err().map(|error| match error.as_trap_code() {
            Some(TrapCode::OutOfFuel) => Death::OutOfTime,
            _ => Death::Trapped(error.to_string()),
        });
        (std::mem::take(&mut self.store.data_mut().sent), death)
    }

    fn hand_over(&mut self, message: &str, instructions: u64) -> Result<(), wasmi::Error> {
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

/// The import `now`: milliseconds.
fn now(caller: Caller<'_, Host>) -> Result<f64, wasmi::Error> {
    let host = caller.data();
    let nanos = host.spent + host.given - caller.get_fuel()?;
    Ok((nanos - nanos % RESOLUTION) as f64 / 1e6)
}

/// The import `send`: keeps a copy of the message.
fn send(mut caller: Caller<'_, Host>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let mut message = vec![0; length as usize];
    memory.read(&caller, start as usize, &mut message)?;
    let message = String::from_utf8(message).map_err(|_| wasmi::Error::new("a message is UTF-8"))?;
    caller.data_mut().sent.push(message);
    Ok(())
}
