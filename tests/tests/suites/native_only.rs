//! Suites that browsers cannot measure are built for a runner, with advice for their authors.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use benchbook_host::child::NativeSuite;
use benchbook_instrument::{CODE_MAP_SECTION, CodeMap};
use benchbook_tests::suites::workspace;
use wasmi::{Engine, Module};

/// What is timed has no debug information. The counting module counts, and has no folder of this machine.
fn assert_is_counted(suite: &Path) {
    let module = |end: &str| Module::new(&Engine::default(), fs::read(suite.with_extension(end)).unwrap()).unwrap();
    let (timed, counted) = (module("wasm"), module("counted.wasm"));
    for section in timed.custom_sections().chain(counted.custom_sections()) {
        assert!(!section.name().starts_with(".debug"), "{}", section.name());
    }
    let section = counted.custom_sections().find(|section| section.name() == CODE_MAP_SECTION).unwrap();
    let map = CodeMap::from_bytes(section.data()).unwrap();
    assert!(map.exports().all(|(name, _)| counted.get_export(&name).is_some()));
    for file in ["tests/suites/criterion_benches/src/", "engine/suite/src/", "core/src/"] {
        assert!(map.strings.iter().any(|string| string.starts_with(file)), "no file of {file}");
    }
    let home = env::home_dir().unwrap();
    let is_of_machine = |string: &&String| string.starts_with('/') || string.contains(home.to_str().unwrap());
    assert_eq!(map.strings.iter().find(is_of_machine), None);
}

/// One suite does not compile for wasm, the module of another one calls the browser, and that of the third lacks a function.
#[test]
fn suites_that_browsers_cannot_measure_are_built_natively() {
    let workspace = workspace().unwrap();
    let into = tempfile::tempdir().unwrap();
    let built = workspace.built_suites();
    fs::create_dir_all(&built).unwrap();
    // Modules of an earlier build, which had other functions.
    let modules = [built.join("without-wasm.wasm"), into.path().join("without-wasm.wasm")];
    for module in &modules {
        fs::write(module, "").unwrap();
    }
    let mut xtask = Command::new("cargo");
    xtask.current_dir(workspace.root()).args(["xtask", "suites", "--into"]).arg(into.path());
    let output = xtask
        .args(["--package", "without-wasm", "--package", "browser-bound", "--package", "criterion_benches"])
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stderr}");
    assert!(stdout.contains("suite criterion_benches: 22 functions, "), "{stdout}");
    assert!(into.path().join("criterion_benches.wasm").exists());
    for name in ["without-wasm", "browser-bound"] {
        assert!(stdout.contains(&format!("suite {name}: 1 function, 1 generator, native only")), "{stdout}");
    }
    for expected in [
        "`without-wasm` does not compile for wasm: its dependency `native-library` fails",
        "error: this library does not support wasm",
        "[target.'cfg(not(target_family = \"wasm\"))'.dependencies]",
        "browsers cannot measure `browser-bound`: its dependency `js-sys` requires `wasm-bindgen` (browser-bound → js-sys → wasm-bindgen)",
        "__wbindgen",
        "browsers cannot measure all of `criterion_benches`\n`natively` is omitted, since it panicked at ",
        "a runner measures the suite",
    ] {
        assert!(stderr.contains(expected), "{expected} is missing in:\n{stderr}");
    }
    assert_eq!(stderr.matches("#[measured(native").count(), 2, "{stderr}");
    assert!(!stderr.contains("could not compile"), "cargo's own errors are only in the log:\n{stderr}");
    let log = fs::read_to_string(built.join("without-wasm.wasm.log")).unwrap();
    assert!(log.contains("could not compile `native-library`"), "{log}");
    assert_is_counted(&into.path().join("criterion_benches"));
    for module in
        modules.into_iter().chain(["wasm", "counted.wasm"].map(|end| into.path().join(format!("browser-bound.{end}"))))
    {
        assert!(!module.exists(), "{} is from an earlier build, or cannot be loaded", module.display());
    }
    for (name, function) in [("without-wasm", "double"), ("browser-bound", "seconds")] {
        let suite = NativeSuite::open(&built.join(name)).unwrap();
        assert_eq!(suite.suite().functions[0].path, function);
    }
}
