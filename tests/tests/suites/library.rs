//! Catalogs of functions in a library crate, and suites whose catalog is invalid.

use benchbook_host::child::NativeSuite;
use benchbook_tests::suites::{fixture, fixture_of};
use benchbook_tests::wasm::WasmModule;

use crate::target::Target;

#[test]
fn functions_of_a_library_crate_are_listed_on_both_targets() {
    let [_, target] = Target::both(&fixture("library").unwrap());
    let wasm = target.suite();
    let functions: Vec<_> = wasm.functions.iter().map(|function| function.path.as_str()).collect();
    let generators: Vec<_> = wasm.generators.iter().map(|generator| generator.path.as_str()).collect();
    assert_eq!(
        functions,
        ["library_functions::numbers::greatest", "library_functions::numbers::sum", "library_functions::words::count",]
    );
    assert_eq!(generators, ["library_functions::numbers::numbers", "library_functions::words::text"]);
}

#[test]
fn invalid_declarations_are_reported_on_both_targets() {
    for (name, expected) in [
        ("twins", &["two functions have the path `same`", "twins.rs:7", "twins.rs:15", "Rename one"][..]),
        ("empty", &["no functions", "#[measured]", "lto"]),
    ] {
        let builds = fixture_of("library", name).unwrap();
        let native = NativeSuite::open(&builds.program).unwrap_err().to_string();
        let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap_err().to_string();
        for expected in expected {
            assert!(native.contains(expected), "{name}, native: {native}");
            assert!(wasm.contains(expected), "{name}, wasm: {wasm}");
        }
    }
}
