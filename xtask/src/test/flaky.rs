//! Tests that fail and then pass. A test that fails runs once more, alone. If it passes then, the run succeeds, and the test is
//! listed as flaky: a defect, but not one that costs hours of other work.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// The arguments for the test harness with which failed tests run again. It also shows the output of those that pass.
const AGAIN: [&str; 3] = ["--exact", "--test-threads=1", "--show-output"];

/// The flaky tests of a run, with the output of both times.
pub(super) struct FlakyTests {
    file: PathBuf,
    /// Empty while there are no flaky tests.
    pub(super) report: String,
}

impl FlakyTests {
    /// Writes the tests to this file, if there are any. Deletes the file of an earlier run.
    pub(super) fn new(file: PathBuf) -> Self {
        // It does not exist after most runs.
        let _deleted = fs::remove_file(&file);
        Self { file, report: String::new() }
    }

    /// Runs `cargo test`, and then the failed tests once more.
    ///
    /// * `cargo`: the command, without arguments for the test harness.
    /// * `harness`: those arguments.
    ///
    /// # Errors
    /// If a test fails twice, or if cargo or a test program fails in another way.
    pub(super) fn run(&mut self, cargo: impl Fn() -> Command, harness: &[&str]) -> Result<()> {
        let Err(first) = run_tests(cargo(), harness)? else { return Ok(()) };
        let Some(names) = listed(&first, "failures").filter(|names| !names.is_empty()) else {
            bail!("`cargo test` failed before all tests had ended");
        };
        println!("\n== Failed tests run once more, one at a time: {} ==", names.join(", "));
        let again = run_tests(cargo(), &[harness, &AGAIN, &names].concat())?;
        let (Ok(second) | Err(second)) = &again;
        let [passed, failed] = ["successes", "failures"].map(|heading| listed(second, heading).unwrap_or_default());
        // Several programs may have a test of this name.
        let has_passed = |name: &&str| passed.contains(name) && !failed.contains(name);
        let failed: Vec<&str> = names.iter().copied().filter(|name| !has_passed(name)).collect();
        ensure!(failed.is_empty(), "failed twice: {}", failed.join(", "));
        ensure!(again.is_ok(), "the failed tests passed when they were run again, but `cargo test` failed");
        for name in names {
            let [failed, passed] = [&first, second].map(|text| shown(text, name));
            self.report += &format!("FLAKY: {name}\n-- failed:\n{failed}\n-- passed when run again:\n{passed}\n");
        }
        fs::write(&self.file, &self.report).with_context(|| format!("failed to write {}", self.file.display()))
    }
}

/// Runs `cargo test`, prints its output, and returns it, as an error if tests failed.
fn run_tests(mut cargo: Command, harness: &[&str]) -> Result<Result<String, String>> {
    cargo.arg("--").args(harness);
    eprintln!("$ {cargo:?}");
    let mut child = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("failed to start cargo")?;
    let mut text = String::new();
    for line in BufReader::new(child.stdout.take().context("cargo's standard output is not piped (this is a bug)")?)
        .split(b'\n')
    {
        let line = line.context("failed to read the output of the tests")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        text = text + &line + "\n";
    }
    let status = child.wait().context("failed to wait for cargo")?;
    Ok(if status.success() { Ok(text) } else { Err(text) })
}

/// The tests that the test programs list under this heading; `None` if a program ended without a result.
fn listed<'t>(text: &'t str, heading: &str) -> Option<Vec<&'t str>> {
    let mut listed = Vec::new();
    for program in text.split("\nrunning ").skip(1) {
        let (tests, _) = program.rsplit_once("\ntest result: ")?;
        // The last of two lists with this heading; the first one has the outputs.
        let list = tests.rsplit_once(&format!("\n{heading}:\n    ")).map_or("", |(_, list)| list);
        listed.extend(list.lines().take_while(|line| !line.is_empty()).map(str::trim_start));
    }
    Some(listed)
}

