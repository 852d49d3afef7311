//! Counting by the calls that led to a function.

use benchbook_instrument::{CONTEXTS, CodeMap, Context, Instrumented, Options, instrument_contexts, read_contexts};
use wasmi::Extern;

use crate::execution::Running;

struct Profiled {
    running: Running,
    map: CodeMap,
}

impl Profiled {
    fn start(wat: &str) -> Self {
        let module = wat::parse_str(wat).unwrap();
        let Instrumented { module, map } = instrument_contexts(&module, &Options::default()).unwrap();
        Self { running: Running::start(&module).unwrap(), map }
    }

    fn contexts(&self) -> Vec<Context> {
        let exports = self.running.exports();
        let export = |name: &str| exports.iter().find(|(own, _)| own == name).map(|(_, export)| *export).unwrap();
        let (Extern::Memory(memory), Extern::Global(list)) = (export("memory"), export(CONTEXTS)) else { panic!() };
        let list = list.get(&self.running.store).i32().unwrap();
        read_contexts(&self.map, memory.data(&self.running.store), list as u32).unwrap()
    }

    /// Each context as the names of its functions, with its calls and its cost, in the order of the names.
    fn shown(&self) -> Vec<(String, u64, u64)> {
        let contexts = self.contexts();
        let name = |context: &Context| {
            let function = &self.map.functions[context.function as usize];
            self.map.strings[function.name as usize].clone()
        };
        let path = |context: &Context| {
            let ancestors = std::iter::successors(Some(context), |context| Some(&contexts[context.parent?]));
            let mut names: Vec<String> = ancestors.map(name).collect();
            names.reverse();
            names.join(" ")
        };
        let cost = |context: &Context| {
            let mut blocks = self.map.blocks.iter().filter(|block| block.function == context.function);
            context.blocks.iter().map(|times| times * blocks.next().unwrap().operators.cost()).sum()
        };
        let mut shown: Vec<_> =
            contexts.iter().map(|context| (path(context), context.blocks[0], cost(context))).collect();
        shown.sort();
        shown
    }
}

fn of(path: &str, calls: u64, cost: u64) -> (String, u64, u64) {
    (path.to_owned(), calls, cost)
}

/// Each function costs its entry, and an operator each.
#[test]
fn a_function_is_counted_for_each_of_its_callers() {
    let mut profiled = Profiled::start(
        r#"(module (memory (export "memory") 1) (table funcref (elem $leaf $middle))
            (func $leaf nop)
            (func $middle call $leaf call $leaf)
            (func $run (export "run") (param i32)
                call $middle
                call $leaf
                local.get 0
                call_indirect))"#,
    );
    assert_eq!(profiled.shown(), []);
    profiled.running.call("run", &[wasmi::Val::I32(0)]).unwrap();
    let first = [
        of("run", 1, 5),
        of("run leaf", 1, 1),
        of("run leaf", 1, 1),
        of("run middle", 1, 3),
        of("run middle leaf", 1, 1),
        of("run middle leaf", 1, 1),
    ];
    assert_eq!(profiled.shown(), first);
    // Another target of the same call has a context of its own.
    profiled.running.call("run", &[wasmi::Val::I32(1)]).unwrap();
    let shown = profiled.shown();
    assert_eq!(shown[0], of("run", 2, 10));
    assert_eq!(
        shown.iter().filter(|(path, ..)| path == "run middle").collect::<Vec<_>>(),
        [&of("run middle", 1, 3), &of("run middle", 2, 6)]
    );
}

/// A recursion of any depth has a context for each function of its chain, and all costs.
#[test]
fn recursive_calls_count_where_the_function_was_entered_first() {
    let mut profiled = Profiled::start(
        r#"(module (memory (export "memory") 1)
            (func $even (export "even") (param i32)
                (if (local.get 0) (then (call $odd (i32.sub (local.get 0) (i32.const 1))))))
            (func $odd (param i32)
                (if (local.get 0) (then (call $even (i32.sub (local.get 0) (i32.const 1)))))))"#,
    );
    profiled.running.call("even", &[wasmi::Val::I32(9)]).unwrap();
    // An exported function begins again when it is called within the module, as if the host had called it.
    let shown = profiled.shown();
    assert_eq!(shown.iter().map(|(.., cost)| cost).sum::<u64>(), 10 * 3 + 9 * 4);
    assert_eq!(shown, [of("even", 5, 5 * 7), of("even odd", 5, 4 * 7 + 3)]);
}

#[test]
fn a_module_without_memory_has_no_place_for_contexts() {
    let module = wat::parse_str("(module (func))").unwrap();
    let error = instrument_contexts(&module, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("no memory"), "{error}");
}
