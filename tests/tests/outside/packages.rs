//! The packages, installed outside of the checkout and without a network, as a user installs them from crates.io.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use benchbook_tests::packages::{PackageFolder, run};

/// A crate of the user, with a public function.
const LIBRARY: &str = "/// Counts the words of a text.\npub fn count_words(text: &str) -> usize {\n    text.split_whitespace().count()\n}\n";

/// Runs `cargo benchbook` in the folder of a crate.
fn benchbook(programs: &Path, folder: &Path, arguments: &[&str]) -> Result<String> {
    let paths = env::var_os("PATH").context("PATH is set")?;
    let paths: Vec<_> = [programs.to_owned()].into_iter().chain(env::split_paths(&paths)).collect();
    let path: OsString = env::join_paths(paths)?;
    run(Command::new("cargo").current_dir(folder).env("PATH", path).arg("benchbook").args(arguments))
}

/// Prints how long a step takes that users wait for.
fn seconds<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = work()?;
    println!("{what}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(result)
}

#[test]
fn the_programs_are_installed_from_packages_and_measure_a_crate_offline() -> Result<()> {
    let packages = PackageFolder::new()?;
    let programs = seconds("cargo install cargo-benchbook", || packages.install("cargo-benchbook"))?;
    packages.write("words/Cargo.toml", "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")?;
    packages.write("words/src/lib.rs", LIBRARY)?;
    let folder = packages.path().join("words");

    let added = benchbook(&programs, &folder, &["init"])?;
    assert!(added.contains("Edit benchbook/src/main.rs"), "{added}");
    let list = seconds("the first build of a suite", || benchbook(&programs, &folder, &["list"]))?;
    assert!(list.contains("count_words  Counts the words of a text."), "{list}");
    let measured = benchbook(&programs, &folder, &["measure", "count_words", "--priority", "1"])?;
    assert!(measured.contains("Number of words"), "{measured}");
    let site = benchbook(&programs, &folder, &["build", "--out", "site"])?;
    assert!(site.contains("Wrote the page with words-benchbook.wasm to site."), "{site}");
    assert!(folder.join("site/index.html").is_file() && folder.join("site/suites/words-benchbook.wasm").is_file());

    // The library alone, as a dependency of a bench target.
    benchbook(&programs, &folder, &["init", "--bench"])?;
    let tested = seconds("cargo test with the library as a dev-dependency", || {
        run(Command::new("cargo").current_dir(&folder).args(["test", "--all-targets"]))
    })?;
    assert!(tested.contains("test count_words ... ok"), "{tested}");
    let bench = run(Command::new("cargo").current_dir(&folder).args(["bench", "--", "count_words"]))?;
    assert!(bench.contains("profile `bench`, opt-level 3") && bench.contains("Number of words"), "{bench}");

    let programs = seconds("cargo install benchbook-server afterwards", || packages.install("benchbook-server"))?;
    let help = run(Command::new(programs.join("benchbook-server")).arg("--help"))?;
    assert!(help.contains("--suite"), "{help}");
    Ok(())
}
