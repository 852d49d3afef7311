//! Modules that cannot be counted, and parts that an instrumented module leaves out.

use benchbook_instrument::{
    BUILD_SECTION, InstrumentError, Options, STACK_POINTER, instrument, without_debug_information,
};
use wasmparser::{Parser, Payload};

fn error(wat: &str) -> InstrumentError {
    instrument(&wat::parse_str(wat).unwrap(), &Options::default()).unwrap_err()
}

#[test]
fn unsupported_modules_are_errors_with_advice() {
    let threads = error("(module (memory 1 1 shared))");
    assert!(matches!(&threads, InstrumentError::Module(_)), "{threads:?}");
    assert!(threads.to_string().contains("Build it for wasm32-unknown-unknown"), "{threads}");
    assert!(matches!(instrument(b"\0asm", &Options::default()), Err(InstrumentError::Module(_))));

    let module = wat::parse_str(r#"(module (func (export "run")))"#).unwrap();
    let module = instrument(&module, &Options::default()).unwrap().module;
    let again = instrument(&module, &Options::default()).unwrap_err();
    assert!(matches!(&again, InstrumentError::ExportExists(name) if name == "benchbook_counters_0"), "{again:?}");
}

#[test]
fn damaged_debug_information_is_an_error() {
    let wat = r#"(module (func) (@custom ".debug_info" (after last) "\ff\ff\ff\ff"))"#;
    assert!(matches!(error(wat), InstrumentError::DebugInformation(_)), "{:?}", error(wat));
}

#[test]
fn sections_with_offsets_of_the_code_are_left_out() {
    let wat = r#"(module (func $f)
        (@custom "producers" (after last) "\00")
        (@custom ".debug_str" (after last) "x")
        (@custom "sourceMappingURL" (after last) "x")
        (@custom "metadata.code.branch_hint" (before code) "\00"))"#;
    let module = instrument(&wat::parse_str(wat).unwrap(), &Options::default()).unwrap().module;
    let names: Vec<String> = custom_sections(&module).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["producers", "benchbook_code_map", "benchbook_build"]);
}

#[test]
fn what_is_made_of_a_module_tells_which_one_that_was() {
    let build = |module: &[u8]| {
        let sections = custom_sections(module).into_iter().filter(|(name, _)| name == BUILD_SECTION);
        let [(_, build)] = &sections.collect::<Vec<_>>()[..] else { panic!("one section") };
        build.clone()
    };
    let builds = [1, 2].map(|constant| {
        let wat = format!(r#"(module (func $named (result i32) i32.const {constant}) (@custom ".debug_str" "x"))"#);
        let module = wat::parse_str(wat).unwrap();
        let timed = build(&without_debug_information(&module).unwrap());
        assert_eq!(build(&instrument(&module, &Options::default()).unwrap().module), timed);
        timed
    });
    assert_eq!(builds[0].len(), 16);
    assert_ne!(builds[0], builds[1]);
}

fn custom_sections(module: &[u8]) -> Vec<(String, Vec<u8>)> {
    let section = |payload| match payload {
        Payload::CustomSection(section) => Some((section.name().to_owned(), section.data().to_vec())),
        _ => None,
    };
    Parser::new(0).parse_all(module).filter_map(|payload| section(payload.unwrap())).collect()
}

#[test]
fn without_debug_information_a_map_has_names() {
    let wat =
        r#"(module (import "host" "now" (func $now)) (func $_ZN4shop5price17h0123456789abcdefE call $now) (func))"#;
    // The import is never called: the module is not executed.
    let map = instrument(&wat::parse_str(wat).unwrap(), &Options::default()).unwrap().map;
    let names: Vec<_> =
        map.functions.iter().map(|function| (map.string(function.name), function.is_imported)).collect();
    assert_eq!(names, [("now", true), ("shop::price", false), ("function 2", false)]);
    assert_eq!(map.blocks.iter().map(|block| block.function).collect::<Vec<_>>(), [1, 2]);
    let frame = map.frames[map.blocks[0].runs[0].frame as usize];
    assert_eq!((map.string(frame.function), frame.file, frame.line, frame.caller), ("shop::price", None, None, None));
}

/// Hosts move the stack. A name alone makes no global a stack pointer.
#[test]
fn the_stack_pointer_is_exported_if_it_is_one() {
    for (global, expected) in [
        ("$__stack_pointer (mut i32) (i32.const 64)", true),
        ("$__stack_pointer i32 (i32.const 64)", false),
        ("$__stack_pointer (mut i64) (i64.const 64)", false),
        ("$other (mut i32) (i32.const 64)", false),
    ] {
        let wat = format!("(module (global {global}) (func))");
        let module = instrument(&wat::parse_str(wat).unwrap(), &Options::default()).unwrap().module;
        let module = wasmi::Module::new(&wasmi::Engine::default(), &module).unwrap();
        assert_eq!(module.get_export(STACK_POINTER).is_some(), expected, "{global}");
    }
    let exists = r#"(module (func) (export "benchbook_stack_pointer" (func 0)))"#;
    assert!(matches!(error(exists), InstrumentError::ExportExists(name) if name == STACK_POINTER));
}

#[test]
fn a_module_without_functions_has_no_counters() {
    let instrumented = instrument(&wat::parse_str("(module (memory 1))").unwrap(), &Options::default()).unwrap();
    assert_eq!(instrumented.map.exports().count(), 0);
    assert!(instrumented.module.starts_with(&wat::parse_str("(module (memory 1))").unwrap()));
}
