//! Suites that misbehave, through the runner: a failed point with its reason, and nobody else notices.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::path::PathBuf;

use benchbook_host::api::{Answer, Load};
use benchbook_host::request::Request;
use benchbook_host::response::FailureKind::{self, Contract, Generator, Memory, Panic, TimedOut, Trap};
use benchbook_host::response::Outcome;
use benchbook_tests::ready::{Ready, Start};
use benchbook_tests::scratch::{folders, prefix};
use benchbook_tests::suites::{fixture, impostor};
use rustix::thread::{CpuSet, sched_getaffinity};

/// Four answers of 16 MiB wait at most, while one is read and another one is looked at.
const MOST_BYTES: u64 = 150 << 20;

/// What each child may have.
const LIMITS: &str = "[children]\ncpu_seconds = 2\nopen_files = 64\nfile_bytes = 1048576\n";

/// Functions that do nothing bad natively, or only where somebody listens to them.
const HARMLESS: [&str; 10] = [
    "functions::well",
    "functions::nothing",
    "functions::copes",
    "functions::reads_the_clock",
    "functions::spawns",
    "functions::prints",
    "functions::catches",
    "processes::tells_its_guard",
    "processes::has_company",
    "processes::waits_for_a_listener",
];

/// A runner of these suites that waits a second for them.
async fn start(suites: Vec<PathBuf>) -> Ready {
    let start = Start { suites, lines: LIMITS.to_owned(), timeout_ms: Some(1_000), ..Start::default() };
    start.start().await.unwrap()
}

/// Asserts that the greatest axis value failed for this reason.
#[track_caller]
fn assert_failed(answer: &Answer, kind: FailureKind, told: &[&str]) {
    let last = answer.points.last().unwrap();
    let Outcome::Failed(failure) = &last.outcome else { panic!("{} at {} was measured", last.function, last.x) };
    assert_eq!(failure.kind, kind, "{failure:?}");
    for told in told {
        assert!(failure.reason.contains(told), "{:?} does not tell {told:?}", failure.reason);
    }
    assert!(failure.reason.len() < 20_000, "{} bytes", failure.reason.len());
}

/// The neighbour's request has never been measured before.
async fn assert_neighbour_is_well(ready: &Ready, seed: u64) {
    let request = ready.request(&["rungs::one"], 1);
    let answer = ready.measure(&Request { client: "neighbour".to_owned(), seed: Some(seed), ..request }).await.unwrap();
    assert!(answer.points.len() == 3 && answer.points.iter().all(|point| point.measured().is_some()), "{answer:?}");
}

/// The processes that the runner's suites started, and they themselves: all that see one of its scratch folders.
fn descendants(runner: u32) -> Vec<PathBuf> {
    let mine = prefix(runner);
    let sees = |process: &PathBuf| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&mine)
    };
    fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path())).filter(sees).collect()
}

/// How many scratch folders the runner's suites have.
fn scratch(runner: u32) -> usize {
    folders(runner).unwrap().len()
}

