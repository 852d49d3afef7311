//! Benchbook in Chromium, with the time of another harness.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use benchbook_contract::parameter::Arguments;
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Quality};
use benchbook_host::request::Request;
use benchbook_host::response::Outcome;
use benchbook_tests::chromium::ChromiumSuite;
use benchbook_tests::requests::for_all_priorities;

use crate::BrowserFigures;

/// The workers of a reference; each measures for a second.
const REFERENCE_WORKERS: u32 = 20;

pub(crate) async fn measure(module: &Path, function: &str, seconds: &str) -> Result<BrowserFigures> {
    let quality = match seconds {
        "reference" => quality(f64::from(REFERENCE_WORKERS), REFERENCE_WORKERS),
        seconds => quality(seconds.parse().context("failed to parse the number of seconds")?, 1),
    };
    let mut suite = ChromiumSuite::open(module).await?;
    let request = request(&suite, function)?;
    let start = Instant::now();
    let response = suite.measure(request, &for_all_priorities(quality)).await?;
    let wall_seconds = start.elapsed().as_secs_f64();
    suite.close().await?;
    let summary = match &response.points.first().context("the response has no points")?.outcome {
        Outcome::Measured(measured) => &measured.summary,
        Outcome::Failed(failure) => bail!("the point failed: {}", failure.reason),
    };
    let (low, high) = summary.mean_interval.map(|interval| (interval.low, interval.high)).unzip();
    Ok(BrowserFigures { estimate: summary.mean, median: summary.median, low, high, wall_seconds })
}

fn request(suite: &ChromiumSuite, function: &str) -> Result<Request> {
    let suite = suite.suite();
    let path = format!("{function}::call");
    let generators = &suite.function(&path).with_context(|| format!("the suite has no function {path}"))?.generators;
    Ok(Request {
        client: "peers".to_owned(),
        ..Request::new(
            suite.name.clone(),
            vec![path],
            generators.first().context("the function has a generator")?.clone(),
            Arguments::new(),
            Priority::FIRST,
        )
    })
}

/// A precision target that no function reaches earlier.
fn quality(seconds: f64, workers: u32) -> Quality {
    let point_ms = 1e3 * seconds;
    Quality {
        points: 2,
        precision: 1e-6,
        point_ms,
        warm_up: BatchBounds { at_least: 10, at_most: 500 * workers, ms: point_ms / 5.0 },
        samples: BatchCounts { at_least: 20, at_most: 100_000 },
        processes: workers,
        timeout_ms: None,
    }
}
