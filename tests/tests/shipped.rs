//! The wasm of the demo suite, byte for byte as it is shipped: what it asks of its host, and what became of its loops.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::collections::BTreeSet;

use benchbook_tests::suites::demo;
use benchbook_tests::wasm::WasmModule;
use benchbook_tests::weight;
use wasmparser::{ElementItems, ExternalKind, FunctionBody, Operator, Parser, Payload, TypeRef};

#[test]
fn it_imports_two_functions_and_exports_three_and_the_memory() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = Shipped::read(&wasm);
    assert_eq!(shipped.imports, ["function benchbook.now", "function benchbook.send"]);
    assert_eq!(
        shipped.exports,
        ["Func benchbook_handle", "Func benchbook_protocol", "Func benchbook_receive", "Func main", "Memory memory"],
        "`main` is what a binary crate has, and does nothing"
    );
}

#[test]
fn it_holds_nothing_of_wasm_bindgen() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = Shipped::read(&wasm);
    assert!(!shipped.sections.iter().any(|name| name.contains("bindgen")), "{:?}", shipped.sections);
    for name in [&b"wasm_bindgen"[..], b"wasm-bindgen", b"wbindgen"] {
        assert!(!wasm.windows(name.len()).any(|bytes| bytes == name), "{}", String::from_utf8_lossy(name));
    }
}

#[test]
fn it_is_small() {
    let compressed = weight::file(&demo().unwrap().module).unwrap();
    assert!(compressed < weight::MOST_OF_SUITE, "{compressed} bytes compressed");
}

/// A browser replaces a function's first, slow code by good code only when the function is entered again. So each batch
/// has to enter its timed loop anew: the function that reads the clock, loops over calls and reads the clock again is
/// one that is called through a pointer. Then no optimiser knows who calls it, and none can move it into the loop over
/// batches. What was moved there shows as two readings with a whole loop between them, all within another loop.
#[test]
fn each_batch_enters_its_timed_loop_anew() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = Shipped::read(&wasm);
    for function in &shipped.functions {
        assert!(!function.times_in_a_loop, "function {} times batch after batch in one call of it", function.index);
    }
    let only_pointed_to = |function: &&Function| {
        shipped.pointed_to.contains(&function.index) && !shipped.called.contains(&function.index)
    };
    let timed = shipped.functions.iter().filter(|function| function.times_a_loop).filter(only_pointed_to).count();

    // One for each function that is measured here, one at least for empty loops, one for the reference kernel. The
    // bindings of a function to several generators of one type have the same code, which the optimiser keeps once.
    let suite = WasmModule::new(&wasm).unwrap().describe().unwrap();
    let measured = suite.functions.iter().filter(|function| !function.native).count();
    assert!(timed >= measured + 2, "{timed} timed loops that are called through a pointer, {measured} functions");
}

/// What the tests look at.
#[derive(Default)]
struct Shipped {
    imports: Vec<String>,
    exports: Vec<String>,
    /// Names of custom sections.
    sections: Vec<String>,
    functions: Vec<Function>,
    /// Functions that stand in a table.
    pointed_to: BTreeSet<u32>,
    /// Functions that another calls by name.
    called: BTreeSet<u32>,
}

/// A function of the module.
#[derive(Default)]
struct Function {
    index: u32,
    /// Whether it reads the clock, loops, and reads the clock again.
    times_a_loop: bool,
    /// Whether it does so within a loop.
    times_in_a_loop: bool,
}

impl Shipped {
    fn read(wasm: &[u8]) -> Self {
        let mut shipped = Self::default();
        let mut next = 0;
        let mut clock = None;
        for payload in Parser::new(0).parse_all(wasm) {
            match payload.unwrap() {
                Payload::ImportSection(section) => {
                    for import in section.into_imports().map(Result::unwrap) {
                        if matches!(import.ty, TypeRef::Func(_)) {
                            if import.name == "now" {
                                clock = Some(next);
                            }
                            next += 1;
                            shipped.imports.push(format!("function {}.{}", import.module, import.name));
                        } else {
                            shipped.imports.push(format!("{:?} {}.{}", import.ty, import.module, import.name));
                        }
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section.into_iter().map(Result::unwrap) {
                        // What a linker says of the layout is no function.
                        if export.kind != ExternalKind::Global {
                            shipped.exports.push(format!("{:?} {}", export.kind, export.name));
                        }
                    }
                }
                Payload::ElementSection(section) => {
                    for element in section.into_iter().map(Result::unwrap) {
                        if let ElementItems::Functions(functions) = element.items {
                            shipped.pointed_to.extend(functions.into_iter().map(Result::unwrap));
                        }
                    }
                }
                Payload::CustomSection(section) => shipped.sections.push(section.name().to_owned()),
                Payload::CodeSectionEntry(body) => {
                    let clock = clock.expect("the clock is imported");
                    let (function, calls) = read_function(next, &body, clock);
                    shipped.functions.push(function);
                    shipped.called.extend(calls);
                    next += 1;
                }
                _ => {}
            }
        }
        shipped.imports.sort();
        shipped.exports.sort();
        shipped
    }
}

/// The function, and which others it calls.
fn read_function(index: u32, body: &FunctionBody<'_>, clock: u32) -> (Function, BTreeSet<u32>) {
    let mut function = Function { index, ..Function::default() };
    let mut called = BTreeSet::new();
    // The open blocks: for a loop the number of readings when it began.
    let mut blocks: Vec<Option<u32>> = Vec::new();
    let mut readings = 0;
    // Whether a whole loop was passed since the last reading.
    let mut looped = false;
    // How many loops were open at the last reading, and are still.
    let mut around = 0;
    for operator in body.get_operators_reader().unwrap().into_iter().map(Result::unwrap) {
        match operator {
            Operator::Loop { .. } => blocks.push(Some(readings)),
            Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => blocks.push(None),
            Operator::End => {
                if let Some(Some(began)) = blocks.pop() {
                    looped |= readings > 0 && began == readings;
                    around = around.min(loops(&blocks));
                }
            }
            Operator::Call { function_index } if function_index == clock => {
                function.times_a_loop |= looped;
                function.times_in_a_loop |= looped && around > 0;
                readings += 1;
                looped = false;
                around = loops(&blocks);
            }
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                called.insert(function_index);
            }
            _ => {}
        }
    }
    (function, called)
}

fn loops(blocks: &[Option<u32>]) -> usize {
    blocks.iter().flatten().count()
}
