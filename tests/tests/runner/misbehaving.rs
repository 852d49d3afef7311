//! Suites that misbehave, measured by the runner: their points fail with a reason, and other clients are unaffected.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::PathBuf;

use benchbook_host::api::{MeasureResponse, QueueLoad};
use benchbook_host::request::Request;
use benchbook_host::response::FailureKind::{self, Contract, Generator, Memory, Panic, TimedOut, Trap};
use benchbook_host::response::Outcome;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::scratch::{folders, prefix};
use benchbook_tests::suites::{fixture, impostor};
use rustix::thread::{CpuSet, sched_getaffinity};

/// At most four replies of 16 MiB are queued while one is read and one is processed.
const MAX_BYTES: u64 = 150 << 20;

/// The limits of child processes. Isolated ones could not start processes or connect to a listener.
const LIMITS: &str = "isolation = \"none\"\n[children]\ncpu_seconds = 2\nopen_files = 64\nfile_bytes = 1048576\n";

/// Functions that succeed natively, or fail only with a listener.
const HARMLESS: [&str; 11] = [
    "functions::well",
    "functions::nothing",
    "functions::copes",
    "functions::reads_the_clock",
    "functions::spawns",
    "functions::prints",
    "functions::catches",
    "processes::logs_its_calls",
    "processes::reports_its_limits",
    "processes::starts_a_process",
    "processes::waits_for_a_listener",
];

/// Starts a runner of these suites, with a time limit of a second.
async fn start(suites: Vec<PathBuf>) -> ReadyRunner {
    let start = RunnerSetup { suites, lines: LIMITS.to_owned(), timeout_ms: Some(1_000), ..RunnerSetup::default() };
    start.start().await.unwrap()
}

/// Asserts that the point at the greatest axis value failed for this reason.
#[track_caller]
fn assert_failed(response: &MeasureResponse, kind: FailureKind, expected: &[&str]) {
    let last = response.points.last().unwrap();
    let Outcome::Failed(failure) = &last.outcome else { panic!("{} at {} was measured", last.function, last.x) };
    assert_eq!(failure.kind, kind, "{failure:?}");
    for expected in expected {
        assert!(failure.reason.contains(expected), "{:?} does not contain {expected:?}", failure.reason);
    }
    assert!(failure.reason.len() < 20_000, "{} bytes", failure.reason.len());
}

/// Asserts that another client's request is measured. The seed makes it a new request.
async fn assert_other_client_is_unaffected(ready: &ReadyRunner, seed: u64) {
    let request = ready.request(&["rungs::one"], 1);
    let response = ready.measure(&Request { client: "another".to_owned(), seed: Some(seed), ..request }).await.unwrap();
    assert!(
        response.points.len() == 3 && response.points.iter().all(|point| point.measured().is_some()),
        "{response:?}"
    );
}

/// The processes of the runner's suites and their descendants: their environment names one of its scratch folders.
fn descendants(runner: u32) -> Vec<PathBuf> {
    let mine = prefix(runner);
    let sees = |process: &PathBuf| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&mine)
    };
    fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path())).filter(sees).collect()
}

/// The number of scratch folders of the runner's suites.
fn scratch(runner: u32) -> usize {
    folders(runner).unwrap().len()
}

