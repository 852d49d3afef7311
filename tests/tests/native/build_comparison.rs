//! Builds of a suite that are measured together: each is an alternative like a function.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use benchbook_contract::parameter::Range;
use benchbook_host::alternative::{Alternative, RetainedCatalog, build_id};
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::{MeasurementEvent, MeasurementTask, NativeSuite, StopHandle, SuiteError};
use benchbook_host::quality::Quality;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::Response;
use benchbook_server::suites::code::SuiteCode;
use benchbook_server::suites::table::{HostedSuite, HostedSuites};
use benchbook_tests::requests::{quick, request};
use benchbook_tests::suites::native;
use tempfile::TempDir;

/// A suite, and another build of it that behaves in the same way.
struct TwoBuilds {
    current: NativeSuite,
    earlier: NativeSuite,
    _folder: TempDir,
}

impl TwoBuilds {
    fn new(package: &str) -> Self {
        let program = native(package).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let copy = another_build(&program, folder.path(), 1);
        Self {
            current: NativeSuite::open(&program).unwrap(),
            earlier: NativeSuite::open(&copy).unwrap(),
            _folder: folder,
        }
    }

    /// The function in the earlier build.
    fn earlier(&self, path: &str) -> String {
        Alternative::in_build(path, build_id(&self.earlier.card().fingerprint))
    }

    /// A request for these functions of the current build, whose texts are then replaced.
    fn request(&self, generator: &str, path: &str, functions: &[String], range: Range) -> Request {
        let suite = self.current.suite();
        let request = request(suite, &[path], suite.generator(generator).unwrap(), range);
        Request { functions: functions.to_vec(), ..request }
    }

    fn plan(&self, request: Request) -> Result<Plan, String> {
        let build = build_id(&self.earlier.card().fingerprint);
        let retained = [RetainedCatalog { build, suite: self.earlier.suite() }];
        Plan::with_builds(self.current.suite(), &retained, request)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    fn task<'a>(&'a self, plan: &'a Plan, quality: &'a Quality) -> MeasurementTask<'a> {
        let build = build_id(&self.earlier.card().fingerprint);
        MeasurementTask { builds: vec![(build, self.earlier.program())], ..MeasurementTask::new(plan, quality, "test") }
    }

    fn measure(&self, request: Request, quality: &Quality) -> Response {
        let plan = self.plan(request).unwrap();
        self.current.measure(&self.task(&plan, quality), |_| {}).unwrap()
    }
}

/// Writes a copy of an executable that behaves in the same way.
fn another_build(program: &Path, folder: &Path, number: u8) -> PathBuf {
    let copy = folder.join(format!("build-{number}"));
    fs::copy(program, &copy).unwrap();
    // Bytes after its end change the fingerprint of an executable only.
    fs::OpenOptions::new().append(true).open(&copy).unwrap().write_all(&[number]).unwrap();
    copy
}

const RANGE: Range = Range { low: 1_000.0, high: 2_000.0 };

#[test]
fn two_builds_are_measured_together_and_their_ratio_is_paired() {
    let builds = TwoBuilds::new("ladder");
    let functions = [builds.earlier("rungs::one"), "rungs::one".to_owned(), "rungs::two".to_owned()];
    let request = builds.request("walks::walks", "rungs::one", &functions, RANGE);
    for processes in [1, 3] {
        let quality = Quality { processes, point_ms: 200.0 * f64::from(processes), ..quick(2) };
        let response = builds.measure(request.clone(), &quality);
        assert_eq!(response.points.len(), 6);
        for point in &response.points {
            let measured = point.measured().unwrap_or_else(|| panic!("{point:?}"));
            assert_eq!(measured.runs.len(), processes as usize);
        }
        let pairs: Vec<_> =
            response.comparisons.iter().map(|pair| (pair.baseline.as_str(), pair.other.as_str())).collect();
        let [before, one, two] = functions.each_ref().map(String::as_str);
        assert_eq!(pairs, [(before, one), (before, two), (one, two)]);
        for ratio in response.comparisons.iter().flat_map(|pair| &pair.ratios) {
            assert!(ratio.interval.is_some(), "the blocks are paired: {ratio:?}");
        }
    }
}

