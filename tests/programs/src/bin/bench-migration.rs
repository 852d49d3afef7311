//! Measures the benches of five crates, or of those that are named, with criterion, then without an edit with Benchbook, and again with criterion, and
//! compares the mean times. The two runs of criterion show how far equal measurements differ on this machine. Benchmarks whose intervals do not
//! overlap are measured several more times, with both alternately: minutes lie between the first runs, in which the speed of a shared machine
//! changes, and each run of criterion is a process of its own, whose addresses can change the time of the same code.

use std::collections::BTreeMap;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::{host, native_flag};
use benchbook_host::analyze::interval::Interval;
use benchbook_tests::criterion_crates::{CRATES, CriterionCrate, UNEDITED};
use benchbook_tests::own_crate::OwnCrate;
use serde_json::Value;
use walkdir::WalkDir;

/// A mean time in nanoseconds, with its interval of 95%.
#[derive(Clone, Copy, Debug)]
struct Mean {
    mean: f64,
    interval: Interval,
}

fn overlap(one: Interval, other: Interval) -> bool {
    one.low <= other.high && other.low <= one.high
}

/// The smallest interval that contains all `intervals`; for none, an empty one (∞ to −∞).
fn hull(intervals: impl IntoIterator<Item = Interval>) -> Interval {
    let empty = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
    intervals
        .into_iter()
        .fold(empty, |hull, one| Interval { low: hull.low.min(one.low), high: hull.high.max(one.high) })
}

/// The mean times by the path of the function and the input, which is empty if the function has none.
type Means = BTreeMap<(String, String), Mean>;

/// The seconds for which criterion warms up, and for which either measures a benchmark. Older versions of criterion accept integers only.
const SECONDS: &str = "1";

/// The alternating runs for each benchmark whose intervals do not overlap.
const MORE_RUNS: usize = 6;

/// What criterion has measured.
#[derive(Default)]
struct CriterionResults {
    means: Means,
    /// The benchmarks' names in criterion.
    names: BTreeMap<(String, String), String>,
}

/// Measures with criterion, compiled with the flags of suites, all benchmarks or the one of this name, and reads the results that it saves in the
/// folder of this name.
fn with_criterion(
    one: &CriterionCrate,
    published: &OwnCrate,
    folder: &str,
    name: Option<&str>,
) -> Result<CriterionResults> {
    // Outside the crate: a changed file there would make cargo run its build script again.
    let results = published.path().join("results").join(one.name).join(folder);
    let mut cargo = one.cargo(published);
    cargo.envs(native_flag(&host()?).map(|flag| ("RUSTFLAGS", flag)));
    cargo.env("CRITERION_HOME", &results).args(["bench", "--bench", one.bench, "--"]);
    let times = ["--warm-up-time", SECONDS, "--measurement-time", SECONDS];
    cargo.args(name.map(|name| format!("^{}$", regex::escape(name))));
    let status = cargo.args(["--noplot", "--nresamples", "10000"]).args(times).status()?;
    ensure!(status.success(), "criterion failed in {}", one.name);
    let mut measured = CriterionResults::default();
    for file in WalkDir::new(&results) {
        let file = file?;
        if file.path().ends_with("new/benchmark.json") {
            let read = |path| -> Result<Value> { Ok(serde_json::from_str(&fs::read_to_string(path)?)?) };
            let (id, estimates) = (read(file.path())?, read(&file.path().with_file_name("estimates.json"))?);
            let text = |name: &str| id[name].as_str().map(str::to_owned);
            let path = [text("group_id"), text("function_id")].into_iter().flatten().collect::<Vec<_>>().join("::");
            let (mean, interval) = (&estimates["mean"], &estimates["mean"]["confidence_interval"]);
            let interval = Interval { low: number(&interval["lower_bound"])?, high: number(&interval["upper_bound"])? };
            let mean = Mean { mean: number(&mean["point_estimate"])?, interval };
            let id = (path, text("value_str").unwrap_or_default());
            measured.names.insert(id.clone(), text("full_id").context("a name")?);
            measured.means.insert(id, mean);
        }
    }
    Ok(measured)
}