/// What a test printed.
fn shown<'t>(text: &'t str, test: &str) -> &'t str {
    let output = text.split_once(&format!("\n---- {test} stdout ----\n")).map_or("", |(_, output)| output);
    let end = ["\n---- ", "\nsuccesses:\n", "\nfailures:\n"].iter().filter_map(|end| output.find(end)).min();
    &output[..end.unwrap_or(output.len())]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const PASSING: &str = "\nrunning 1 test\ntest c ... ok\n\ntest result: ok. 1 passed; 0 failed; 3 ignored\n";

    const FAILING: &str = "
running 3 tests
test b ... ok
test a ... FAILED
test src/lib.rs - example (line 12) ... FAILED

successes:

---- b stdout ----
fine

successes:
    b

failures:

---- a stdout ----
    running out of luck

---- src/lib.rs - example (line 12) stdout ----
unlucky

failures:
    a
    src/lib.rs - example (line 12)

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
";

    #[test]
    fn reads_the_lists_and_outputs_of_all_programs() {
        let text = [PASSING, FAILING, PASSING].concat();
        assert_eq!(listed(&text, "failures").unwrap(), ["a", "src/lib.rs - example (line 12)"]);
        assert_eq!(listed(&text, "successes").unwrap(), ["b"]);
        assert_eq!(["a", "b", "c"].map(|test| shown(&text, test)), ["    running out of luck\n", "fine\n", ""]);
        let crashed = format!("{PASSING}\nrunning 2 tests\ntest b ... ok\n{FAILING}");
        assert_eq!(listed(&crashed, "failures"), None);
    }

    /// The test `once` fails in the first run only; `always` and `aborts` fail if the crate contains a file of that name.
    const SCRATCH: &str = r#"
        fn exists(file: &str) -> bool { std::fs::exists(file).unwrap() }
        #[test] fn once() {
            println!("says hello");
            assert!(exists("ran") || std::fs::write("ran", "").is_err(), "the first time");
        }
        #[test] fn always() { assert!(!exists("always"), "each time"); }
        #[test] fn aborts() { if exists("aborts") { std::process::abort() } }
    "#;

    fn run(folder: &Path) -> (Result<()>, String, Option<String>) {
        let mut flaky = FlakyTests::new(folder.join("flaky.txt"));
        let cargo = || {
            let mut cargo = Command::new("cargo");
            cargo.args(["test", "--offline", "--no-fail-fast", "--lib", "--tests"]).current_dir(folder);
            cargo.env("CARGO_TARGET_DIR", folder.join("target")).stderr(Stdio::null());
            cargo
        };
        let result = flaky.run(cargo, &[]);
        (result, flaky.report, fs::read_to_string(folder.join("flaky.txt")).ok())
    }

    #[test]
    fn a_test_that_fails_once_is_listed_and_one_that_fails_twice_fails_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write(
            "Cargo.toml",
            "[package]\nname = \"scratch\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n",
        );
        write("lib.rs", SCRATCH);
        // Passes, whatever the test of the same name in the other program does.
        fs::create_dir(folder.path().join("tests")).unwrap();
        write("tests/other.rs", "#[test] fn always() {}");
        let (result, report, file) = run(folder.path());
        result.unwrap();
        assert!(report.starts_with("FLAKY: once\n"), "{report}");
        assert!(report.contains("the first time") && report.matches("says hello").count() == 2, "{report}");
        assert_eq!(file, Some(report));

        // Now it passes.
        let (result, report, file) = run(folder.path());
        result.unwrap();
        assert_eq!((report.as_str(), file), ("", None));

        write("always", "");
        assert_eq!(run(folder.path()).0.unwrap_err().to_string(), "failed twice: always");
        write("aborts", "");
        assert_eq!(run(folder.path()).0.unwrap_err().to_string(), "`cargo test` failed before all tests had ended");
    }
}
