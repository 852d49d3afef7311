//! Counting by the calls that led to a function.

use benchbook_instrument::{
    AllocationOperation, CONTEXT_GLOBALS, CodeMap, Context, ContextReading, Instrumented, Options, instrument_contexts,
};
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

    fn reading(&self) -> ContextReading {
        let Extern::Memory(memory) = self.export("memory") else { panic!() };
        let globals = CONTEXT_GLOBALS.map(|name| {
            let Extern::Global(global) = self.export(name) else { panic!() };
            global.get(&self.running.store).i32().unwrap() as u32
        });
        let bytes = memory.data(&self.running.store)[globals[0] as usize..globals[2] as usize].to_vec();
        ContextReading { globals, bytes }
    }

    fn export(&self, name: &str) -> Extern {
        let exports = self.running.exports();
        exports.iter().find(|(own, _)| own == name).map(|(_, export)| *export).unwrap()
    }

    fn contexts(&self) -> Vec<Context> {
        self.reading().contexts(&self.map).unwrap()
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
fn bytes_are_counted_where_they_are_copied() {
    let mut profiled = Profiled::start(
        r#"(module (memory (export "memory") 1)
            (func $leaf (param i32) (memory.fill (i32.const 0) (i32.const 7) (local.get 0)) (memory.copy (i32.const 9) (i32.const 0) (local.get 0)))
            (func $one (export "one") (call $leaf (i32.const 5)) (drop (memory.grow (i32.const 1))) (call $leaf (i32.const 10)))
            (func $other (export "other") (call $leaf (i32.const 100))))"#,
    );
    profiled.running.call("one", &[]).unwrap();
    profiled.running.call("other", &[]).unwrap();
    let contexts = profiled.contexts();
    let copied: Vec<(Option<usize>, Vec<u64>)> =
        contexts.iter().map(|context| (context.parent, context.copied.clone())).collect();
    // Each of its two calls of `leaf` has a context. Pages are not bytes.
    let expected =
        [(None, vec![]), (Some(0), vec![5, 5]), (Some(0), vec![10, 10]), (None, vec![]), (Some(3), vec![100, 100])];
    assert_eq!(copied, expected);
}

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

/// An allocator whose addresses are 100 more than the sizes. `dealloc` has lost a parameter, as compilers remove those without a use.
#[test]
fn what_the_allocator_does_in_counted_calls_is_written_down() {
    let wat = r#"(module (memory (export "memory") 1)
        (func $benchbook_suite::memory::begin_call (param i32))
        (func $benchbook_suite::memory::end_call nop)
        (func $ALLOCATORalloc (param i32 i32) (result i32) (i32.add (local.get 1) (i32.const 100)))
        (func $ALLOCATORrealloc (param i32 i32 i32 i32) (result i32) (i32.add (local.get 3) (i32.const 100)))
        (func $ALLOCATORdealloc (param i32 i32))
        (func $work (param i32)
            (drop (call $ALLOCATORrealloc (call $ALLOCATORalloc (i32.const 8) (local.get 0)) (i32.const 8) (local.get 0) (i32.const 40)))
            (call $ALLOCATORdealloc (i32.const 140) (i32.const 40)))
        (func $run (export "run")
            (call $work (i32.const 1))
            (call $benchbook_suite::memory::begin_call (i32.const 500))
            (call $work (i32.const 16))
            (call $benchbook_suite::memory::end_call)
            (call $work (i32.const 2))))"#;
    let allocator =
        r#""<benchbook_suite::entry::allocator::BoundedAllocator<A> as core::alloc::global::GlobalAlloc>::"#;
    let mut wat = wat.to_owned();
    for method in ["alloc", "realloc", "dealloc"] {
        wat = wat.replace(&format!("$ALLOCATOR{method} "), &format!("${allocator}{method}\" "));
    }
    let mut profiled = Profiled::start(&wat);
    profiled.running.call("run", &[]).unwrap();
    let events = profiled.reading().allocations().unwrap();
    let contexts = profiled.contexts();
    let caller = |address: u32| {
        let context = contexts.iter().find(|context| context.address == address).unwrap();
        let function = contexts[context.parent.unwrap()].function as usize;
        profiled.map.strings[profiled.map.functions[function].name as usize].as_str()
    };
    let shown: Vec<_> = events
        .iter()
        .map(|event| {
            let sizes = [event.old_size, event.size];
            (event.operation, caller(event.context), sizes, event.parameters, event.result)
        })
        .collect();
    use AllocationOperation::{Allocate, Call, Reallocate, Release};
    let expected = [
        (Call, "run", [0, 500], [500, 0], 0),
        (Allocate, "work", [8, 16], [8, 16], 116),
        (Reallocate, "work", [16, 40], [116, 8], 140),
        (Release, "work", [140, 40], [140, 40], 0),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_module_without_memory_has_no_place_for_contexts() {
    let module = wat::parse_str("(module (func))").unwrap();
    let error = instrument_contexts(&module, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("no memory"), "{error}");
}