/// The mean times that Benchbook measured.
#[derive(Default)]
struct BenchbookResults {
    means: Means,
    /// Why benchmarks have no mean time with an interval.
    missing: BTreeMap<(String, String), String>,
}

/// Measures with Benchbook, for at most the same time per benchmark, with the same profile, all benchmarks or those that `selection`, further
/// arguments, selects.
fn with_benchbook(one: &CriterionCrate, published: &OwnCrate, selection: &[&str]) -> Result<BenchbookResults> {
    let time = format!("{SECONDS}s");
    let arguments = ["measure", "--profile", "bench", "--bench", one.bench, "--precision", "1%", "--time", &time];
    let mut tool = published.command(&arguments)?;
    tool.arg("--json").args(selection);
    tool.current_dir(published.path().join(one.name)).env("CARGO_NET_OFFLINE", "false");
    let output = tool.output()?;
    ensure!(output.status.success(), "{}: {}", one.name, String::from_utf8_lossy(&output.stderr));
    let responses: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let points = responses.iter().filter_map(|response| response["points"].as_array()).flatten();
    let mut results = BenchbookResults::default();
    for point in points {
        let input = match &point["x"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            number => number.as_f64().context("a number")?.to_string(),
        };
        let id = (point["function"].as_str().context("a path")?.to_owned(), input);
        let summary = &point["measured"]["summary"];
        let interval = &summary["mean_interval"];
        if interval.is_null() {
            let reason = if summary.is_null() { &point["failed"] } else { summary };
            results.missing.insert(id, reason.to_string());
        } else {
            let interval = Interval { low: number(&interval["low"])?, high: number(&interval["high"])? };
            results.means.insert(id, Mean { mean: number(&summary["mean"])?, interval });
        }
    }
    Ok(results)
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("{value} is not a number"))
}

/// A benchmark that both have measured.
struct Compared<'m> {
    path: &'m str,
    input: &'m str,
    /// The two runs of criterion.
    criterion: [Mean; 2],
    benchbook: Mean,
}

impl Compared<'_> {
    /// Whether the interval of Benchbook overlaps the range of both intervals of criterion.
    fn agrees(&self) -> bool {
        overlap(hull(self.criterion.map(|run| run.interval)), self.benchbook.interval)
    }

    /// Whether the intervals of criterion overlap.
    fn repeats(&self) -> bool {
        let [first, second] = self.criterion;
        overlap(first.interval, second.interval)
    }

    /// The ratio of Benchbook's mean to the geometric mean of those of criterion.
    fn ratio(&self) -> f64 {
        let [first, second] = self.criterion;
        self.benchbook.mean / (first.mean * second.mean).sqrt()
    }

    /// The ratio of criterion's means.
    fn repetition(&self) -> f64 {
        let [first, second] = self.criterion;
        second.mean / first.mean
    }

    /// Measures it several more times, with both alternately. `name`: its name in criterion.
    fn alternate(&self, one: &CriterionCrate, published: &OwnCrate, name: &str) -> Result<Ranges> {
        let input = format!("input={}", self.input);
        let selection = if self.input.is_empty() { vec![self.path] } else { vec![self.path, "--set", &input] };
        let (mut criterion, mut benchbook) = (Vec::new(), Vec::new());
        for run in 0..MORE_RUNS {
            let folder = format!("more/{}/{run}", name.replace('/', "-"));
            criterion.extend(with_criterion(one, published, &folder, Some(name))?.means.into_values());
            // The path may be the end of others. A single input is no axis value.
            let id = (self.path.to_owned(), String::new());
            let BenchbookResults { means, missing } = with_benchbook(one, published, &selection)?;
            let Some(mean) = means.get(&id) else { bail!("{name} was not measured again: {missing:?}") };
            benchbook.push(*mean);
        }
        let range = |runs: &[Mean]| hull(runs.iter().map(|run| Interval { low: run.mean, high: run.mean }));
        Ok(Ranges { criterion: range(&criterion), benchbook: range(&benchbook) })
    }
}

/// The ranges of the mean times in alternating runs.
struct Ranges {
    criterion: Interval,
    benchbook: Interval,
}

/// The comparison of a crate.
struct Report {
    /// Its row in the table.
    row: String,
    /// The benchmarks whose intervals do not overlap, and those without an interval.
    different: Vec<String>,
}

