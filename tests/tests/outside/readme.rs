//! README's example suite compiles unchanged for both targets, and lists its function.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;

use benchbook_host::child::NativeSuite;
use benchbook_tests::own_crate::{OwnCrate, library};
use benchbook_tests::suites::{builds, workspace};
use benchbook_tests::wasm::WasmModule;
use serde_json::Value;

/// The suite's name in README.
const NAME: &str = "my-suite";

/// The path to the library in README, from a crate in `suites/`.
const PATH: &str = "../../engine";

#[test]
#[ignore = "nightly: compiles the library as it is for users"]
fn readmes_suite_lists_its_function_on_both_targets() {
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
fn readmes_path_leads_to_the_library_and_its_list_of_suites_contains_the_example() {
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
    assert!(manifest.contains(&library), "README's path to the library is not {PATH}:\n{manifest}");

    let own = OwnCrate::empty().unwrap();
    own.write("Cargo.toml", &format!("{manifest}\n[workspace]\n")).unwrap();
    own.write("src/main.rs", &block("rust")).unwrap();
    own.lock("Cargo.lock").unwrap();
    own
}

/// The first code block of a language in README's section about suites.
fn block(language: &str) -> String {
    let readme = read("README.md");
    let section = readme.split_once("## Your own functions").unwrap().1;
    let start = section.find(&format!("```{language}\n")).unwrap_or_else(|| panic!("README has a block of {language}"));
    section[start..].lines().skip(1).take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

fn read(file: &str) -> String {
    fs::read_to_string(workspace().unwrap().root().join(file)).unwrap()
}
