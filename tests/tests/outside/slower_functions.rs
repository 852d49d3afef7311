//! Functions become slower, and `cargo benchbook check` finds it by their times, in comparison with accepted results and with a commit.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Output;

use anyhow::{Context, Result};
use benchbook_host::history::AcceptedResult;
use benchbook_tests::accepted_history::write_history;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::ci_templates::{ShellStep, action_steps, gitlab_step};
use benchbook_tests::own_crate::{LIBRARY, OwnCrate, SLOW_LIBRARY, SLOWEST_LIBRARY};
use benchbook_tests::suites::program;
use serde_json::Value;

use crate::checks::{ADD, bench_with};

const SIZE: [&str; 2] = ["--set", "size=1k"];

/// Whether a check of a single point does not report it as slower. On a loaded machine it may be undecided.
fn has_no_regression(stdout: &str) -> bool {
    ["No regression found: 1 ", "Undecided for 1 of 1 point."].iter().any(|answer| stdout[1..].starts_with(answer))
}

#[test]
#[ignore = "nightly: asserts times on a real clock"]
fn a_slower_function_fails_the_check_until_it_is_accepted() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::new("slower")?)?;
    checked.check(0, &SIZE)?;
    checked.accept()?;
    checked.own.write("src/lib.rs", SLOW_LIBRARY)?;
    let (stdout, _) = checked.check(0, &SIZE)?;
    assert!(stdout.contains("all accepted results are of one day"), "{stdout}");
    // The days before were alike.
    let first: AcceptedResult = serde_json::from_str(&fs::read_to_string(&checked.accepted_files()?[0])?)?;
    let day_before = |days: i32| {
        let mut earlier = first.clone();
        earlier.result.measured -= 86_400.0 * f64::from(days);
        earlier
    };
    write_history(Path::new(&checked.history), &(1..4).map(day_before).collect::<Vec<_>>())?;
    let (stdout, stderr) = checked.check(1, &[&SIZE[..], &["--json"]].concat())?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    let point = &report["points"][0];
    assert_eq!((&point["finding"], &point["function"]), (&"slower".into(), &"mix".into()));
    let change = &point["change"];
    let [low, relative, high] = ["low", "relative", "high"].map(|name| change[name].as_f64().unwrap_or(f64::NAN));
    assert!(0.0 < low && low <= relative && relative <= high && relative > 0.4, "{change}");
    checked.accept()?;
    let (stdout, _) = checked.check(0, &SIZE)?;
    assert!(has_no_regression(&stdout), "{stdout}");
    Ok(())
}

