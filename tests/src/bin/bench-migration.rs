//! Measures the benches of five crates, or of those that are named, with criterion and, unedited, with Benchbook, and compares the mean times of both.

use std::collections::BTreeMap;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use benchbook_tests::criterion_crates::{CRATES, CriterionCrate};
use benchbook_tests::own_crate::OwnCrate;
use serde_json::Value;
use walkdir::WalkDir;

/// A mean time in nanoseconds, with its interval of 95 %.
#[derive(Clone, Copy, Debug)]
struct Mean {
    mean: f64,
    low: f64,
    high: f64,
}

impl Mean {
    fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// The mean times by the path of the function and the input, which is empty if the function has none.
type Means = BTreeMap<(String, String), Mean>;

/// Measures with criterion, for a second per benchmark after a warm-up, and reads the results that it saves.
fn with_criterion(one: &CriterionCrate, published: &OwnCrate) -> Result<Means> {
    let results = published.path().join(one.name).join("results");
    let mut cargo = one.cargo(published);
    cargo.env("CRITERION_HOME", &results).args(["bench", "--bench", one.bench, "--"]);
    let status = cargo.args(["--noplot", "--warm-up-time", "1", "--measurement-time", "1"]).status()?;
    ensure!(status.success(), "criterion failed in {}", one.name);
    let mut means = Means::new();
    for file in WalkDir::new(&results) {
        let file = file?;
        if file.path().ends_with("new/benchmark.json") {
            let read = |path| -> Result<Value> { Ok(serde_json::from_str(&fs::read_to_string(path)?)?) };
            let (id, estimates) = (read(file.path())?, read(&file.path().with_file_name("estimates.json"))?);
            let text = |name: &str| id[name].as_str().map(str::to_owned);
            let path = [text("group_id"), text("function_id")].into_iter().flatten().collect::<Vec<_>>().join("::");
            let (mean, interval) = (&estimates["mean"], &estimates["mean"]["confidence_interval"]);
            let mean = Mean {
                mean: number(&mean["point_estimate"])?,
                low: number(&interval["lower_bound"])?,
                high: number(&interval["upper_bound"])?,
            };
            means.insert((path, text("value_str").unwrap_or_default()), mean);
        }
    }
    Ok(means)
}

/// Measures with Benchbook, for at most a second per benchmark, with the same profile.
fn with_benchbook(one: &CriterionCrate, migrated: &OwnCrate) -> Result<Means> {
    let arguments =
        ["measure", "--profile", "bench", "--bench", one.bench, "--precision", "1%", "--time", "1s", "--json"];
    let mut tool = migrated.command(&arguments)?;
    tool.current_dir(migrated.path().join(one.name)).env("CARGO_NET_OFFLINE", "false");
    let output = tool.output()?;
    ensure!(output.status.success(), "{}: {}", one.name, String::from_utf8_lossy(&output.stderr));
    let responses: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let points = responses.iter().filter_map(|response| response["points"].as_array()).flatten();
    let mut means = Means::new();
    for point in points {
        let summary = &point["measured"]["summary"];
        let interval = &summary["mean_interval"];
        // A function that cannot be measured, or without an interval.
        if interval.is_null() {
            continue;
        }
        let input = match &point["x"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            number => number.as_f64().context("a number")?.to_string(),
        };
        let mean =
            Mean { mean: number(&summary["mean"])?, low: number(&interval["low"])?, high: number(&interval["high"])? };
        means.insert((point["function"].as_str().context("a path")?.to_owned(), input), mean);
    }
    Ok(means)
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("{value} is not a number"))
}

fn main() -> Result<()> {
    let (published, migrated) = (OwnCrate::empty()?, OwnCrate::empty()?);
    let (mut rows, mut different) = (Vec::new(), Vec::new());
    let names: Vec<String> = env::args().skip(1).collect();
    for one in CRATES.iter().filter(|one| names.is_empty() || names.iter().any(|name| name == one.name)) {
        one.copy(&published)?;
        one.copy(&migrated)?;
        one.migrate(&migrated)?;
        let (criterion, benchbook) = (with_criterion(one, &published)?, with_benchbook(one, &migrated)?);
        let of_both: Vec<_> =
            criterion.iter().filter_map(|(id, theirs)| Some((id, theirs, benchbook.get(id)?))).collect();
        let overlapping = of_both.iter().filter(|(_, theirs, ours)| theirs.overlaps(ours)).count();
        let ratios = of_both.iter().map(|(_, theirs, ours)| ours.mean / theirs.mean);
        let close = ratios.filter(|ratio| (0.95..=1.05).contains(ratio)).count();
        rows.push(format!("| {} | {} | {} | {overlapping} | {close} |", one.name, criterion.len(), of_both.len()));
        for ((path, input), theirs, ours) in of_both {
            if !theirs.overlaps(ours) {
                let (theirs, ours) = (theirs.mean, ours.mean);
                different.push(format!(
                    "{}: {path} {input}: {theirs:.1} ns, {ours:.1} ns, {:.3}",
                    one.name,
                    ours / theirs
                ));
            }
        }
        different.extend(
            criterion
                .keys()
                .filter(|id| !benchbook.contains_key(id))
                .map(|id| format!("{}: {id:?} is missing", one.name)),
        );
    }
    println!("\n| crate | benchmarks | measured by both | intervals overlap | means within 5 % |");
    println!("| --- | ---: | ---: | ---: | ---: |\n{}", rows.join("\n"));
    println!(
        "\nIntervals that do not overlap, with the means of criterion and of Benchbook, and their ratio:\n{}",
        different.join("\n")
    );
    Ok(())
}
