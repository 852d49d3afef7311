//! `cargo benchbook check` and `accept`: a function becomes slower, and its results are compared with accepted ones.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use anyhow::{Context, Result};
use benchbook_host::history::CheckedResult;
use benchbook_tests::accepted_history::accepted_history;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::own_crate::{LIBRARY, SLOW_LIBRARY};
use benchbook_tests::runner::RunnerProgram;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

#[test]
fn a_slower_function_fails_the_check_until_it_is_accepted() -> Result<()> {
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
    let [html, junit] = ["reports/check.html", "reports/check.xml"].map(|file| checked.own.path().join(file));
    let path = |file: &Path| file.to_str().map(str::to_owned).context("a valid path");
    let arguments = ["--set", "size=1k", "--json", "--html", &path(&html)?, "--junit", &path(&junit)?];
    let (stdout, stderr) = checked.check(1, &arguments)?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    assert!(fs::read_to_string(html)?.contains("<strong>Slower than the accepted results: 1 slower.</strong>"));
    assert!(
        fs::read_to_string(junit)?
            .contains("<testsuite name=\"mixing\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"1\">")
    );
    let report: Value = serde_json::from_str(&stdout)?;
    let schema = serde_json::from_str(include_str!("../../docs/check.schema.json"))?;
    assert!(jsonschema::options().build(&schema)?.is_valid(&report), "{stdout}");
    let point = &report["points"][0];
    assert_eq!((&point["finding"], &point["function"]), (&"slower".into(), &"mix".into()));
    let change = &point["change"];
    let [low, relative, high] = ["low", "relative", "high"].map(|name| change[name].as_f64().unwrap_or(f64::NAN));
    assert!(0.0 < low && low <= relative && relative <= high && relative > 0.4, "{change}");

    // Both are normal now.
    checked.accept()?;
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.starts_with("\nNo regression found: 1 "), "{stdout}");
    let accepted = checked.accepted_files()?;
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
fn a_slower_function_is_found_by_comparison_with_a_commit() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let own = &checked.own;
    let (_, stderr) = checked.check_against(64, "main", &[])?;
    assert!(stderr.contains("requires a git repository"), "{stderr}");

    checked.commit("Add the crate")?;
    let (_, stderr) = checked.check_against(64, "mian", &[])?;
    assert!(stderr.contains("`mian` is not a commit of this repository"), "{stderr}");

    // Another function moves this one, and changes nothing else.
    let other = "\n/// Counts the numbers.\npub fn count(numbers: &[u64]) -> usize {\n    numbers.len()\n}\n";
    own.write("src/lib.rs", &format!("{LIBRARY}{other}"))?;
    let (stdout, _) = checked.check_against(0, "main", &[])?;
    assert!(stdout.contains("same code  mix"), "{stdout}");

    own.write("src/lib.rs", SLOW_LIBRARY)?;
    let bench = fs::read_to_string(own.path().join("benches/mixing.rs"))?;
    let added = "/// Adds the numbers.\n#[measured(generators(numbers))]\nfn add(numbers: &[u64]) -> u64 {\n    numbers.iter().sum()\n}\n\nbenchbook::suite!";
    own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", added))?;
    let (stdout, stderr) = checked.check_against(1, "main", &["--json"])?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    let points = report["points"].as_array().context("points")?;
    let finding =
        |function: &str| points.iter().find(|point| point["function"] == function).map(|point| &point["finding"]);
    assert_eq!((finding("mix"), finding("add")), (Some(&"slower".into()), Some(&"new".into())), "{report}");

    // A function that only the commit contains.
    own.write("src/lib.rs", LIBRARY)?;
    checked.commit("Measure a second function")?;
    own.write("benches/mixing.rs", &bench)?;
    let (stdout, _) = checked.check_against(0, "HEAD", &[])?;
    assert!(stdout.contains("Only HEAD (") && stdout.contains(") contains add."), "{stdout}");

    own.write("src/lib.rs", "pub fn mix(numbers: &[u64]) -> u64 {\n    broken\n}\n")?;
    checked.commit("Break the crate")?;
    own.write("src/lib.rs", LIBRARY)?;
    own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", added))?;
    let (stdout, _) = checked.check_against(3, "main", &[])?;
    assert!(stdout.contains("cannot find value `broken` in this scope"), "{stdout}");
    assert_eq!(stdout.matches("The build of the current code:").count(), 1, "once for both functions: {stdout}");

    let (status, _, stderr) = checked.run(&["check", "--clean-up"])?;
    assert_eq!(status, 0, "{stderr}");
    assert!(!own.output()?.join("baseline").exists());
    Ok(())
}

#[test]
fn an_interrupted_check_retains_completed_measurements() -> Result<()> {
    let checked = CheckedCrate::new()?;
    let bench = fs::read_to_string(checked.own.path().join("benches/mixing.rs"))?;
    let long = "/// Adds the numbers.\n#[measured(generators(numbers))]\nfn sum(numbers: &[u64]) -> u64 {\n    numbers.iter().sum()\n}\n\nbenchbook::suite!";
    checked.own.write("benches/mixing.rs", &bench.replace("benchbook::suite!", long))?;
    let check = ["check", "--samples", "2", "--time-out", "20s", "--precision", "0.01%", "--set", "size=1k"];
    let mut child = checked.own.command(&check)?.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let last = checked.own.output()?.join("last-check.json");
    let root = checked.own.path().to_str().context("a valid path")?.to_owned();
    let is_stored = || fs::read_to_string(&last).is_ok_and(|text| text.contains(&root) && text.contains("\"mix\""));
    while child.try_wait()?.is_none() && !is_stored() {
        thread::yield_now();
    }
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT)?;
    let ended = child.wait_with_output()?;
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("interrupted: the results of completed measurements are retained"), "{stderr}");
    assert!(checked.accept()?.starts_with("Accepted the time of mix in "));
    Ok(())
}

#[test]
fn a_runner_stores_accepted_results() -> Result<()> {
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
