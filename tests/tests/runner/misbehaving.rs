//! Suites that misbehave, measured by the runner: their points fail with a reason, and other clients are unaffected.

use std::fs;
use std::path::PathBuf;

use benchbook_host::api::{MeasureResponse, QueueLoad};
use benchbook_host::request::Request;
use benchbook_host::response::FailureKind::{self, Generator, Memory, Panic, TimedOut, Trap};
use benchbook_host::response::Outcome;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::scratch::{folders, prefix};
use benchbook_tests::suites::{impostor, native};
use rustix::thread::{CpuSet, sched_getaffinity};

/// At most four replies of 16 MiB are queued while one is read and one is processed.
const MAX_BYTES: u64 = 150 << 20;

/// The limits of child processes. Isolated ones could not start processes or connect to a listener.
const LIMITS: &str = "isolation = \"none\"\n[children]\ncpu_seconds = 20\nopen_files = 64\nfile_bytes = 1048576\n";

/// Starts a runner of these suites, with a time limit that leaves a busy machine time for correct replies.
async fn start(suites: Vec<PathBuf>) -> ReadyRunner {
    let start = RunnerSetup { suites, lines: LIMITS.to_owned(), timeout_ms: Some(2_000), ..RunnerSetup::default() };
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

/// One function for each kind of end. `tests/suites/misbehaving.rs`, `guarded.rs` and `isolated.rs` measure the others without a runner.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_functions_do_not_affect_other_clients() {
    let ready = start(["misbehaving", "ladder"].map(|name| native(name).unwrap()).to_vec()).await;
    let runner = ready.runner.id();
    assert_other_client_is_unaffected(&ready, 0).await;
    let before = peak(runner);
    let table: [(&str, FailureKind, &[&str]); 8] = [
        ("functions::panics", Panic, &["panicked at ", "16 is too much for me"]),
        ("functions::exhausts", Memory, &["out of memory", "bound of 67108864 bytes"]),
        ("functions::exits", Trap, &["exit status: 3", "its last output: I have had enough"]),
        ("generators::takes", Generator, &["the generator panicked at ", "no workload of size 16"]),
        ("processes::is_killed", Trap, &["SIGKILL"]),
        ("processes::floods", TimedOut, &["its last output: xxxx"]),
        ("processes::fills_the_disk", Trap, &["SIGXFSZ"]),
        ("processes::leaves_an_orphan", Trap, &["SIGABRT", "its last output: an orphan: true"]),
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
    let start = RunnerSetup { suites: vec![native("misbehaving").unwrap()], lines, ..RunnerSetup::default() };
    let ready = start.start().await.unwrap();
    let response = ready.measure(&ready.request(&["processes::reports_its_limits"], 1)).await.unwrap();
    let pinned = format!("Cpus_allowed_list={core};");
    let expected = [
        "Max address space=3221225472;",
        "Max cpu time=20;",
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
    let (status, log) = ready.runner.terminate().unwrap();
    assert!(status.success() && !log.concat().contains("does not apply"), "{log:?}");
}

/// `tests/suites/misbehaving.rs` has a table of such suites.
#[test]
fn an_invalid_suite_prevents_the_start_with_a_reason() {
    let error = RunnerProgram::start(&[&impostor("dying").unwrap()], &[]).err().unwrap().to_string();
    assert!(error.contains("dying is not a usable Benchbook suite: it ended"), "{error}");
    assert!(error.contains("the licence has run out") && error.contains("exit status: 1"), "{error}");
}
