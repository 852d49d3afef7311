//! A suite that browsers cannot measure is built for a runner, with advice for its author.

use std::fs;
use std::path::Path;
use std::process::Command;

use benchbook_host::child::NativeSuite;
use benchbook_tests::suites::workspace;
use xtask::workspace::Workspace;

/// Builds the suite of a package into a folder. Returns what the command prints on standard output and standard error.
fn build(workspace: &Workspace, package: &str, into: &Path) -> (String, String) {
    let mut xtask = Command::new("cargo");
    xtask.current_dir(workspace.root()).args(["xtask", "suites", "--package", package, "--into"]);
    let output = xtask.arg(into).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stderr}");
    (stdout, stderr)
}

#[test]
fn a_suite_that_does_not_compile_for_wasm_is_built_natively() {
    let workspace = workspace().unwrap();
    let into = tempfile::tempdir().unwrap();
    let built = workspace.built_suites();
    fs::create_dir_all(&built).unwrap();
    // Modules of an earlier build, which had other functions.
    let modules = [built.join("without-wasm.wasm"), into.path().join("without-wasm.wasm")];
    for module in &modules {
        fs::write(module, "").unwrap();
    }

    let (stdout, stderr) = build(workspace, "without-wasm", into.path());
    assert!(stdout.contains("suite without-wasm: 1 function, 1 generator, native only"), "{stdout}");
    for expected in [
        "`without-wasm` does not compile for wasm: its dependency `native-library` fails",
        "error: this library does not support wasm",
        "#[measured(native",
        "[target.'cfg(not(target_family = \"wasm\"))'.dependencies]",
    ] {
        assert!(stderr.contains(expected), "{expected} is missing in:\n{stderr}");
    }
    assert!(!stderr.contains("could not compile"), "cargo's own errors are only in the log:\n{stderr}");
    let log = fs::read_to_string(built.join("without-wasm.wasm.log")).unwrap();
    assert!(log.contains("could not compile `native-library`"), "{log}");
    for module in modules {
        assert!(!module.exists(), "{} is from an earlier build", module.display());
    }
    let suite = NativeSuite::open(&built.join("without-wasm")).unwrap();
    assert_eq!(suite.suite().functions[0].path, "double");
}

#[test]
fn a_suite_whose_module_calls_the_browser_is_built_natively() {
    let workspace = workspace().unwrap();
    let into = tempfile::tempdir().unwrap();
    let (stdout, stderr) = build(workspace, "browser-bound", into.path());
    assert!(stdout.contains("suite browser-bound: 1 function, 1 generator, native only"), "{stdout}");
    for expected in [
        "browsers cannot measure `browser-bound`: its dependency `js-sys` requires `wasm-bindgen` (browser-bound → js-sys → wasm-bindgen)",
        "__wbindgen",
        "#[measured(native",
        "a runner measures the suite",
    ] {
        assert!(stderr.contains(expected), "{expected} is missing in:\n{stderr}");
    }
    assert!(!into.path().join("browser-bound.wasm").exists());
    let suite = NativeSuite::open(&workspace.built_suites().join("browser-bound")).unwrap();
    assert_eq!(suite.suite().functions[0].path, "seconds");
}
