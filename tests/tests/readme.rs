//! What README shows of a suite can be typed in as it stands: it compiles for both faces, and lists its function.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::{Path, PathBuf};

use benchbook_host::child::NativeSuite;
use benchbook_tests::suites::faces;
use benchbook_tests::wasm::WasmModule;
use serde_json::Value;
use xtask::workspace::Workspace;

/// The suite as README calls it.
const NAME: &str = "my-suite";

/// The path in README from a crate in `suites/` to the library.
const PATH: &str = "../../engine";

#[test]
fn the_suite_of_readme_lists_its_function_on_both_faces() {
    let root = typed_in(&Workspace::find().unwrap());
    let faces = faces(&root, NAME).unwrap();
    let native = NativeSuite::open(&faces.program).unwrap();
    let wasm = WasmModule::new(&faces.wasm().unwrap()).unwrap().describe().unwrap();
    for suite in [native.suite(), &wasm] {
        let functions: Vec<_> = suite.functions.iter().map(|function| function.path.as_str()).collect();
        assert_eq!((suite.name.as_str(), functions), (NAME, vec!["sort_unstable"]));
        assert_eq!(suite.build.opt_level, "3");
    }
}

#[test]
fn a_crate_below_suites_is_a_member_that_finds_the_library() {
    let workspace = Workspace::find().unwrap();
    assert!(read(&workspace, "Cargo.toml").contains("\"suites/*\""));
    assert!(block(&section(&workspace), "toml").contains(&format!("path = \"{PATH}\"")));
    // Any folder in `suites/` serves to go up from.
    let library = workspace.root().join("suites/demo").join(PATH).join("Cargo.toml");
    assert!(fs::read_to_string(library).unwrap().contains("name = \"benchbook\""));
}

#[test]
fn the_list_of_suites_names_it() {
    let list: Value = serde_json::from_str(&block(&section(&Workspace::find().unwrap()), "json")).unwrap();
    let suites = list["suites"].as_array().unwrap();
    assert!(suites.contains(&Value::from(format!("suites/{NAME}.wasm"))), "{list}");
}

/// What README says of suites.
fn section(workspace: &Workspace) -> String {
    let readme = read(workspace, "README.md");
    readme.split_once("## Your own functions").unwrap().1.to_owned()
}

/// Writes the crate, as a workspace of its own with the versions and the profile of ours. Its place is always the same,
/// so that a build of it is there the next time; it has nothing to download, since ours was built.
fn typed_in(workspace: &Workspace) -> PathBuf {
    let readme = section(workspace);
    let manifest = block(&readme, "toml");
    let library = Value::from(workspace.root().join("engine").to_str().unwrap()).to_string();
    let manifest = manifest.replace(&format!("\"{PATH}\""), &library);
    assert!(manifest.contains(&library), "README's path to the library is {PATH}:\n{manifest}");

    let root = workspace.target().join("tests-readme");
    let target = Value::from(workspace.target().to_str().unwrap());
    write(&root, "Cargo.toml", &format!("{manifest}\n[workspace]\n\n{}", profile(workspace)));
    write(&root, "src/main.rs", &block(&readme, "rust"));
    write(&root, "Cargo.lock", &read(workspace, "Cargo.lock"));
    write(&root, ".cargo/config.toml", &format!("[build]\ntarget-dir = {target}\n\n[net]\noffline = true\n"));
    root
}

/// The table of the suites' profile.
fn profile(workspace: &Workspace) -> String {
    let manifest = read(workspace, "Cargo.toml");
    let start = manifest.find("[profile.suite]").unwrap();
    manifest[start..].split("\n\n").next().unwrap().to_owned()
}

/// The first block of a language in a Markdown text.
fn block(text: &str, language: &str) -> String {
    let start = text.find(&format!("```{language}\n")).unwrap_or_else(|| panic!("README has a block of {language}"));
    text[start..].lines().skip(1).take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

fn read(workspace: &Workspace, file: &str) -> String {
    fs::read_to_string(workspace.root().join(file)).unwrap()
}

/// Writes only what differs, so that cargo does not build anew what did not change.
fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    if fs::read_to_string(&path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
