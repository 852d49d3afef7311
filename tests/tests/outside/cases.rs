//! Benches with what people report to other harnesses as trouble, in one workspace: each is listed and measured, or explained, and none costs
//! the results of the others.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::suites::workspace;

/// The workspace in a folder whose name is neither ASCII nor one word.
const FOLDER: &str = "wörk space";

/// Benchmarks that take seconds, as their names say.
const SLOW: [&str; 6] = ["setup 10 ms", "setup 1 s", "slow 4 s", "slow", "slow_inputs", "very_slow_inputs"];

/// Benchmarks that cannot be measured, and the reason that is stated for each.
const UNMEASURED: [(&str, &str); 4] = [
    ("custom max", "the suite reported an invalid time"),
    ("device", "skipped: the benchmark `device` returned without measuring"),
    ("panics", "panicked at config/benches/config.rs:6:46: broken invariant"),
    ("throughput::max", "declares"),
];

fn cases() -> Result<CheckedCrate> {
    let own = OwnCrate::empty()?;
    own.copy(&workspace()?.root().join("tests/cases"), FOLDER)?;
    own.lock(&format!("{FOLDER}/Cargo.lock"))?;
    CheckedCrate::new(own)
}

/// Runs the tool in the workspace. Returns the exit status and both outputs, without the name of the temporary folder.
fn run(cases: &CheckedCrate, arguments: &[&str]) -> Result<(i32, String, String)> {
    let manifest = format!("{FOLDER}/Cargo.toml");
    let (status, stdout, stderr) =
        cases.run(&[&arguments[..1], &["--manifest-path", &manifest], &arguments[1..]].concat())?;
    let folder = cases.own.path().to_str().context("a valid path")?;
    Ok((status, stdout.replace(folder, ""), stderr.replace(folder, "")))
}

#[test]
fn every_benchmark_is_listed_or_explained_and_none_costs_the_others() -> Result<()> {
    let cases = cases()?;
    let (status, listed, stderr) = run(&cases, &["list"])?;
    assert_eq!(status, 0, "{stderr}");
    let cores = std::thread::available_parallelism()?;
    let notes: Vec<&str> = stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    let actual = format!("{listed}\n{}\n", notes.join("\n"));
    let actual = actual.replace(&format!("on {cores} threads"), "on N threads");
    let golden = workspace()?.root().join("tests/cases/listed.txt");
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&golden, &actual)?;
    }
    assert!(fs::read_to_string(&golden)? == actual, "{} differs:\n{actual}\n{stderr}", golden.display());
    let (status, _, stderr) = run(&cases, &["list", "--strict"])?;
    assert!(status == 1 && stderr.contains("`--strict`"), "{stderr}");

    let listed = listed.lines().filter_map(|line| line.strip_prefix("  ")).map(str::trim);
    let quick: BTreeSet<&str> = listed.filter(|name| !SLOW.contains(name)).collect();
    let filters: Vec<&str> = quick.iter().copied().collect();
    let (_, csv, stderr) = run(&cases, &[&["measure", "--csv", "--priority", "1", "--"], &filters[..]].concat())?;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers()?.clone();
    let (mut measured, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for record in reader.records() {
        let record = record?;
        let field = |name: &str| {
            headings.iter().zip(&record).find(|(heading, _)| *heading == name).map_or("", |(_, field)| field)
        };
        let path = field("function").trim().to_owned();
        for (heading, field) in headings.iter().zip(&record).filter(|(heading, _)| heading.ends_with("[ns]")) {
            let is_time = field.is_empty() || field.parse().is_ok_and(|time: f64| time.is_finite() && time >= 0.0);
            assert!(is_time || heading.starts_with("sd") || heading.contains("bound"), "{path}: {heading} {field}");
        }
        match field("failure") {
            "" => _ = measured.insert(path),
            failure => _ = failed.insert((path, failure.lines().next().unwrap_or_default().to_owned())),
        }
    }
    let lacking: Vec<&str> = quick.iter().copied().filter(|path| !measured.contains(*path)).collect();
    assert_eq!(lacking, UNMEASURED.map(|(path, _)| path), "{failed:?}\n{stderr}");
    for (path, reason) in UNMEASURED {
        let is_stated = failed.iter().any(|(failed, failure)| failed == path && failure.contains(reason));
        assert!(is_stated, "{path}: {failed:?}");
    }
    Ok(())
}
