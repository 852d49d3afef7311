//! `cargo benchbook check` and `accept`: a function becomes slower, and its results are compared with accepted ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use benchbook_host::history::CheckedResult;
use benchbook_tests::accepted_history::accepted_history;
use benchbook_tests::own_crate::{LIBRARY, OwnCrate, SLOW_LIBRARY};
use benchbook_tests::runner::RunnerProgram;
use serde_json::{Value, json};

/// The tests build crates with the same name in the same folder, and cargo would confuse them.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A short check. Only a great change counts, since the speed of a shared machine changes between two checks.
const SHORT: [&str; 7] = ["--samples", "4", "--time-out", "200ms", "--minimum-effect", "40%", "--history"];

/// A crate whose function is checked.
struct CheckedCrate {
    own: OwnCrate,
    /// The folder of accepted results.
    history: String,
}

impl CheckedCrate {
    fn new() -> Result<Self> {
        let own = OwnCrate::new()?;
        let history = own.path().join("history").to_str().context("a valid path")?.to_owned();
        Ok(Self { own, history })
    }

    fn run(&self, arguments: &[&str]) -> Result<(i32, String, String)> {
        let Output { status, stdout, stderr } = self.own.command(arguments)?.output()?;
        let text = |bytes| String::from_utf8(bytes).map(|text| text.replace('\u{202f}', " "));
        Ok((status.code().context("an exit status")?, text(stdout)?, text(stderr)?))
    }

    /// Checks with a short measurement, and requires an exit status. Returns both outputs.
    #[track_caller]
    fn check(&self, status: i32, arguments: &[&str]) -> Result<(String, String)> {
        let (actual, stdout, stderr) = self.run(&[&["check"][..], &SHORT, &[&self.history], arguments].concat())?;
        ensure!(actual == status, "exit status {actual} instead of {status}:\n{stdout}{stderr}");
        Ok((stdout, stderr))
    }

    fn accept(&self) -> Result<String> {
        let (status, stdout, stderr) =
            self.run(&["accept", "--history", &self.history, "--by", "Ada", "--note", "normal"])?;
        ensure!(status == 0, "{stderr}");
        Ok(stdout)
    }
}

#[test]
fn a_slower_function_fails_the_check_until_it_is_accepted() -> Result<()> {
    let _turn = turn();
    let checked = CheckedCrate::new()?;
    let last = checked.own.output()?.join("last-check.json");
    if last.exists() {
        fs::remove_file(last)?;
    }
    let (status, _, stderr) = checked.run(&["accept"])?;
    assert!(status == 1 && stderr.contains("there are no results to accept"), "{stderr}");

    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.starts_with("\nNothing was compared: 1 new."), "{stdout}");
    assert!(stdout.contains("cargo benchbook accept"), "{stdout}");
    assert!(checked.accept()?.starts_with("Accepted the time of mix in "));

    checked.own.write("src/lib.rs", SLOW_LIBRARY)?;
    let (stdout, stderr) = checked.check(1, &["--set", "size=1k", "--json"])?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    let point = &report["points"][0];
    assert_eq!((&point["finding"], &point["function"]), (&"slower".into(), &"mix".into()));
    let change = &point["change"];
    let [low, relative, high] = ["low", "relative", "high"].map(|name| change[name].as_f64().unwrap_or(f64::NAN));
    assert!(0.0 < low && low <= relative && relative <= high && relative > 0.4, "{change}");

    // Both are normal now.
    checked.accept()?;
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.starts_with("\nNo regression found: 1 "), "{stdout}");
    let accepted = accepted_files(Path::new(&checked.history))?;
    assert_eq!(accepted.len(), 2);

    // Other arguments and other inputs are not compared; a damaged file does not hide the others.
    fs::write(&accepted[0], "{\"benchbook_history\": 1, \"acc")?;
    let (stdout, stderr) = checked.check(0, &["--set", "size=2k"])?;
    assert!(stderr.contains("was ignored: it is damaged"), "{stderr}");
    assert!(stdout.contains("not comparable") && stdout.contains("another generator or other arguments"), "{stdout}");
    let bench = fs::read_to_string(checked.own.path().join("benches/mixing.rs"))?;
    checked.own.write("benches/mixing.rs", &bench.replace("rng.random()", "rng.random::<u64>() / 2"))?;
    checked.own.write("src/lib.rs", LIBRARY)?;
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.contains("the source code of the generator has changed"), "{stdout}");
    Ok(())
}

