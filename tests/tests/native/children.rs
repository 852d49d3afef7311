//! The driver of child processes: it executes the opened build, measures selected axis values, reports progress, and
//! stops on request.

use std::sync::mpsc::channel;
use std::{fs, thread};

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Range;
use benchbook_host::child::{MeasurementEvent, MeasurementTask, NativeSuite, StopHandle, SuiteError};
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::quality::Quality;
use benchbook_host::request::Plan;
use benchbook_tests::requests::{quick, request};
use benchbook_tests::suites::native;

const WELL: &str = "functions::well";

fn misbehaving() -> NativeSuite {
    NativeSuite::open(&native("misbehaving").unwrap()).unwrap()
}

/// A plan for one function of the fixture `misbehaving`.
fn plan(suite: &NativeSuite, function: &str, low: f64) -> Plan {
    let generator = suite.suite().generator("generators::sizes").unwrap();
    Plan::new(suite.suite(), request(suite.suite(), &[function], generator, Range { low, high: 20.0 })).unwrap()
}

#[test]
fn rebuilding_does_not_affect_an_opened_suite() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("suite");
    fs::copy(native("misbehaving").unwrap(), &program).unwrap();
    let bytes = fs::read(&program).unwrap();
    let suite = NativeSuite::open(&program).unwrap();
    fs::remove_file(&program).unwrap();
    fs::write(&program, "another build").unwrap();
    let plan = plan(&suite, WELL, 0.0);
    let response = suite.measure(&MeasurementTask::new(&plan, &quick(3), "test"), |_| {}).unwrap();
    assert_eq!(response.suite.fingerprint, fingerprint(&bytes));
    assert_eq!(&response.suite, suite.card());
    assert!(response.points.iter().all(|point| point.measured().is_some()), "{:?}", response.points);
}

#[test]
fn measures_only_the_selected_axis_values() {
    let suite = misbehaving();
    let plan = plan(&suite, WELL, 0.0);
    for (only, measured) in
        [(&[5.0, 20.0][..], &[5.0, 20.0][..]), (&[20.0, 15.0], &[15.0, 20.0]), (&[7.0, 10.0], &[10.0]), (&[], &[])]
    {
        let quality = quick(5);
        let only: Vec<AxisValue> = only.iter().copied().map(AxisValue::Number).collect();
        let task = MeasurementTask { only: Some(&only), ..MeasurementTask::new(&plan, &quality, "test") };
        let response = suite.measure(&task, |_| {}).unwrap();
        assert_eq!(response.points.iter().filter_map(|point| point.x.number()).collect::<Vec<_>>(), measured);
    }
}

#[test]
fn progress_covers_all_processes() {
    let suite = misbehaving();
    let plan = plan(&suite, WELL, 0.0);
    for processes in [1, 3] {
        let quality = Quality { processes, ..quick(5) };
        let (mut steps, mut points) = (Vec::new(), 0);
        let notify = |event: MeasurementEvent<'_>| match event {
            MeasurementEvent::Progress(progress) => steps.push((progress.done, progress.total)),
            MeasurementEvent::Point(_) => points += 1,
        };
        suite.measure(&MeasurementTask::new(&plan, &quality, "test"), notify).unwrap();
        assert_eq!(points, 5);
        assert!(steps.is_sorted() && steps.iter().all(|(_, of)| *of == 5), "{steps:?}");
        assert_eq!((steps[0], steps[steps.len() - 1]), ((0, 5), (5, 5)));
    }
}

/// Without the stop, these measurements would take an hour.
#[test]
fn stopping_ends_a_measurement_at_once() {
    let suite = misbehaving();
    let plan = plan(&suite, "functions::hangs", 10.0);
    let quality = Quality { timeout_ms: Some(3_600_000.0), ..quick(3) };
    let task = || MeasurementTask::new(&plan, &quality, "test");

    let early = task();
    early.stop.stop();
    assert!(matches!(suite.measure(&early, |_| panic!("unexpected event")), Err(SuiteError::Stopped)));

    let late = task();
    let (begins, begun) = channel();
    let stop: StopHandle = late.stop.clone();
    let stopper = thread::spawn(move || {
        begun.recv().unwrap();
        stop.stop();
    });
    let result = suite.measure(&late, |_| begins.send(()).unwrap_or_default());
    assert!(matches!(result, Err(SuiteError::Stopped)), "{result:?}");
    stopper.join().unwrap();
}
