//! What a suite lists: functions of a library crate on both faces, and nothing where it can't describe itself.

use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::catalog_hash;
use benchbook_tests::suites::fixture;
use benchbook_tests::wasm::WasmModule;

#[test]
fn functions_of_a_library_crate_are_listed_on_both_faces() {
    let faces = fixture("library").unwrap();
    let native = NativeSuite::open(&faces.program).unwrap();
    let wasm = WasmModule::new(&faces.wasm().unwrap()).unwrap().describe().unwrap();
    let functions: Vec<_> = wasm.functions.iter().map(|function| function.path.as_str()).collect();
    let generators: Vec<_> = wasm.generators.iter().map(|generator| generator.path.as_str()).collect();
    assert_eq!(
        functions,
        ["library_functions::numbers::greatest", "library_functions::numbers::sum", "library_functions::words::count",]
    );
    assert_eq!(generators, ["library_functions::numbers::numbers", "library_functions::words::text"]);
    assert_eq!(catalog_hash(native.suite()), catalog_hash(&wasm));
}

#[test]
fn a_suite_that_cannot_describe_itself_says_why_on_both_faces() {
    for (package, told) in [
        ("twins", &["two functions have the path `same`", "main.rs:7", "main.rs:15", "rename one"][..]),
        ("empty", &["no functions", "#[measured]", "lto"]),
    ] {
        let faces = fixture(package).unwrap();
        let native = NativeSuite::open(&faces.program).unwrap_err().to_string();
        let wasm = WasmModule::new(&faces.wasm().unwrap()).unwrap().describe().unwrap_err().to_string();
        for told in told {
            assert!(native.contains(told), "{package}, native: {native}");
            assert!(wasm.contains(told), "{package}, wasm: {wasm}");
        }
    }
}
