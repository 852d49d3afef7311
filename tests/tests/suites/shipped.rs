//! The demo suite's wasm, byte for byte as shipped: its imports and exports, its size, and its timed loops.

use std::collections::BTreeSet;

use benchbook_tests::suites::demo;
use benchbook_tests::wasm::WasmModule;
use benchbook_tests::weight;
use wasmparser::{ElementItems, ExternalKind, FunctionBody, Operator, Parser, Payload, TypeRef};

#[test]
fn imports_two_functions_and_exports_three_and_the_memory() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = ShippedModule::read(&wasm);
    assert_eq!(shipped.imports, ["function benchbook.now", "function benchbook.send"]);
    assert_eq!(
        shipped.exports,
        ["Func benchbook_handle", "Func benchbook_protocol", "Func benchbook_receive", "Func main", "Memory memory"],
        "`main` is the empty entry point of a binary crate"
    );
}

#[test]
fn contains_no_wasm_bindgen() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = ShippedModule::read(&wasm);
    assert!(!shipped.sections.iter().any(|name| name.contains("bindgen")), "{:?}", shipped.sections);
    for name in [&b"wasm_bindgen"[..], b"wasm-bindgen", b"wbindgen"] {
        assert!(!wasm.windows(name.len()).any(|bytes| bytes == name), "{}", String::from_utf8_lossy(name));
    }
}

#[test]
fn is_within_its_size_limit() {
    let compressed = weight::file(&demo().unwrap().module).unwrap();
    assert!(compressed < weight::MAX_SUITE_BYTES, "{compressed} bytes compressed");
}

#[test]
fn programs_contain_the_page_without_our_suites() {
    let files = benchbook_page::files();
    let index = String::from_utf8_lossy(&files["index.html"]);
    let (module, bytes) = files.iter().find(|(path, _)| path.ends_with("_bg.wasm")).expect("the code of the page");
    assert!(index.contains(module.as_str()) && bytes.starts_with(b"\0asm"), "{module}");
    let worker = String::from_utf8_lossy(&files["isolation-worker.js"]);
    for path in files.keys() {
        assert!(!path.starts_with("suites/demo") && !path.starts_with("notebooks/"), "{path}");
        assert!(
            worker.contains(path.as_str())
                || ["index.html", "isolation-worker.js", "notebook.json", "suites/ladder.wasm"]
                    .contains(&path.as_str()),
            "{path}"
        );
    }
    assert_eq!(&*files["notebook.json"], b"{ \"suites\": [] }\n");
}

/// A browser replaces the slow code of a function by optimised code only when the function is entered again, so each
/// batch must enter its timed loop through a call. The function that reads the clock before and after the loop is
/// called by pointer, which prevents the optimiser from inlining it into the loop over batches. Inlined code would show
/// as two clock readings with a loop in between, all within another loop.
#[test]
fn each_batch_reenters_its_timed_loop() {
    let wasm = demo().unwrap().wasm().unwrap();
    let shipped = ShippedModule::read(&wasm);
    for function in &shipped.functions {
        assert!(!function.times_in_a_loop, "function {} times several batches in one call", function.index);
    }
    let only_pointed_to = |function: &&Function| {
        shipped.pointed_to.contains(&function.index) && !shipped.called.contains(&function.index)
    };
    let timed = shipped.functions.iter().filter(|function| function.times_a_loop).filter(only_pointed_to).count();

    // One per measured function, at least one for empty loops, and one for the reference kernel. If several generators
    // have the same type, the optimiser merges the bindings of a function.
    let suite = WasmModule::new(&wasm).unwrap().describe().unwrap();
    let measured = suite.functions.iter().filter(|function| !function.native).count();
    assert!(timed >= measured + 2, "{timed} timed loops that are called by pointer, {measured} functions");
}

/// The relevant contents of a module.
#[derive(Default)]
struct ShippedModule {
    imports: Vec<String>,
    exports: Vec<String>,
    /// The names of custom sections.
    sections: Vec<String>,
    functions: Vec<Function>,
    /// Functions in a table.
    pointed_to: BTreeSet<u32>,
    /// Functions that are called directly.
    called: BTreeSet<u32>,
}

/// A function of the module.
#[derive(Default)]
struct Function {
    index: u32,
    /// Whether it reads the clock before and after a loop.
    times_a_loop: bool,
    /// Whether it does so within another loop.
    times_in_a_loop: bool,
}

impl ShippedModule {
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
                        // The linker's globals describe the memory layout.
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

/// Analyses a function. Also returns the functions that it calls.
fn read_function(index: u32, body: &FunctionBody<'_>, clock: u32) -> (Function, BTreeSet<u32>) {
    let mut function = Function { index, ..Function::default() };
    let mut called = BTreeSet::new();
    // The open blocks. For a loop, the number of clock readings before it.
    let mut blocks: Vec<Option<u32>> = Vec::new();
    let mut readings = 0;
    // Whether a complete loop follows the last reading.
    let mut looped = false;
    // The number of loops around the last reading that are still open.
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