/// The columns of [`Report::row`].
const COLUMNS: &str = "\
| crate | benchmarks | measured by both | intervals overlap | or ranges of alternating runs | criterion's two intervals overlap | median difference | of criterion's two runs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// Measures a crate's benches with criterion and with Benchbook, and compares the means.
fn compare(one: &CriterionCrate, published: &OwnCrate) -> Result<Report> {
    let CriterionResults { means: first, names } = with_criterion(one, published, "first", None)?;
    let benchbook = with_benchbook(one, published, &[])?;
    let second = with_criterion(one, published, "second", None)?.means;
    let of_both = first.iter().filter_map(|(id @ (path, input), first)| {
        let criterion = [*first, *second.get(id)?];
        Some(Compared { path, input, criterion, benchbook: *benchbook.means.get(id)? })
    });
    let of_both: Vec<Compared<'_>> = of_both.collect();
    let agreeing = of_both.iter().filter(|compared| compared.agrees()).count();
    let (mut of_more_runs, mut different) = (0, Vec::new());
    for compared in of_both.iter().filter(|compared| !compared.agrees()) {
        let name = &names[&(compared.path.to_owned(), compared.input.to_owned())];
        let Ranges { criterion, benchbook } = compared.alternate(one, published, name)?;
        let overlaps = overlap(criterion, benchbook);
        of_more_runs += usize::from(overlaps);
        let [first, second] = compared.criterion.map(|run| run.mean);
        different.push(format!(
            "{} {name}: {first:.1} and {second:.1} ns in criterion, {:.1} ns in Benchbook; alternately, {:.1} to {:.1} ns and {:.1} to {:.1} ns{}",
            one.name,
            compared.benchbook.mean,
            criterion.low,
            criterion.high,
            benchbook.low,
            benchbook.high,
            if overlaps { "" } else { ", different" },
        ));
    }
    different.extend(first.keys().filter(|id| !benchbook.means.contains_key(*id)).map(|id| {
        let reason = benchbook.missing.get(id).map_or("not reported", String::as_str);
        format!("{}: {} {} has no interval: {reason}", one.name, id.0, id.1)
    }));
    let row = format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} |",
        one.name,
        first.len(),
        of_both.len(),
        agreeing,
        agreeing + of_more_runs,
        of_both.iter().filter(|compared| compared.repeats()).count(),
        median_difference(of_both.iter().map(Compared::ratio)),
        median_difference(of_both.iter().map(Compared::repetition)),
    );
    Ok(Report { row, different })
}

/// The median of how far ratios are from 1, as a percentage.
fn median_difference(ratios: impl Iterator<Item = f64>) -> String {
    let mut differences: Vec<f64> = ratios.map(|ratio| ratio.ln().abs().exp_m1() * 100.0).collect();
    differences.sort_by(f64::total_cmp);
    differences.get(differences.len() / 2).map_or_else(String::new, |median| format!("{median:.1}%"))
}

fn main() -> Result<()> {
    let published = OwnCrate::empty()?;
    published.optimise_dependencies()?;
    let (mut rows, mut different) = (Vec::new(), Vec::new());
    let chosen: Vec<String> = env::args().skip(1).collect();
    let is_chosen = |one: &&CriterionCrate| chosen.iter().any(|name| name == one.name);
    let crates: Vec<&CriterionCrate> = match chosen.is_empty() {
        true => CRATES.iter().collect(),
        false => CRATES.iter().chain(&UNEDITED).filter(is_chosen).collect(),
    };
    ensure!(!crates.is_empty(), "no crate of this comparison is named {}", chosen.join(" or "));
    for one in crates {
        one.copy(&published)?;
        let report = compare(one, &published)?;
        println!("\n{COLUMNS}\n{}\n\n{}", report.row, report.different.join("\n"));
        rows.push(report.row);
        different.extend(report.different);
    }
    println!("\n{COLUMNS}\n{}", rows.join("\n"));
    println!(
        "\nIntervals that do not overlap, with the ranges of the means in {MORE_RUNS} alternating runs, and missing intervals:\n{}",
        different.join("\n")
    );
    Ok(())
}
