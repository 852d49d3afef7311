//! Timing ranges of calls, with a clock that shows how much work was done.

use benchbook_instrument::{
    EXECUTED_GLOBALS, InstrumentError, ListedCall, Options, RANGES_SECTION, RangeMap, TimedPart, range_module,
};
use wasmi::{Caller, Engine, Extern, Instance, Linker, Module, Store, Val};
use wasmparser::{Parser, Payload};

/// `measured` does 5 itself. It calls `leaf`, then `bridge`, which does 3 and calls `leaf` as often as its parameter says, and at last through the table. If its
/// parameter is 7, it calls itself with 1.
const SUITE: &str = r#"
(module
  (import "benchbook" "now" (func $now (result f64)))
  (import "test" "work" (func $work (param i32)))
  (memory (export "memory") 1)
  (table 2 2 funcref)
  (elem (i32.const 1) $leaf)
  (type $leaf (func (param i32)))
  (func $leaf (param i32) (call $work (local.get 0)))
  (func $bridge (param i32) (local $number i32)
    (call $work (i32.const 3))
    (loop $next
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (call $leaf (i32.mul (local.get $number) (i32.const 10)))
      (br_if $next (i32.lt_u (local.get $number) (local.get 0))))
    (call_indirect (type $leaf) (i32.const 1000) (i32.const 1)))
  (func $measured (param i32)
    (call $work (i32.const 5))
    (call $leaf (i32.const 1))
    (call $bridge (local.get 0))
    (if (i32.eq (local.get 0) (i32.const 7)) (then (call $measured (i32.const 1)))))
  (func (export "batch") (param i32) (result f64) (local f64)
    (local.set 1 (call $now))
    (call $measured (local.get 0))
    (f64.sub (call $now) (local.get 1))))
"#;

struct Suite {
    store: Store<f64>,
    instance: Instance,
    map: RangeMap,
}

impl Suite {
    fn start(wat: &str) -> Self {
        let module = wat::parse_str(wat).unwrap();
        let module = range_module(&module, &Options::default(), &|name| name == "measured").unwrap();
        let section = Parser::new(0).parse_all(&module).find_map(|payload| match payload.unwrap() {
            Payload::CustomSection(section) if section.name() == RANGES_SECTION => Some(section.data().to_vec()),
            _ => None,
        });
        let map = RangeMap::from_bytes(&section.unwrap()).unwrap();
        let engine = Engine::default();
        let mut linker = Linker::new(&engine);
        linker.func_wrap("benchbook", "now", |caller: Caller<'_, f64>| *caller.data()).unwrap();
        linker
            .func_wrap("test", "work", |mut caller: Caller<'_, f64>, amount: i32| {
                *caller.data_mut() += f64::from(amount);
            })
            .unwrap();
        let mut store = Store::new(&engine, 0.0);
        let instance = linker.instantiate_and_start(&mut store, &Module::new(&engine, &module).unwrap()).unwrap();
        Self { store, instance, map }
    }

    /// The time of a batch.
    fn batch(&mut self, part: &TimedPart, parameter: i32) -> f64 {
        for (name, value) in part.globals().unwrap() {
            let global = self.instance.get_global(&self.store, &name).unwrap();
            global.set(&mut self.store, Val::I32(value as i32)).unwrap();
        }
        let batch = self.instance.get_typed_func::<i32, f64>(&self.store, "batch").unwrap();
        batch.call(&mut self.store, parameter).unwrap()
    }

    fn time(&mut self, entered: &[u32], calls: std::ops::Range<u32>, parameter: i32) -> f64 {
        self.batch(&TimedPart::Calls(entered.to_vec(), calls), parameter)
    }