#[test]
fn a_build_that_fails_does_not_prevent_the_other_from_being_measured() {
    let builds = TwoBuilds::new("misbehaving");
    let functions = ["functions::well".to_owned(), builds.earlier("functions::panics")];
    let request = builds.request("generators::sizes", "functions::well", &functions, Range { low: 10.0, high: 20.0 });
    let response = builds.measure(request, &quick(2));
    for point in &response.points {
        assert_eq!(point.measured().is_some(), point.function == "functions::well", "{point:?}");
    }
}

#[test]
fn a_comparison_of_builds_stops_at_once() {
    let builds = TwoBuilds::new("misbehaving");
    let functions = [builds.earlier("functions::hangs"), "functions::well".to_owned()];
    let request = builds.request("generators::sizes", "functions::well", &functions, Range { low: 10.0, high: 20.0 });
    let plan = builds.plan(request).unwrap();
    let quality = Quality { timeout_ms: Some(3_600_000.0), ..quick(2) };
    let stop = StopHandle::default();
    let (started, has_started) = channel();
    let stopping = stop.clone();
    let stopper = thread::spawn(move || {
        has_started.recv().unwrap();
        stopping.stop();
    });
    let task = MeasurementTask { stop, ..builds.task(&plan, &quality) };
    let stopped = builds.current.measure(&task, |event| {
        if let MeasurementEvent::Progress(_) = event {
            let _ = started.send(());
        }
    });
    assert!(matches!(stopped, Err(SuiteError::Stopped)), "{stopped:?}");
    stopper.join().unwrap();
}

#[test]
fn unknown_builds_and_functions_are_rejected() {
    let builds = TwoBuilds::new("ladder");
    let of = |functions: &[String]| builds.plan(builds.request("walks::walks", "rungs::one", functions, RANGE));
    let known = build_id(&builds.earlier.card().fingerprint).to_owned();
    for (function, expected) in [
        (
            "rungs::one@0123456789ab".to_owned(),
            format!("the build `0123456789ab` is no longer kept; available: {known}"),
        ),
        (builds.earlier("rungs::zero"), format!("no function `rungs::zero` in the build `{known}`")),
    ] {
        assert_eq!(of(&["rungs::one".to_owned(), function]).unwrap_err(), format!("functions[1]: {expected}"));
    }
    let request = builds.request("walks::walks", "rungs::one", &[builds.earlier("rungs::one")], RANGE);
    let first_calls = builds.plan(Request { first_calls: true, ..request.clone() }).unwrap_err();
    assert!(first_calls.starts_with("first_calls: "), "{first_calls}");
    let elsewhere = Plan::new(builds.current.suite(), request).unwrap_err();
    assert_eq!(elsewhere[0].message, format!("no build `{known}` is kept here"));
}

#[test]
fn a_runner_keeps_the_latest_four_builds_that_were_replaced() {
    let program = native("ladder").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let builds: Vec<Arc<HostedSuite>> = (0..7)
        .map(|number| {
            let native = NativeSuite::open(&another_build(&program, folder.path(), number)).unwrap();
            let (suite, card) = (native.suite().clone(), native.card().clone());
            let entry = SuiteEntry { suite, card, wasm: None, can_count: false, retained: Vec::new() };
            Arc::new(HostedSuite { native, entry, wasm: None, code: SuiteCode::default() })
        })
        .collect();
    let mut suites = HostedSuites::default();
    let mut replace_by = |number: usize| -> Vec<usize> {
        let mut new = HostedSuites { hosted: vec![Arc::clone(&builds[number])], ..HostedSuites::default() };
        new.retain_from(&suites);
        suites = new;
        let number_of = |build: &Arc<HostedSuite>| builds.iter().position(|other| Arc::ptr_eq(other, build)).unwrap();
        suites.builds("ladder").map(number_of).collect()
    };
    assert_eq!(replace_by(0), [0]);
    assert_eq!(replace_by(1), [1, 0]);
    (2..6).for_each(|number| drop(replace_by(number)));
    assert_eq!(replace_by(6), [6, 5, 4, 3, 2]);
    // A change that was undone.
    assert_eq!(replace_by(4), [4, 6, 5, 3, 2]);
    assert_eq!(replace_by(0), [0, 4, 6, 5, 3]);
}
