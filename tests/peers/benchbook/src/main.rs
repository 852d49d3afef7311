//! Measures one function of the suite, or compares two, with Benchbook's host library. Prints the result as one line of JSON;
//! times are in nanoseconds per call.
//!
//! ```text
//! peer-benchbook SUITE point FUNCTION MODE [HISTORY]      mode: 3, 4, one-percent or reference
//! peer-benchbook SUITE pair BASELINE OTHER                both together take a second
//! peer-benchbook throughput UNIT AMOUNT LOW MEAN HIGH
//! ```
//!
//! HISTORY is the file of the machine's history, for the interval of another day. The measurement is added to it.
//!
//! The last form measures nothing: it formats the throughput that follows from the times of another harness.

mod throughput;

use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, bail, ensure};
use benchbook_contract::parameter::Arguments;
use benchbook_host::child::{MeasurementTask, NativeSuite, run_helper_if_requested};
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
use benchbook_host::repeatability::MachineHistory;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Outcome, Response};
use serde_json::{Value, json};

fn main() -> Result<()> {
    if run_helper_if_requested() {
        return Ok(());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let figures = match arguments[..] {
        [suite, "point", function, mode] => point(&measure(Path::new(suite), &[function], &quality(mode)?, None)?)?,
        [suite, "point", function, mode, history] => {
            point(&measure(Path::new(suite), &[function], &quality(mode)?, Some(Path::new(history)))?)?
        }
        [suite, "pair", baseline, other] => {
            pair(&measure(Path::new(suite), &[baseline, other], &pair_quality(), None)?)?
        }
        ["throughput", unit, amount, low, mean, high] => json!(throughput::texts(unit, amount, [low, mean, high])?),
        _ => bail!(
            "expected SUITE point FUNCTION MODE [HISTORY], SUITE pair BASELINE OTHER, or throughput UNIT AMOUNT LOW MEAN HIGH"
        ),
    };
    println!("{figures}");
    Ok(())
}

/// The default quality of a priority, or one derived from it.
fn quality(mode: &str) -> Result<Quality> {
    let qualities = Qualities::default();
    let [_, _, third, fourth]: [Quality; 4] = qualities.into();
    Ok(match mode {
        "3" => third,
        "4" => fourth,
        "one-percent" => Quality { precision: 0.01, ..third },
        // The most samples that a quality permits take about a second if batches are short, so 20 s need 20 processes. The
        // precision is one that no function reaches earlier. All times are those of all processes together.
        "reference" => Quality {
            precision: 1e-6,
            point_ms: 20_000.0,
            warm_up: BatchBounds { ms: 1_200.0, ..fourth.warm_up },
            samples: BatchCounts { at_most: 100_000, ..fourth.samples },
            processes: 20,
            ..fourth
        },
        _ => bail!("unknown mode `{mode}`; expected 3, 4, one-percent or reference"),
    })
}

/// Half a second per function, as for the 1% difference of `cargo xtask bench method`.
fn pair_quality() -> Quality {
    Quality {
        points: 2,
        precision: 0.002,
        point_ms: 500.0,
        warm_up: BatchBounds { at_least: 10, at_most: 500, ms: 100.0 },
        samples: BatchCounts { at_least: 20, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}

/// Measures with the history in `history_file`, and adds the measurement to it. Without a file, points have no interval for another day.
fn measure(program: &Path, functions: &[&str], quality: &Quality, history_file: Option<&Path>) -> Result<Response> {
    let suite = NativeSuite::open(program)?;
    let catalog = suite.suite();
    let first = catalog.function(functions[0]).with_context(|| format!("no function `{}`", functions[0]))?;
    let generator = catalog.generator(&first.generators[0]).context("the generator is not in the catalog")?;
    let request = Request {
        client: "peers".to_owned(),
        ..Request::new(
            catalog.name.clone(),
            functions.iter().map(ToString::to_string).collect(),
            generator.path.clone(),
            Arguments::new(),
            Priority::LAST,
        )
    };
    let plan = Plan::new(catalog, request).map_err(|problems| anyhow!("{problems:?}"))?;
    let mut history = history_file.map(read_history).transpose()?.unwrap_or_default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs_f64();
    let past = Arc::new(history.clone()).at(&suite.card().fingerprint, now);
    let task = MeasurementTask { past: past.clone(), ..MeasurementTask::new(&plan, quality, "this machine") };
    let response = suite.measure(&task, |_| {})?;
    ensure!(response.points.len() == functions.len(), "expected one point per function: {:?}", response.points);
    if let Some(file) = history_file {
        history.record(&past, plan.request(), &response.points);
        let written = fs::write(file, serde_json::to_string(&history)?);
        written.with_context(|| format!("failed to write {}", file.display()))?;
    }
    Ok(response)
}

/// The history so far; empty before the first measurement.
fn read_history(file: &Path) -> Result<MachineHistory> {
    if !file.exists() {
        return Ok(MachineHistory::default());
    }
    let text = fs::read_to_string(file).with_context(|| format!("failed to read {}", file.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is not a machine history. Start again with --fresh.", file.display()))
}

/// The mean with its interval and that of another day, and the median.
fn point(response: &Response) -> Result<Value> {
    let measured = match &response.points[0].outcome {
        Outcome::Measured(measured) => measured,
        Outcome::Failed(failure) => bail!("the point failed: {}", failure.reason),
    };
    let summary = &measured.summary;
    let (low, high) = summary.mean_interval.map(|interval| (interval.low, interval.high)).unzip();
    let another_day = measured
        .another_day
        .map(|another| json!({ "low": another.mean.low, "high": another.mean.high, "occasions": another.occasions }));
    Ok(json!({
        "estimate": summary.mean, "median": summary.median, "low": low, "high": high, "another_day": another_day,
    }))
}

/// The ratio of the times and its interval.
fn pair(response: &Response) -> Result<Value> {
    let at = response.comparisons.first().and_then(|comparison| comparison.ratios.first());
    let at = at.context("the response has no comparison")?;
    let (low, high) = at.interval.map(|interval| (interval.low, interval.high)).unzip();
    Ok(json!({ "estimate": at.ratio, "median": null, "low": low, "high": high }))
}