#[test]
#[ignore = "nightly: asserts times on a real clock"]
fn a_slower_function_is_found_by_comparison_with_a_commit() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::new("slower_than_a_commit")?)?;
    checked.own.commit("Add the crate")?;
    // Another function moves this one, and changes nothing else.
    let other = "\n/// Counts the numbers.\npub fn count(numbers: &[u64]) -> usize {\n    numbers.len()\n}\n";
    checked.own.write("src/lib.rs", &format!("{LIBRARY}{other}"))?;
    let (stdout, _) = checked.check_against(0, "main", &[])?;
    assert!(stdout.contains("same code  mix"), "{stdout}");
    checked.own.write("src/lib.rs", SLOWEST_LIBRARY)?;
    let (stdout, stderr) = checked.check_against(1, "main", &["--json"])?;
    assert!(stderr.contains("Measuring again, to confirm"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    assert_eq!(report["points"][0]["finding"], "slower", "{report}");
    // Its calls execute more, on any machine.
    let counts = ["check", "mix", "--mode", "counts", "--baseline", "main", "--set", "size=1k", "--json"];
    let (status, stdout, stderr) = checked.run(&counts)?;
    let report: Value = serde_json::from_str(&stdout).with_context(|| stderr.clone())?;
    let point = &report["points"][0];
    assert_eq!(
        (status, &point["finding"], &point["metric"]),
        (1, &"more".into(), &"wasm_instructions".into()),
        "{report}"
    );
    Ok(())
}

#[test]
#[ignore = "nightly: asserts times on a real clock"]
fn the_templates_for_continuous_integration_find_a_slower_function() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::new("in_continuous_integration")?)?;
    checked.own.commit("Add the crate")?;
    checked.own.write("src/lib.rs", SLOWEST_LIBRARY)?;
    checked.own.commit("Make it slower")?;
    let arguments = "--samples 3 --time-out 100ms --minimum-effect 30% --set size=1k";
    let [install, check] =
        <[ShellStep; 2]>::try_from(action_steps(&[("arguments", arguments)], 7)?).ok().context("two steps")?;
    let temporary = tempfile::tempdir()?;
    for (step, expected) in [(install, 0), (check, 1), (gitlab_step("HEAD^1", arguments)?, 1)] {
        let mut command = step.command(checked.own.path());
        command.envs(checked.own.command(&[])?.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let tool = program("cargo-benchbook", "dev")?;
        let path = env::var_os("PATH").context("PATH is set")?;
        let folders = tool.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(folders)?).env_remove("CARGO_TARGET_DIR");
        command.env("RUNNER_TEMP", temporary.path());
        for name in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"] {
            command.env(name, temporary.path().join(name));
        }
        let Output { status, stderr, .. } = command.output()?;
        assert_eq!(status.code(), Some(expected), "{}", String::from_utf8_lossy(&stderr));
    }
    let kept = fs::read_to_string(temporary.path().join("benchbook-report/report.md"))?;
    let of_gitlab = fs::read_to_string(checked.own.path().join("report.md"))?;
    for report in [kept, of_gitlab] {
        assert!(report.starts_with("**Slower than HEAD^1 (") && report.contains("\n| slower | mix | "), "{report}");
    }
    assert!(fs::read_to_string(checked.own.path().join("report.xml"))?.contains("<failure"));
    Ok(())
}

#[test]
#[ignore = "nightly: compiles the suites of two commits with several layouts"]
fn a_commit_that_does_not_compile_is_reported_once() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::new("broken")?)?;
    checked.own.write("src/lib.rs", "pub fn mix(numbers: &[u64]) -> u64 {\n    broken\n}\n")?;
    checked.own.commit("Break the crate")?;
    checked.own.write("src/lib.rs", LIBRARY)?;
    checked.own.write("benches/mixing.rs", &bench_with(ADD))?;
    let (stdout, _) = checked.check_against(3, "main", &[])?;
    assert!(stdout.contains("cannot find value `broken` in this scope"), "{stdout}");
    assert!(stdout.contains("the baseline does not compile, although the current code does."), "{stdout}");
    assert_eq!(stdout.matches("The build of the current code:").count(), 1, "once for both functions: {stdout}");
    Ok(())
}

#[test]
#[ignore = "nightly: asserts times on a real clock"]
fn slower_benches_of_other_harnesses_are_found_by_comparison_with_a_commit() -> Result<()> {
    let checked = CheckedCrate::with_baselines(OwnCrate::with_unedited_benches("slower_benches")?)?;
    checked.own.commit("Add the crate")?;
    checked.own.write("src/lib.rs", SLOWEST_LIBRARY)?;
    let check = ["check", "mix", "fold", "--samples", "3", "--time-out", "100ms", "--minimum-effect", "30%"];
    let (status, stdout, stderr) = checked.run(&[&check[..], &["--baseline", "main", "--json"]].concat())?;
    assert_eq!(status, 1, "{stdout}{stderr}");
    let report: Value = serde_json::from_str(&stdout)?;
    // Three layouts are too few for calls of some nanoseconds.
    let points = report["points"].as_array().context("points")?.iter();
    let points = points.filter(|point| point["x"].as_f64().is_some_and(|size| size >= 1_000.0));
    let mut findings: Vec<_> = points.map(|point| (&point["function"], &point["finding"])).collect();
    findings.sort_by_key(|(function, _)| function.as_str());
    let [fold, mix, slower] = ["fold", "mixing::mix", "slower"].map(Value::from);
    assert_eq!(findings, [(&fold, &slower), (&mix, &slower), (&mix, &slower)], "{report}");
    Ok(())
}
