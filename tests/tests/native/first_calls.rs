//! First calls, natively: each timed call is the first of its process.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result};
use benchbook_contract::parameter::Argument;
use benchbook_host::api::{MeasureResponse, StoredResult};
use benchbook_host::child::{ChildSettings, MeasurementTask, NativeSuite, SuiteError};
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{FailureKind, FirstCalls, MeasuredPoint, Point};
use benchbook_isolate::{Guard, Launcher};
use benchbook_tests::openapi::Document;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::requests::quick;
use benchbook_tests::suites::native;

/// The time limit is never reached, so that the number of processes does not depend on the machine.
fn quality() -> Quality {
    Quality { point_ms: 600_000.0, precision: 1.0, timeout_ms: Some(600_000.0), ..quick(2) }
}

fn suite() -> NativeSuite {
    let guard = Guard { core: Some(0), ..Guard::default() };
    let launcher = Some(Launcher::at(Path::new(env!("CARGO_BIN_EXE_endless-host"))));
    let settings = ChildSettings { launcher, guard, ..ChildSettings::default() };
    NativeSuite::open_with(&native("misbehaving").unwrap(), settings).unwrap()
}

fn request(log: &Path, severity: f64) -> Request {
    let path = Argument::Text(log.to_str().unwrap().to_owned());
    Request {
        first_calls: true,
        ..Request::new(
            "misbehaving",
            vec!["processes::logs_its_calls".to_owned()],
            "processes::logs",
            [("path".to_owned(), path), ("severity".to_owned(), Argument::Number(severity))].into(),
            Priority::FIRST,
        )
    }
}

/// The number of logged calls of each process.
fn processes(log: &Path) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap_or_default().lines() {
        let (process, _) = line.split_once(' ').unwrap();
        *counts.entry(process.to_owned()).or_default() += 1;
    }
    counts
}

/// Measures a single point, and returns it with the processes of its calls.
fn measure(severity: f64, quality: &Quality) -> (Point, Vec<usize>) {
    let (folder, suite) = (tempfile::tempdir().unwrap(), suite());
    let log = folder.path().join("log");
    let plan = Plan::new(suite.suite(), request(&log, severity)).unwrap();
    let mut points = suite.measure(&MeasurementTask::new(&plan, quality, "this machine"), |_| {}).unwrap().points;
    assert_eq!(points.len(), 1);
    (points.swap_remove(0), processes(&log).into_values().collect())
}

fn first_calls(point: &Point) -> &FirstCalls {
    point.measured().unwrap().first_calls.as_ref().unwrap()
}

#[test]
fn every_timed_call_is_the_first_of_its_process() {
    for processes in [1, 2] {
        let (point, counts) = measure(0.0, &Quality { processes, ..quality() });
        let FirstCalls { call, compilation, failure } = first_calls(&point);
        let call = call.as_ref().unwrap();
        // The processes of the steady state call more often.
        let steady = counts.iter().filter(|&&calls| calls > 1).count();
        assert_eq!(steady, processes as usize, "{counts:?}");
        assert_eq!(counts.len() - steady, call.samples.len(), "{counts:?}");
        assert_eq!((call.summary.n as usize, call.samples[0].warm_up), (call.samples.len() - 1, true));
        assert!((16..=100).contains(&call.summary.n) && call.summary.min > 0.0, "{call:?}");
        assert_eq!((compilation, failure), (&None, &None));
    }
}

#[test]
fn without_the_option_no_further_process_starts() {
    let (folder, suite) = (tempfile::tempdir().unwrap(), suite());
    let log = folder.path().join("log");
    let plan = Plan::new(suite.suite(), Request { first_calls: false, ..request(&log, 0.0) }).unwrap();
    let points = suite.measure(&MeasurementTask::new(&plan, &quality(), "this machine"), |_| {}).unwrap().points;
    assert_eq!(points[0].measured().unwrap().first_calls, None);
    assert_eq!(processes(&log).len(), 1);
}

/// The process of the measurement is the first of six.
#[test]
fn a_failure_leaves_the_figures_and_the_calls_before_it() {
    for (severity, kind, reason) in
        [(10.0, FailureKind::Panic, "too many processes"), (20.0, FailureKind::TimedOut, "")]
    {
        let quality = Quality { timeout_ms: Some(2_000.0), ..quality() };
        let (point, counts) = measure(severity, &quality);
        assert_eq!(counts.len(), 6);
        let FirstCalls { call, failure, .. } = first_calls(&point);
        let failure = failure.as_ref().unwrap();
        assert!(failure.kind == kind && failure.reason.contains(reason), "{failure:?}");
        // Four processes have made their call, and the first of them does not count.
        assert_eq!(call.as_ref().unwrap().summary.n, 3);
    }
}

#[test]
fn a_stop_ends_a_first_call_that_never_returns() {
    let (folder, suite) = (tempfile::tempdir().unwrap(), suite());
    let log = folder.path().join("log");
    let plan = Plan::new(suite.suite(), request(&log, 20.0)).unwrap();
    let quality = quality();
    let task = MeasurementTask::new(&plan, &quality, "this machine");
    let stop = task.stop.clone();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            while processes(&log).len() < 6 {
                thread::yield_now();
            }
            stop.stop();
        });
        suite.measure(&task, |_| {})
    });
    assert!(matches!(outcome, Err(SuiteError::Stopped)), "{outcome:?}");
}

fn values(response: &MeasureResponse) -> usize {
    response.metrics.iter().filter(|curve| curve.metric == "first_call").map(|curve| curve.values.len()).sum()
}

#[tokio::test(flavor = "current_thread")]
async fn a_runner_measures_stores_and_finds_first_calls() -> Result<()> {
    let ready: ReadyRunner = RunnerSetup { suites: vec![native("ladder")?], ..RunnerSetup::default() }.start().await?;
    let without = ready.request(&["rungs::one", "rungs::two"], 1);
    let with = Request { first_calls: true, ..without.clone() };
    assert_eq!(values(&ready.measure(&without).await?), 0);
    // The stored points have no first calls.
    let measured = ready.measure(&with).await?;
    assert_eq!((measured.results.as_slice(), values(&measured)), (&[2][..], measured.points.len()));
    assert!(measured.request.first_calls);
    let has_calls = |measured: &MeasuredPoint| {
        measured
            .first_calls
            .as_ref()
            .is_some_and(|first_calls| first_calls.call.is_some() && first_calls.failure.is_none())
    };
    assert!(measured.points.iter().all(|point| point.measured().is_some_and(has_calls)));
    // Both requests find the new ones.
    for request in [&with, &without] {
        let found = ready.measure(request).await?;
        assert_eq!((found.results.as_slice(), values(&found)), (&[2][..], found.points.len()));
        assert_eq!(found.points, measured.points);
    }
    let stored: StoredResult = ready.runner.get("results/2").send().await?.json().await?;
    assert!(stored.response.request.first_calls);
    assert!(stored.response.points.iter().all(|point| point.measured().is_some_and(has_calls)));

    let document = Document::read(&ready.runner.get("openapi.json").send().await?.text().await?)?;
    for point in &measured.points {
        let point = serde_json::to_value(point)?;
        document.check_schema("Point", &point)?;
        let first_calls = point.pointer("/measured/first_calls").context("first calls")?;
        document.check_schema("StartUpTimes", &first_calls["call"])?;
    }
    document.check_schema("Request", &serde_json::to_value(&with)?)?;
    Ok(())
}
