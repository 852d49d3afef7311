//! Random modules: those that count compute the same, and their counts equal the fuel of the original.

use anyhow::{Context, Result, bail, ensure};
use benchbook_instrument::{BulkKind, CodeMap, Instrumented, Options, instrument};
use wasmtime::{
    Config, Engine, Extern, Func, Instance, Module, OptLevel, Store, StoreLimits, StoreLimitsBuilder, Trap, Val,
};

use crate::counted::Counted;
use crate::instance::FUEL;
use crate::random_module::random_module;

/// Memories and tables do not grow further.
const MAX_MEMORY_BYTES: usize = 1 << 20;
const MAX_TABLE_ELEMENTS: usize = 1_000;

/// Compares this many modules, and prints how many calls that were.
pub fn count(modules: u64) -> Result<()> {
    let engines = [engine(true)?, engine(false)?];
    let mut total = Totals::default();
    for seed in 0..modules {
        compare(&engines, seed, &mut total).with_context(|| format!("module {seed}"))?;
    }
    let Totals { exact, instructions, growing, trapped } = total;
    println!(
        "{modules} random modules compute the same when they count. In {exact} calls with {instructions} instructions, the count equals the fuel. \
         {growing} calls grow a table, which wasmtime also charges if it fails; {trapped} calls trap."
    );
    ensure!(exact >= modules, "the modules no longer test much");
    Ok(())
}

/// The calls so far.
#[derive(Default)]
struct Totals {
    /// Those whose count equals the fuel, and their instructions.
    exact: u64,
    instructions: u64,
    /// Those that grow a table.
    growing: u64,
    trapped: u64,
}

fn engine(consumes_fuel: bool) -> Result<Engine> {
    let mut config = Config::new();
    config.consume_fuel(consumes_fuel);
    // Each function is called once, so compiling takes longest.
    config.cranelift_opt_level(OptLevel::None).parallel_compilation(false);
    // The bits of a NaN would depend on the code around the operator.
    config.cranelift_nan_canonicalization(true);
    Ok(Engine::new(&config)?)
}

/// An instance of a random module.
struct Running {
    store: Store<StoreLimits>,
    instance: Instance,
}

impl Running {
    /// Starts an instance; the trap if it does not start.
    fn start(engine: &Engine, module: &Module, consumes_fuel: bool) -> Result<Result<Self, Trap>> {
        let limits = StoreLimitsBuilder::new().memory_size(MAX_MEMORY_BYTES).table_elements(MAX_TABLE_ELEMENTS).build();
        let mut store = Store::new(engine, limits);
        store.limiter(|limits| limits);
        if consumes_fuel {
            store.set_fuel(FUEL)?;
        }
        Ok(match Instance::new(&mut store, module, &[]) {
            Ok(instance) => Ok(Self { store, instance }),
            Err(error) => Err(trap(error)?),
        })
    }

    /// What a call of an exported function returned, as text.
    fn call(&mut self, name: &str) -> Result<Result<Vec<String>, Trap>> {
        let function = self.function(name)?;
        let ty = function.ty(&self.store);
        let parameters = ty.params().map(|ty| Val::default_for_ty(&ty).context("a type without a default value"));
        let parameters = parameters.collect::<Result<Vec<Val>>>()?;
        let mut results = vec![Val::I32(0); ty.results().len()];
        Ok(match function.call(&mut self.store, &parameters, &mut results) {
            Ok(()) => Ok(results.iter().map(text).collect()),
            Err(error) => Err(trap(error)?),
        })
    }

    fn function(&mut self, name: &str) -> Result<Func> {
        self.instance.get_func(&mut self.store, name).with_context(|| format!("there is no function `{name}`"))
    }

    fn exports(&mut self) -> Vec<(String, Extern)> {
        let exports = self.instance.exports(&mut self.store);
        exports.map(|export| (export.name().to_owned(), export.into_extern())).collect()
    }

    /// The original module's globals as text, and its memories.
    fn state(&mut self) -> (Vec<String>, Vec<Vec<u8>>) {
        let (mut globals, mut memories) = (Vec::new(), Vec::new());
        for (name, export) in self.exports() {
            match export {
                Extern::Global(global) if !name.starts_with("benchbook_") => {
                    globals.push(text(&global.get(&mut self.store)))
                }
                Extern::Memory(memory) => memories.push(memory.data(&self.store).to_vec()),
                _ => {}
            }
        }
        (globals, memories)
    }

    /// All counters.
    fn counters(&mut self, map: &CodeMap) -> Result<Vec<u64>> {
        let mut counters = Vec::new();
        for (name, number) in map.exports() {
            let mut results = vec![Val::I64(0); number];
            self.function(&name)?.call(&mut self.store, &[], &mut results)?;
            counters.extend(results.iter().filter_map(|counter| Some(counter.i64()? as u64)));
        }
        Ok(counters)
    }
}

fn trap(error: wasmtime::Error) -> Result<Trap> {
    match error.downcast_ref::<Trap>() {
        Some(trap) => Ok(*trap),
        None => bail!("not a trap: {error:?}"),
    }
}

/// A value without the identity of a function, which differs between instances.
fn text(value: &Val) -> String {
    match value {
        Val::FuncRef(function) => format!("function: {}", function.is_some()),
        Val::ExternRef(reference) => format!("reference: {}", reference.is_some()),
        value => format!("{value:?}"),
    }
}

/// Calls each function of a module, in instances of its own.
fn compare([with_fuel, counting]: &[Engine; 2], seed: u64, total: &mut Totals) -> Result<()> {
    let original = random_module(seed);
    let Instrumented { module, map } = instrument(&original, &Options::default())?;
    let (original, module) = (Module::new(with_fuel, &original)?, Module::new(counting, &module)?);
    let functions: Vec<String> = original
        .exports()
        .filter(|export| export.ty().func().is_some())
        .map(|export| export.name().to_owned())
        .collect();
    for name in functions {
        let (mut plain, mut counted) =
            match (Running::start(with_fuel, &original, true)?, Running::start(counting, &module, false)?) {
                (Ok(plain), Ok(counted)) => (plain, counted),
                (Err(one), Err(other)) if one == other => continue,
                (one, other) => bail!("only one of two starts: {:?}, {:?}", one.err(), other.err()),
            };
        let before = (plain.store.get_fuel()?, counted.counters(&map)?);
        let outcome = plain.call(&name)?;
        ensure!(outcome == counted.call(&name)?, "`{name}` computes something else when it is counted");
        ensure!(plain.state() == counted.state(), "`{name}` leaves something else when it is counted");
        let counters = counted.counters(&map)?;
        let (fuel, counts) = (before.0 - plain.store.get_fuel()?, Counted::between(&map, &before.1, &counters));
        let grows_table = map.bulk.iter().any(|bulk| {
            bulk.kind == BulkKind::TableGrow && counters[bulk.block as usize] > before.1[bulk.block as usize]
        });
        if outcome.is_err() {
            total.trapped += 1;
        } else if grows_table {
            ensure!(fuel >= counts.fuel(), "`{name}`: {fuel} of fuel, not at least {}", counts.fuel());
            total.growing += 1;
        } else {
            ensure!(fuel == counts.fuel(), "`{name}`: {fuel} of fuel, {} counted", counts.fuel());
            total.exact += 1;
            total.instructions += counts.instructions;
        }
    }
    Ok(())
}