    /// The functions that a layer calls.
    fn listed(&mut self, entered: &[u32], parameter: i32) -> Vec<String> {
        self.batch(&TimedPart::Listed(entered.to_vec()), parameter);
        let [executed, list] = EXECUTED_GLOBALS
            .map(|name| self.instance.get_global(&self.store, name).unwrap().get(&self.store).i32().unwrap() as usize);
        let Some(Extern::Memory(memory)) = self.instance.get_export(&self.store, "memory") else { panic!() };
        let bytes = memory.data(&self.store)[list..list + 8 * executed].chunks_exact(4);
        let values: Vec<u32> = bytes.map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
        let called = |pair: &[u32]| self.map.called(ListedCall { site: pair[0], slot: pair[1] }).unwrap().name.clone();
        values.chunks_exact(2).map(called).collect()
    }
}

#[test]
fn executed_calls_are_listed_layer_by_layer() {
    let mut suite = Suite::start(SUITE);
    assert_eq!(suite.listed(&[], 2), ["work", "leaf", "bridge"]);
    assert_eq!(suite.listed(&[2], 2), ["work", "leaf", "leaf", "leaf"]);
    assert_eq!(suite.listed(&[2], 1), ["work", "leaf", "leaf"]);
    assert_eq!(suite.listed(&[2, 3], 2), ["work"], "it was called through the table");
    // Its own calls are not those of the outer one.
    assert_eq!(suite.listed(&[], 7), ["work", "leaf", "bridge", "measured"]);
    assert_eq!(suite.listed(&[3], 7), ["work", "leaf", "bridge"]);
    assert_eq!(suite.listed(&[3, 2], 7), ["work", "leaf", "leaf"]);
}

#[test]
fn ranges_are_timed_whatever_their_layer() {
    let mut suite = Suite::start(SUITE);
    let bridge = 3.0 + 10.0 + 20.0 + 1_000.0;
    assert_eq!(suite.batch(&TimedPart::Batch, 2), 5.0 + 1.0 + bridge);
    let table: [(&[u32], _, _); 9] = [
        (&[], 0..3, 6.0 + bridge),
        (&[], 0..1, 5.0),
        (&[], 1..2, 1.0),
        (&[], 1..3, 1.0 + bridge),
        (&[], 2..3, bridge),
        (&[2], 1..3, 30.0),
        (&[2], 2..3, 20.0),
        (&[2], 2..4, 1_020.0),
        (&[2, 3], 0..1, 1_000.0),
    ];
    for (entered, calls, expected) in table.clone() {
        assert_eq!(suite.time(entered, calls.clone(), 2), expected, "{entered:?}, {calls:?}");
        // Each batch begins again.
        assert_eq!(suite.time(entered, calls, 2), expected);
    }
    assert_eq!(suite.batch(&TimedPart::Batch, 2), 6.0 + bridge);
    assert_eq!(suite.time(&[3], 0..2, 7), 6.0);
}

#[test]
fn what_cannot_be_timed_is_an_error() {
    let ranges = |wat: &str| range_module(&wat::parse_str(wat).unwrap(), &Options::default(), &|_| true);
    assert!(matches!(ranges("(module (memory 1))"), Err(InstrumentError::NoClock)));
    assert!(matches!(ranges("(module)"), Err(InstrumentError::NoMemory)));
    let exported = SUITE.replace(r#"(export "batch")"#, r#"(export "benchbook_range_mode")"#);
    assert!(matches!(ranges(&exported), Err(InstrumentError::ExportExists(_))));
    assert_eq!(TimedPart::Listed(vec![0; 9]).globals(), None);
}

#[test]
fn the_map_names_the_functions_in_the_code_of_others() {
    let map = Suite::start(SUITE).map;
    assert_eq!(map.measured, ["measured"]);
    let parts: Vec<_> =
        map.functions.iter().map(|function| (function.parts.join(", "), function.is_imported)).collect();
    let own = |name: &str| (name.to_owned(), false);
    let imported = || (String::new(), true);
    assert_eq!(parts, [imported(), imported(), own("leaf"), own("bridge"), own("measured"), own("function 5")]);
}