/// The runner's peak memory, in bytes.
fn peak(runner: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{runner}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_functions_do_not_affect_other_clients() {
    let ready = start(["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec()).await;
    let runner = ready.runner.id();
    assert_other_client_is_unaffected(&ready, 0).await;
    let before = peak(runner);
    let table: [(&str, FailureKind, &[&str]); 21] = [
        ("functions::panics", Panic, &["panicked at ", "16 is too much for me"]),
        ("functions::traps", Trap, &["SIGABRT"]),
        ("functions::hangs", TimedOut, &["nothing finished within 1 s"]),
        ("functions::exhausts", Memory, &["out of memory", "bound of 67108864 bytes"]),
        ("functions::recurs", Trap, &["SIGABRT", "its last output: ", "stack overflow"]),
        ("functions::exits", Trap, &["exit status: 3", "its last output: I have had enough"]),
        ("generators::takes", Generator, &["the generator panicked at ", "no workload of size 16"]),
        ("processes::crashes", Trap, &["SIGSEGV"]),
        ("processes::is_killed", Trap, &["SIGKILL"]),
        ("processes::complains_and_hangs", TimedOut, &["its last output: I am waiting for a lock"]),
        ("processes::floods", TimedOut, &["its last output: xxxx"]),
        ("processes::fills_the_disk", Trap, &["SIGXFSZ"]),
        ("processes::opens_files", Panic, &["Too many open files"]),
        ("processes::computes", TimedOut, &["nothing finished within 1 s"]),
        ("processes::maps_memory", Panic, &["no stack"]),
        ("processes::panics_at_length", Panic, &["no no no"]),
        ("processes::leaves_an_orphan", Trap, &["SIGABRT", "its last output: an orphan: true"]),
        ("processes::multiplies", TimedOut, &["100 processes"]),
        ("processes::aborts", Trap, &["SIGABRT"]),
        ("processes::faults", Trap, &["SIGSEGV"]),
        ("hostile::attacks", Trap, &["SIGXFSZ"]),
    ];
    for (seed, (function, kind, expected)) in (1..).zip(table) {
        let request = ready.request(&[function], 1);
        let (response, ()) = tokio::join!(ready.measure(&request), assert_other_client_is_unaffected(&ready, seed));
        let response = response.unwrap();
        assert_failed(&response, kind, expected);
        let first = &response.points[0];
        assert!(first.measured().is_some(), "{function} behaves well at {}: {first:?}", first.x);
        assert_eq!(descendants(runner), Vec::<PathBuf>::new(), "after {function}");
        assert_eq!(scratch(runner), 0, "after {function}");
    }
    let suite = ready.catalog.suites.iter().find(|entry| entry.suite.name == "misbehaving").unwrap();
    for function in &suite.suite.functions {
        let tried = table.iter().any(|(path, ..)| *path == function.path);
        assert!(
            tried != HARMLESS.contains(&function.path.as_str()),
            "{} is in neither list, or in both",
            function.path
        );
    }
    let grown = peak(runner) - before;
    assert!(grown < MAX_BYTES, "{grown} bytes");
    let load: QueueLoad = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.running, load.waiting), (0, 0));
    // Failed points are stored as history but measured again.
    let stored = ready.results().await.unwrap().len();
    let again = ready.measure(&ready.request(&["functions::panics"], 1)).await.unwrap();
    assert_failed(&again, Panic, &["16 is too much for me"]);
    assert_eq!(ready.results().await.unwrap().len(), stored + 1);
}

/// The cores that a process may use.
fn cores(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_apply_to_children_and_the_runner_avoids_their_core() {
    let usable = sched_getaffinity(None).unwrap();
    let core = (0..CpuSet::MAX_CPU).rfind(|&core| usable.is_set(core)).unwrap();
    let lines = format!("core = {core}\n{LIMITS}memory_bytes = 3221225472\nprocesses = 12345\n");
    let start = RunnerSetup { suites: vec![fixture("misbehaving").unwrap().program], lines, ..RunnerSetup::default() };
    let ready = start.start().await.unwrap();
    let response = ready.measure(&ready.request(&["processes::reports_its_limits"], 1)).await.unwrap();
    let pinned = format!("Cpus_allowed_list={core};");
    let expected = [
        "Max address space=3221225472;",
        "Max cpu time=2;",
        "Max open files=64;",
        "Max file size=1048576;",
        "Max processes=12345;",
        "Max core file size=0;",
        "nice=5;",
        "leads=true",
        &pinned,
    ];
    assert_failed(&response, Panic, &expected);
    // With a single core, the runner cannot avoid it.
    if usable.count() > 1 {
        let own = cores(ready.runner.id());
        assert!(!own.split([',', '-']).any(|listed| listed == core.to_string()), "{own} with {core} for suites");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_generators_do_not_affect_other_clients() {
    let ready = start(["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec()).await;
    let table: [(&str, FailureKind, &[&str]); 4] = [
        ("panics_at_once", Generator, &["the generator panicked at ", "no workload of size 16"]),
        ("panics_later", Generator, &["the generator panicked at ", "no input of size 16"]),
        ("panics_after_a_call", Generator, &["a hook of the generator panicked at ", "no call of size 16"]),
        ("prepares_nothing", Contract, &["the generator prepared no calls"]),
    ];
    let request_for = |generator: &str| {
        let request = ready.request(&["generators::takes"], 1);
        Request { generator: format!("generators::{generator}"), ..request }
    };
    let runner = ready.runner.id();
    for (seed, (generator, kind, expected)) in (1..).zip(table) {
        let request = request_for(generator);
        let (response, ()) = tokio::join!(ready.measure(&request), assert_other_client_is_unaffected(&ready, seed));
        let response = response.unwrap();
        assert!(response.points[0].measured().is_some(), "{generator}: {response:?}");
        assert_failed(&response, kind, expected);
        assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0), "after {generator}");
    }
    // A panic in the last hook does not affect the points.
    let points = ready.measure(&request_for("panics_after_all")).await.unwrap().points;
    assert!(points.len() == 3 && points.iter().all(|point| point.measured().is_some()), "{points:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_that_ignores_the_end_is_measured_and_killed() {
    let ready = start(vec![impostor("stubborn").unwrap(), fixture("ladder").unwrap().program]).await;
    let request = ready.request(&["function"], 1);
    let (response, ()) = tokio::join!(ready.measure(&request), assert_other_client_is_unaffected(&ready, 0));
    let points = response.unwrap().points;
    assert!(points.len() == 3 && points.iter().all(|point| point.measured().is_some()), "{points:?}");
    let runner = ready.runner.id();
    assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_replies_do_not_affect_other_clients() {
    let table = [
        ("mistaken", Contract, "sent a reply that does not match the request"),
        ("backwards", Contract, "an invalid time"),
        ("roundless", Contract, "a round without calls"),
        ("repeating", Contract, "sent a reply that does not match the request"),
        ("babbling", TimedOut, "nothing finished within 1 s"),
        ("raving", Trap, "its last output: I am not well"),
        ("gushing", Trap, "it sent an invalid message"),
        ("closing", Trap, "SIGKILL"),
    ];
    for (name, kind, expected) in table {
        let ready = start(vec![impostor(name).unwrap(), fixture("ladder").unwrap().program]).await;
        let runner = ready.runner.id();
        assert_other_client_is_unaffected(&ready, 0).await;
        let before = peak(runner);
        let response = ready.measure(&ready.request(&["function"], 1)).await.unwrap();
        assert!(response.points.iter().all(|point| point.measured().is_none()), "{name}: {response:?}");
        let first = MeasureResponse { points: response.points[..1].to_vec(), ..response };
        assert_failed(&first, kind, &[expected]);
        assert_other_client_is_unaffected(&ready, 1).await;
        let grown = peak(runner) - before;
        assert!(grown < MAX_BYTES, "{grown} bytes for {name}");
        assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0), "after {name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_suite_prevents_the_start_with_a_reason() {
    for (name, expected) in [
        ("garbage", "invalid response"),
        ("flooding", "invalid response"),
        ("endless", "invalid response"),
        ("silent", "no response within 10 s"),
        ("stopped", "it has no usable clock"),
        ("dying", "the licence has run out"),
        ("mute", "it ended"),
        ("future", "it uses version 5 of the suite contract"),
    ] {
        let error = RunnerSetup::with(&impostor(name).unwrap()).start().await.err().unwrap().to_string();
        assert!(error.contains(&format!("{name} is not a usable Benchbook suite: ")), "{error}");
        assert!(error.contains(expected) && error.contains("exit status: 1"), "{error}");
        assert!(error.len() < 20_000, "{} bytes for {name}", error.len());
    }
}