#[test]
fn mistakes_of_the_user_have_their_own_exit_status() -> Result<()> {
    let _turn = turn();
    let checked = CheckedCrate::new()?;
    for (arguments, expected) in [
        (&["--confidence", "50%"][..], "expected 90% to 99.9%"),
        (&["nightly"], "no function matches nightly"),
        (&["--set", "length=1"], "has no parameter `length`"),
    ] {
        let (_, stderr) = checked.check(64, arguments)?;
        assert!(stderr.contains(expected), "{stderr}");
    }
    checked.own.write("benchbook.toml", "[groups.quick]\nfunctions = [\"mix\"]\nset = [\"size=0\"]\n")?;
    let (_, stderr) = checked.check(64, &["quick"])?;
    assert!(stderr.contains("the group `quick`: `mix`: `size`: "), "{stderr}");
    checked.own.write("benchbook.toml", "[groups.quick]\nfunction = [\"mix\"]\n")?;
    let (_, stderr) = checked.check(64, &["quick"])?;
    assert!(stderr.contains("benchbook.toml is invalid") && stderr.contains("unknown field `function`"), "{stderr}");
    Ok(())
}

#[test]
fn a_runner_stores_accepted_results() -> Result<()> {
    let _turn = turn();
    const TOKEN: &str = "a-token-of-sufficient-length-0123";
    let checked = CheckedCrate::new()?;
    let token = checked.own.path().join("token");
    fs::write(&token, TOKEN)?;
    fs::create_dir(&checked.history)?;
    let token = token.to_str().context("a valid path")?;
    let runner = RunnerProgram::start(&[], &["--history", &checked.history, "--token-file", token])?;

    // The results of a check.
    let results: Vec<CheckedResult> = accepted_history().into_iter().take(2).map(|accepted| accepted.result).collect();
    let output = checked.own.output()?;
    fs::create_dir_all(&output)?;
    let root = fs::canonicalize(checked.own.path())?;
    let last = json!({ "benchbook_history": 1, "root": root, "results": results });
    fs::write(output.join("last-check.json"), last.to_string())?;

    let accept = ["accept", "--history", runner.url(), "--by", "Ada"];
    let (status, _, stderr) = checked.run(&accept)?;
    assert!(status == 1 && stderr.contains("requires its token. Set the variable BENCHBOOK_TOKEN"), "{stderr}");
    let with_token = |arguments: &[&str]| checked.run(&[arguments, &["--token-file", token]].concat());
    let (status, stdout, stderr) = with_token(&accept)?;
    assert!(status == 0 && stdout.contains(&format!("in {}.", runner.url())), "{stdout}{stderr}");
    let (_, _, stderr) = with_token(&[&accept[..], &["--replace"]].concat())?;
    assert!(stderr.contains("a runner deletes no results"), "{stderr}");
    let (status, stdout, stderr) = with_token(&["history", "sort_stable", "--history", runner.url()])?;
    assert!(status == 0 && stdout.matches("Ada").count() == 6, "two results at three sizes: {stdout}{stderr}");
    for output in [stdout, stderr] {
        assert!(!output.contains(TOKEN), "{output}");
    }

    let (_, _, stderr) = checked.run(&["history", "--history", "http://127.0.0.1:9"])?;
    assert!(stderr.contains("the runner at http://127.0.0.1:9 cannot be reached"), "{stderr}");
    Ok(())
}

/// The accepted results, the oldest first.
fn accepted_files(history: &Path) -> Result<Vec<PathBuf>> {
    let folder = history.join("mixing/mix");
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}
