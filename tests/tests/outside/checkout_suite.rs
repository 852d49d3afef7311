//! The suite that docs/write-a-suite.md adds to the checkout compiles exactly as printed, for both targets, and lists its function.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;

use benchbook_host::child::NativeSuite;
use benchbook_tests::own_crate::{OwnCrate, library};
use benchbook_tests::suites::{builds, workspace};
use benchbook_tests::wasm::WasmModule;
use serde_json::Value;

/// The suite's name in the document.
const NAME: &str = "my-suite";

/// The path to the library in the document, from a crate in `suites/`.
const PATH: &str = "../../engine";

#[test]
#[ignore = "nightly: compiles the library as it is for users"]
fn the_printed_suite_lists_its_function_on_both_targets() {
    let own = create_crate();
    let builds = builds(own.path(), NAME).unwrap();
    let native = NativeSuite::open(&builds.program).unwrap();
    let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
    for suite in [native.suite(), &wasm] {
        let functions: Vec<_> = suite.functions.iter().map(|function| function.path.as_str()).collect();
        assert_eq!((suite.name.as_str(), functions), (NAME, vec!["sort_unstable"]));
        assert_eq!(suite.build.opt_level, "3");
    }
}

#[test]
fn the_printed_path_leads_to_the_library_and_the_list_of_suites_contains_the_example() {
    assert!(read("Cargo.toml").contains("\"suites/*\""));
    assert!(block("toml").contains(&format!("path = \"{PATH}\"")));
    // The path is relative to any folder in `suites/`.
    assert!(read(&format!("suites/demo/{PATH}/Cargo.toml")).contains("name = \"benchbook\""));
    let list: Value = serde_json::from_str(&block("json")).unwrap();
    let suites = list["suites"].as_array().unwrap();
    assert!(suites.contains(&Value::from(format!("suites/{NAME}.wasm"))), "{list}");
}

/// Creates the crate in its own workspace.
fn create_crate() -> OwnCrate {
    let library = Value::from(library().unwrap().to_str().unwrap()).to_string();
    let manifest = block("toml").replace(&format!("\"{PATH}\""), &library);
    assert!(manifest.contains(&library), "the printed path to the library is not {PATH}:\n{manifest}");

    let own = OwnCrate::empty().unwrap();
    own.write("Cargo.toml", &format!("{manifest}\n[workspace]\n")).unwrap();
    own.write("src/main.rs", &block("rust")).unwrap();
    own.lock("Cargo.lock").unwrap();
    own
}

/// The first code block of a language in the section about suites of the checkout.
fn block(language: &str) -> String {
    let document = read("docs/write-a-suite.md");
    let section = document.split_once("\n## In a checkout of Benchbook\n").unwrap().1.split("\n## ").next().unwrap();
    let start = section.find(&format!("```{language}\n")).unwrap_or_else(|| panic!("no block of {language}"));
    section[start..].lines().skip(1).take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

fn read(file: &str) -> String {
    fs::read_to_string(workspace().unwrap().root().join(file)).unwrap()
}
