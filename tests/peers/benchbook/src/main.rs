//! Measures one function of the suite, or compares two, with Benchbook's host library. Prints the result as one line of JSON;
//! times are in nanoseconds per call.
//!
//! ```text
//! peer-benchbook SUITE point FUNCTION MODE      mode: 3, 4, one-percent or reference
//! peer-benchbook SUITE pair BASELINE OTHER      both together take a second
//! peer-benchbook throughput UNIT AMOUNT LOW MEAN HIGH
//! ```
//!
//! The last form measures nothing: it formats the throughput that follows from the times of another harness.

mod throughput;

use std::env;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use benchbook_contract::parameter::Arguments;
use benchbook_host::child::{MeasurementTask, NativeSuite, run_helper_if_requested};
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
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
        [suite, "point", function, mode] => point(&measure(Path::new(suite), &[function], &quality(mode)?)?)?,
        [suite, "pair", baseline, other] => pair(&measure(Path::new(suite), &[baseline, other], &pair_quality())?)?,
        ["throughput", unit, amount, low, mean, high] => json!(throughput::texts(unit, amount, [low, mean, high])?),
        _ => bail!(
            "expected SUITE point FUNCTION MODE, SUITE pair BASELINE OTHER, or throughput UNIT AMOUNT LOW MEAN HIGH"
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

fn measure(program: &Path, functions: &[&str], quality: &Quality) -> Result<Response> {
    let suite = NativeSuite::open(program)?;
    let catalog = suite.suite();
    let first = catalog.function(functions[0]).with_context(|| format!("no function `{}`", functions[0]))?;
    let generator = catalog.generator(&first.generators[0]).context("the generator is not in the catalog")?;
    let request = Request { client: "peers".to_owned(), ..Request::new(catalog.name.clone(), functions.iter().map(ToString::to_string).collect(), generator.path.clone(), Arguments::new(), Priority::LAST) };
    let plan = Plan::new(catalog, request).map_err(|problems| anyhow!("{problems:?}"))?;
    let response = suite.measure(&MeasurementTask::new(&plan, quality, "this machine"), |_| {})?;
    ensure!(response.points.len() == functions.len(), "expected one point per function: {:?}", response.points);
    Ok(response)
}

/// The mean and its interval, and the median.
fn point(response: &Response) -> Result<Value> {
    let summary = match &response.points[0].outcome {
        Outcome::Measured(measured) => &measured.summary,
        Outcome::Failed(failure) => bail!("the point failed: {}", failure.reason),
    };
    let (low, high) = summary.mean_interval.map(|interval| (interval.low, interval.high)).unzip();
    Ok(json!({ "estimate": summary.mean, "median": summary.median, "low": low, "high": high }))
}

/// The ratio of the times and its interval.
fn pair(response: &Response) -> Result<Value> {
    let at = response.comparisons.first().and_then(|comparison| comparison.ratios.first());
    let at = at.context("the response has no comparison")?;
    let (low, high) = at.interval.map(|interval| (interval.low, interval.high)).unzip();
    Ok(json!({ "estimate": at.ratio, "median": null, "low": low, "high": high }))
}