/// The most memory that the runner had at once, in bytes.
fn peak(runner: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{runner}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_function_does_its_point_fails_and_others_are_measured() {
    let ready = start(["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec()).await;
    let runner = ready.runner.id();
    assert_neighbour_is_well(&ready, 0).await;
    let before = peak(runner);
    let table: [(&str, FailureKind, &[&str]); 18] = [
        ("functions::panics", Panic, &["panicked at ", "16 is too much for me"]),
        ("functions::traps", Trap, &["SIGABRT"]),
        ("functions::hangs", TimedOut, &["nothing finished within 1 s"]),
        ("functions::exhausts", Memory, &["out of memory", "bound of 67108864 bytes"]),
        ("functions::recurs", Trap, &["SIGABRT", "it said last: ", "stack overflow"]),
        ("functions::exits", Trap, &["exit status: 3", "it said last: I have had enough"]),
        ("generators::takes", Generator, &["the generator panicked at ", "no workload of size 16"]),
        ("processes::crashes", Trap, &["SIGSEGV"]),
        ("processes::is_killed", Trap, &["SIGKILL"]),
        ("processes::complains_and_hangs", TimedOut, &["it said last: I am waiting for a lock"]),
        ("processes::floods", TimedOut, &["it said last: xxxx"]),
        ("processes::fills_the_disk", Trap, &["SIGXFSZ"]),
        ("processes::opens_files", Panic, &["Too many open files"]),
        ("processes::computes", TimedOut, &["nothing finished within 1 s"]),
        ("processes::maps_memory", Panic, &["no stack"]),
        ("processes::panics_at_length", Panic, &["no no no"]),
        ("processes::leaves_an_orphan", Trap, &["SIGABRT", "it said last: an orphan: true"]),
        ("processes::multiplies", TimedOut, &["100 processes"]),
    ];
    for (seed, (function, kind, told)) in (1..).zip(table) {
        let request = ready.request(&[function], 1);
        let (answer, ()) = tokio::join!(ready.measure(&request), assert_neighbour_is_well(&ready, seed));
        let answer = answer.unwrap();
        assert_failed(&answer, kind, told);
        let first = &answer.points[0];
        assert!(first.measured().is_some(), "{function} behaves well at {}: {first:?}", first.x);
        assert_eq!(descendants(runner), Vec::<PathBuf>::new(), "after {function}");
        assert_eq!(scratch(runner), 0, "after {function}");
    }
    let suite = ready.catalog.suites.iter().find(|offer| offer.suite.name == "misbehaving").unwrap();
    for function in &suite.suite.functions {
        let tried = table.iter().any(|(path, ..)| *path == function.path);
        assert!(
            tried != HARMLESS.contains(&function.path.as_str()),
            "{} is in neither list, or in both",
            function.path
        );
    }
    let grown = peak(runner) - before;
    assert!(grown < MOST_BYTES, "{grown} bytes");
    let load: Load = ready.runner.get("queue").send().await.unwrap().json().await.unwrap();
    assert_eq!((load.running, load.waiting), (0, 0));
    // What failed is history, and measured again when asked for again.
    let stored = ready.results().await.unwrap().len();
    let again = ready.measure(&ready.request(&["functions::panics"], 1)).await.unwrap();
    assert_failed(&again, Panic, &["16 is too much for me"]);
    assert_eq!(ready.results().await.unwrap().len(), stored + 1);
}

/// The cores that a process may use, as the kernel lists them.
fn cores(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_live_under_what_the_runner_says_and_it_leaves_them_their_core() {
    let usable = sched_getaffinity(None).unwrap();
    let core = (0..CpuSet::MAX_CPU).rfind(|&core| usable.is_set(core)).unwrap();
    let lines = format!("core = {core}\n{LIMITS}memory_bytes = 3221225472\nprocesses = 12345\n");
    let start = Start { suites: vec![fixture("misbehaving").unwrap().program], lines, ..Start::default() };
    let ready = start.start().await.unwrap();
    let answer = ready.measure(&ready.request(&["processes::tells_its_guard"], 1)).await.unwrap();
    let pinned = format!("Cpus_allowed_list={core};");
    let told = [
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
    assert_failed(&answer, Panic, &told);
    // With one core there is no other to go to.
    if usable.count() > 1 {
        let own = cores(ready.runner.id());
        assert!(!own.split([',', '-']).any(|listed| listed == core.to_string()), "{own} with {core} for suites");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_generator_does_its_point_fails_and_others_are_measured() {
    let ready = start(["misbehaving", "ladder"].map(|name| fixture(name).unwrap().program).to_vec()).await;
    let table: [(&str, FailureKind, &[&str]); 4] = [
        ("panics_at_once", Generator, &["the generator panicked at ", "no workload of size 16"]),
        ("panics_later", Generator, &["the generator panicked at ", "no input of size 16"]),
        ("panics_after_a_call", Generator, &["a hook of the generator panicked at ", "no call of size 16"]),
        ("prepares_nothing", Contract, &["the generator prepared no calls"]),
    ];
    let ask = |generator: &str| {
        let request = ready.request(&["generators::takes"], 1);
        Request { generator: format!("generators::{generator}"), ..request }
    };
    let runner = ready.runner.id();
    for (seed, (generator, kind, told)) in (1..).zip(table) {
        let request = ask(generator);
        let (answer, ()) = tokio::join!(ready.measure(&request), assert_neighbour_is_well(&ready, seed));
        let answer = answer.unwrap();
        assert!(answer.points[0].measured().is_some(), "{generator}: {answer:?}");
        assert_failed(&answer, kind, told);
        assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0), "after {generator}");
    }
    // What was measured until its last hook is none the worse.
    let points = ready.measure(&ask("panics_after_all")).await.unwrap().points;
    assert!(points.len() == 3 && points.iter().all(|point| point.measured().is_some()), "{points:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_that_will_not_end_is_measured_and_ended() {
    let ready = start(vec![impostor("stubborn").unwrap(), fixture("ladder").unwrap().program]).await;
    let request = ready.request(&["function"], 1);
    let (answer, ()) = tokio::join!(ready.measure(&request), assert_neighbour_is_well(&ready, 0));
    let points = answer.unwrap().points;
    assert!(points.len() == 3 && points.iter().all(|point| point.measured().is_some()), "{points:?}");
    let runner = ready.runner.id();
    assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_suite_answers_its_points_fail_and_others_are_measured() {
    let table = [
        ("mistaken", Contract, "sent a reply that does not match the request"),
        ("backwards", Contract, "an invalid time"),
        ("roundless", Contract, "a round without calls"),
        ("repeating", Contract, "sent a reply that does not match the request"),
        ("babbling", TimedOut, "nothing finished within 1 s"),
        ("raving", Trap, "it said last: I am not well"),
        ("gushing", Trap, "it answered what is no message"),
        ("closing", Trap, "SIGKILL"),
    ];
    for (name, kind, told) in table {
        let ready = start(vec![impostor(name).unwrap(), fixture("ladder").unwrap().program]).await;
        let runner = ready.runner.id();
        assert_neighbour_is_well(&ready, 0).await;
        let before = peak(runner);
        let answer = ready.measure(&ready.request(&["function"], 1)).await.unwrap();
        assert!(answer.points.iter().all(|point| point.measured().is_none()), "{name}: {answer:?}");
        let first = Answer { points: answer.points[..1].to_vec(), ..answer };
        assert_failed(&first, kind, &[told]);
        assert_neighbour_is_well(&ready, 1).await;
        let grown = peak(runner) - before;
        assert!(grown < MOST_BYTES, "{grown} bytes for {name}");
        assert_eq!((descendants(runner), scratch(runner)), (Vec::new(), 0), "after {name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suite_that_cannot_be_measured_stops_the_start_in_words() {
    for (name, told) in [
        ("garbage", "in its answer"),
        ("flooding", "in its answer"),
        ("endless", "in its answer"),
        ("silent", "no answer within 10 s"),
        ("stopped", "it has no clock"),
        ("dying", "the licence has run out"),
        ("mute", "it ended"),
        ("future", "it speaks protocol "),
    ] {
        let error = Start::with(&impostor(name).unwrap()).start().await.err().unwrap().to_string();
        assert!(error.contains(&format!("{name} is no Benchbook suite of protocol ")), "{error}");
        assert!(error.contains(told) && error.contains("exit status: 1"), "{error}");
        assert!(error.len() < 20_000, "{} bytes for {name}", error.len());
    }
}
