//! Measures the benches of five crates, or of those that are named, with criterion, then unedited with Benchbook, and again with criterion, and
//! compares the mean times. The two runs of criterion show how far equal measurements differ on this machine. Benchmarks whose intervals do not
//! overlap are measured several more times with criterion: each run is a process of its own, whose addresses can change the time of the same code.

use std::collections::BTreeMap;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use benchbook_build::{host, native_flag};
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

/// The seconds for which criterion warms up, and for which either measures a benchmark. Older versions of criterion accept integers only.
const SECONDS: &str = "1";

/// The runs of criterion for each benchmark whose intervals do not overlap, besides the first two.
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
            let mean = Mean {
                mean: number(&mean["point_estimate"])?,
                low: number(&interval["lower_bound"])?,
                high: number(&interval["upper_bound"])?,
            };
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

/// Measures with Benchbook, for at most the same time per benchmark, with the same profile.
fn with_benchbook(one: &CriterionCrate, migrated: &OwnCrate) -> Result<BenchbookResults> {
    let time = format!("{SECONDS}s");
    let arguments = ["measure", "--profile", "bench", "--bench", one.bench, "--precision", "1%", "--time", &time];
    let mut tool = migrated.command(&arguments)?;
    tool.arg("--json");
    tool.current_dir(migrated.path().join(one.name)).env("CARGO_NET_OFFLINE", "false");
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
            let mean = number(&summary["mean"])?;
            let mean = Mean { mean, low: number(&interval["low"])?, high: number(&interval["high"])? };
            results.means.insert(id, mean);
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
        let [first, second] = self.criterion;
        Mean { low: first.low.min(second.low), high: first.high.max(second.high), ..first }.overlaps(&self.benchbook)
    }

    /// Whether the interval of Benchbook overlaps this range.
    fn is_within(&self, low: f64, high: f64) -> bool {
        self.benchbook.low <= high && low <= self.benchbook.high
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
}

/// The lowest and the highest mean of the first two runs of a benchmark and of more.
fn range_of_runs(one: &CriterionCrate, published: &OwnCrate, name: &str, first: [Mean; 2]) -> Result<(f64, f64)> {
    let mut means = first.map(|run| run.mean).to_vec();
    for run in 0..MORE_RUNS {
        let folder = format!("more/{}/{run}", name.replace('/', "-"));
        means.extend(with_criterion(one, published, &folder, Some(name))?.means.values().map(|run| run.mean));
    }
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    Ok((low, means.iter().copied().fold(0.0, f64::max)))
}

/// The median of how far ratios are from 1, as a percentage.
fn median_difference(ratios: impl Iterator<Item = f64>) -> String {
    let mut differences: Vec<f64> = ratios.map(|ratio| ratio.ln().abs().exp_m1() * 100.0).collect();
    differences.sort_by(f64::total_cmp);
    differences.get(differences.len() / 2).map_or_else(String::new, |median| format!("{median:.1} %"))
}

fn main() -> Result<()> {
    let (published, migrated) = (OwnCrate::empty()?, OwnCrate::empty()?);
    let (mut rows, mut different) = (Vec::new(), Vec::new());
    let chosen: Vec<String> = env::args().skip(1).collect();
    for one in CRATES.iter().filter(|one| chosen.is_empty() || chosen.iter().any(|name| name == one.name)) {
        one.copy(&published)?;
        one.copy(&migrated)?;
        one.migrate(&migrated)?;
        let CriterionResults { means: first, names } = with_criterion(one, &published, "first", None)?;
        let benchbook = with_benchbook(one, &migrated)?;
        let second = with_criterion(one, &published, "second", None)?.means;
        let of_both = first.iter().filter_map(|(id @ (path, input), first)| {
            let criterion = [*first, *second.get(id)?];
            Some(Compared { path, input, criterion, benchbook: *benchbook.means.get(id)? })
        });
        let of_both: Vec<Compared<'_>> = of_both.collect();
        let agreeing = of_both.iter().filter(|one| one.agrees()).count();
        let repeated = of_both.iter().filter(|one| one.criterion[0].overlaps(&one.criterion[1])).count();
        let mut of_more_runs = 0;
        for compared in of_both.iter().filter(|one| !one.agrees()) {
            let name = &names[&(compared.path.to_owned(), compared.input.to_owned())];
            let (low, high) = range_of_runs(one, &published, name, compared.criterion)?;
            let (mean, is_within) = (compared.benchbook.mean, compared.is_within(low, high));
            of_more_runs += usize::from(is_within);
            different.push(format!(
                "{} {name}: {low:.1} to {high:.1} ns in {} runs of criterion, {mean:.1} ns{}",
                one.name,
                MORE_RUNS + 2,
                if is_within { "" } else { ", outside" },
            ));
        }
        rows.push(format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            one.name,
            first.len(),
            of_both.len(),
            agreeing,
            agreeing + of_more_runs,
            repeated,
            median_difference(of_both.iter().map(Compared::ratio)),
            median_difference(of_both.iter().map(Compared::repetition)),
        ));
        different.extend(first.keys().filter(|id| !benchbook.means.contains_key(*id)).map(|id| {
            let reason = benchbook.missing.get(id).map_or("not reported", String::as_str);
            format!("{}: {} {} has no interval: {reason}", one.name, id.0, id.1)
        }));
        println!("\n{}", rows.last().map_or("", String::as_str));
    }
    println!(
        "\n| crate | benchmarks | measured by both | intervals overlap | or within more runs of criterion | criterion's two intervals overlap | median difference | of criterion's two runs |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n{}", rows.join("\n"));
    println!(
        "\nIntervals that do not overlap, with the range of criterion's means and Benchbook's mean:\n{}",
        different.join("\n")
    );
    Ok(())
}
