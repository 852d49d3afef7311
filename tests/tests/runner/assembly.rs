//! The machine code of functions, as a runner shows it.

use std::fs;

use benchbook_assembly::{Executable, Listing, measured_code};
use benchbook_host::alternative::build_id;
use benchbook_host::api::ErrorBody;
use benchbook_host::child::NativeSuite;
use benchbook_tests::routes::setup;
use benchbook_tests::suites::native;
use reqwest::StatusCode;

use crate::routes::Routes;

const FUNCTION: &str = "rungs::eight";

#[tokio::test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
async fn the_code_is_that_of_the_executable_that_is_measured() {
    let program = native("ladder").unwrap();
    let suite = NativeSuite::open(&program).unwrap();
    let build = build_id(&suite.card().fingerprint).to_owned();
    let (path, generator) = {
        let function = suite.suite().function(FUNCTION).unwrap();
        (function.path.clone(), function.generators[0].clone())
    };
    let routes = Routes::new(setup(suite));
    let get = async |suite: &str, function: &str, generator: &str| {
        // None of these names needs encoding.
        routes.send(routes.get(&format!("assembly?suite={suite}&function={function}&generator={generator}"))).await
    };
    let executable = Executable::read(&fs::read(&program).unwrap()).unwrap();
    let expected = measured_code(&executable.program(None), &path, &generator).unwrap();
    // What is not part of JSON.
    let expected: Listing = serde_json::from_value(serde_json::to_value(expected).unwrap()).unwrap();
    for function in [path.clone(), format!("{path}@{build}")] {
        let response = get("ladder", &function, &generator).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.json::<Listing>().await.unwrap(), expected);
    }
    for (suite, function, reason) in [
        ("other", path.as_str(), "no suite `other`"),
        ("ladder", "rungs::eight@77c0a41f0b12", "no longer has build 77c0a41f0b12"),
        ("ladder", "rungs::missing", "There is no code of `rungs::missing`"),
    ] {
        let response = get(suite, function, &generator).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        let error = response.json::<ErrorBody>().await.unwrap().error;
        assert!(error.contains(reason), "{error}");
    }
}
