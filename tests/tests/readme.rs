//! README's example suite compiles unchanged for both targets, and lists its function.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::{Path, PathBuf};

use benchbook_host::child::NativeSuite;
use benchbook_tests::suites::builds;
use benchbook_tests::wasm::WasmModule;
use serde_json::Value;
use xtask::workspace::Workspace;

/// The suite's name in README.
const NAME: &str = "my-suite";

/// The path to the library in README, from a crate in `suites/`.
const PATH: &str = "../../engine";

#[test]
fn readmes_suite_lists_its_function_on_both_targets() {
    let root = create_crate(&Workspace::find().unwrap());
    let builds = builds(&root, NAME).unwrap();
    let native = NativeSuite::open(&builds.program).unwrap();
    let wasm = WasmModule::new(&builds.wasm().unwrap()).unwrap().describe().unwrap();
    for suite in [native.suite(), &wasm] {
        let functions: Vec<_> = suite.functions.iter().map(|function| function.path.as_str()).collect();
        assert_eq!((suite.name.as_str(), functions), (NAME, vec!["sort_unstable"]));
        assert_eq!(suite.build.opt_level, "3");
    }
}

#[test]
fn readmes_path_leads_from_a_member_to_the_library() {
    let workspace = Workspace::find().unwrap();
    assert!(read(&workspace, "Cargo.toml").contains("\"suites/*\""));
    assert!(block(&section(&workspace), "toml").contains(&format!("path = \"{PATH}\"")));
    // The path is relative to any folder in `suites/`.
    let library = workspace.root().join("suites/demo").join(PATH).join("Cargo.toml");
    assert!(fs::read_to_string(library).unwrap().contains("name = \"benchbook\""));
}

#[test]
fn readmes_list_of_suites_contains_the_example() {
    let list: Value = serde_json::from_str(&block(&section(&Workspace::find().unwrap()), "json")).unwrap();
    let suites = list["suites"].as_array().unwrap();
    assert!(suites.contains(&Value::from(format!("suites/{NAME}.wasm"))), "{list}");
}

/// README's section about suites.
fn section(workspace: &Workspace) -> String {
    let readme = read(workspace, "README.md");
    readme.split_once("## Your own functions").unwrap().1.to_owned()
}

/// Creates the crate in its own workspace, with this workspace's lock file and suite profile. The folder is always the
/// same, so that builds are incremental; all dependencies are already downloaded.
fn create_crate(workspace: &Workspace) -> PathBuf {
    let readme = section(workspace);
    let manifest = block(&readme, "toml");
    let library = Value::from(workspace.root().join("engine").to_str().unwrap()).to_string();
    let manifest = manifest.replace(&format!("\"{PATH}\""), &library);
    assert!(manifest.contains(&library), "README's path to the library is not {PATH}:\n{manifest}");

    let root = workspace.target().join("tests-readme");
    let target = Value::from(workspace.target().to_str().unwrap());
    write(&root, "Cargo.toml", &format!("{manifest}\n[workspace]\n\n{}", profile(workspace)));
    write(&root, "src/main.rs", &block(&readme, "rust"));
    write(&root, "Cargo.lock", &read(workspace, "Cargo.lock"));
    write(&root, ".cargo/config.toml", &format!("[build]\ntarget-dir = {target}\n\n[net]\noffline = true\n"));
    root
}

/// The section `[profile.suite]` of the manifest.
fn profile(workspace: &Workspace) -> String {
    let manifest = read(workspace, "Cargo.toml");
    let start = manifest.find("[profile.suite]").unwrap();
    manifest[start..].split("\n\n").next().unwrap().to_owned()
}

/// The first code block of a language in a Markdown text.
fn block(text: &str, language: &str) -> String {
    let start = text.find(&format!("```{language}\n")).unwrap_or_else(|| panic!("README has a block of {language}"));
    text[start..].lines().skip(1).take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

fn read(workspace: &Workspace, file: &str) -> String {
    fs::read_to_string(workspace.root().join(file)).unwrap()
}

/// Writes only changed files; cargo would rebuild the crate otherwise.
fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    if fs::read_to_string(&path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
