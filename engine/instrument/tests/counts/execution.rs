//! Modules without imports, in an interpreter.

use benchbook_instrument::{BulkKind, Class, CodeMap, Instrumented, Operators, Options, instrument};
use wasmi::{Config, Engine, Extern, Instance, Module, Store, StoreLimits, StoreLimitsBuilder, Val};

/// Memories and tables do not grow further.
const MAX_MEMORY_BYTES: usize = 1 << 25;
const MAX_TABLE_ELEMENTS: usize = 1_000;

/// An instance of a module.
pub struct Running {
    pub store: Store<StoreLimits>,
    instance: Instance,
}

/// What a call returned, or why it trapped.
pub type Outcome = Result<Vec<Val>, String>;

impl Running {
    /// Instantiates a module, or returns why that trapped.
    pub fn start(module: &[u8]) -> Result<Self, String> {
        let mut config = Config::default();
        // Instrumented functions need more stack. No test recurses deeply enough to exceed this.
        config.set_max_stack_height(1 << 24).set_max_recursion_depth(10_000);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, module).expect("the module is valid");
        let limits = StoreLimitsBuilder::new().memory_size(MAX_MEMORY_BYTES).table_elements(MAX_TABLE_ELEMENTS).build();
        let mut store = Store::new(&engine, limits);
        store.limiter(|limits| limits);
        let instance = Instance::new(&mut store, &module, &[]).map_err(|error| reason(&error))?;
        Ok(Self { store, instance })
    }

    /// Calls an exported function.
    pub fn call(&mut self, name: &str, arguments: &[Val]) -> Outcome {
        let function = self.instance.get_func(&self.store, name).expect("the function is exported");
        let mut results: Vec<Val> = function.ty(&self.store).results().iter().map(|ty| Val::default(*ty)).collect();
        function.call(&mut self.store, arguments, &mut results).map_err(|error| reason(&error))?;
        Ok(results)
    }

    pub fn exports(&self) -> Vec<(String, Extern)> {
        self.instance.exports(&self.store).map(|export| (export.name().to_owned(), export.into_extern())).collect()
    }

    /// All counters, in the order of the map.
    pub fn counters(&mut self, map: &CodeMap) -> Vec<u64> {
        let mut counters = Vec::new();
        for (name, number) in map.exports() {
            let results = self.call(&name, &[]).expect("reading counters does not trap");
            assert_eq!(results.len(), number, "{name}");
            counters.extend(results.iter().map(|counter| counter.i64().expect("a counter is an integer") as u64));
        }
        assert_eq!(counters.len(), map.counters());
        counters
    }
}

fn reason(error: &wasmi::Error) -> String {
    error.as_trap_code().map_or_else(|| error.to_string(), |trap| format!("{trap:?}"))
}

/// What a run of the function `run` executed.
pub struct Counted {
    pub outcome: Outcome,
    pub map: CodeMap,
    pub counters: Vec<u64>,
}

/// Calls the exported function `run` of a module in the text format.
pub fn count(wat: &str, arguments: &[i32]) -> Counted {
    let module = wat::parse_str(wat).expect("the text is wasm");
    let Instrumented { module, map } = instrument(&module, &Options::default()).expect("the module can be counted");
    let mut running = Running::start(&module).expect("the module starts");
    let arguments: Vec<Val> = arguments.iter().map(|argument| Val::I32(*argument)).collect();
    let outcome = running.call("run", &arguments);
    let counters = running.counters(&map);
    Counted { outcome, map, counters }
}

impl Counted {
    pub fn operators(&self) -> Operators {
        self.map.operators(&self.counters)
    }

    /// The classes that were executed, with their counts.
    pub fn classes(&self) -> Vec<(Class, u64)> {
        let operators = self.operators();
        Class::ALL.into_iter().map(|class| (class, operators[class])).filter(|(_, count)| *count > 0).collect()
    }

    pub fn amount(&self, kind: BulkKind) -> u64 {
        self.map.amount(kind, &self.counters)
    }

    /// The only result, an `i32`.
    pub fn result(&self) -> i32 {
        match self.outcome.as_deref() {
            Ok([Val::I32(result)]) => *result,
            other => panic!("not an i32: {other:?}"),
        }
    }
}
