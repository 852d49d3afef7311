//! The demo suite as it is shipped: both faces list the same, and every function can be measured.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook::catalog::{Generator, Suite};
use benchbook::child::NativeSuite;
use benchbook::fingerprint::catalog_hash;
use benchbook::request::Request;
use benchbook::response::{Outcome, Point};
use benchbook_tests::requests::{always, lower_end, quick, request};
use benchbook_tests::suites::demo;
use benchbook_tests::wasm::WasmModule;

#[test]
fn both_faces_list_the_same() {
    let faces = demo().unwrap();
    let native = NativeSuite::open(&faces.program).unwrap();
    let wasm = WasmModule::new(&faces.wasm().unwrap()).unwrap().describe().unwrap();
    assert!(wasm.functions.len() >= 10, "{} functions", wasm.functions.len());
    assert_eq!(native.suite().functions, wasm.functions);
    assert_eq!(native.suite().generators, wasm.generators);
    assert_eq!(catalog_hash(native.suite()), catalog_hash(&wasm));
    assert!(wasm.build.target_features.iter().any(|feature| feature == "simd128"), "{:?}", wasm.build);
    assert_eq!((wasm.build.opt_level.as_str(), native.suite().build.opt_level.as_str()), ("3", "3"));
}

#[test]
fn every_function_is_measured_natively() {
    let suite = NativeSuite::open(&demo().unwrap().program).unwrap();
    for request in all_requests(suite.suite()) {
        let response = suite.measure(request.clone(), &always(quick(3)), "test", |_| {}).unwrap();
        assert!(response.points.len() >= 2 * request.functions.len(), "{request:?}");
        for point in &response.points {
            assert!(point.measured().is_some(), "{point:?}");
        }
    }
}

#[test]
fn every_function_is_measured_in_wasm_but_those_that_are_native() {
    let module = WasmModule::new(&demo().unwrap().wasm().unwrap()).unwrap();
    let suite = module.describe().unwrap();
    for request in all_requests(&suite) {
        for point in module.measure(request, quick(3)).unwrap() {
            match suite.function(&point.function).unwrap().native {
                false => assert!(point.measured().is_some(), "{point:?}"),
                true => assert_is_refused_as_native(&point),
            }
        }
    }
}

fn assert_is_refused_as_native(point: &Point) {
    let Outcome::Failed(failure) = &point.outcome else { panic!("{point:?}") };
    assert!(failure.reason.contains("is native: only a runner can measure it"), "{failure:?}");
}

/// A request for each generator, with the functions that take its workloads.
fn all_requests(suite: &Suite) -> Vec<Request> {
    let of = |generator: &Generator| {
        let takers = suite.functions.iter().filter(|function| function.generators.contains(&generator.path));
        let functions: Vec<_> = takers.map(|function| function.path.as_str()).collect();
        let axis = generator.default_axis().and_then(|axis| axis.numeric()).unwrap();
        functions.chunks(4).map(|functions| request(suite, functions, generator, lower_end(axis))).collect::<Vec<_>>()
    };
    suite.generators.iter().flat_map(of).collect()
}
