//! What a native suite lives under, and what it cannot do there.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use benchbook::child::{Guard, NativeSuite};
use benchbook::parameter::Range;
use benchbook::quality::Quality;
use benchbook::response::{Failure, FailureKind, Outcome, Point};
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::{fixture, impostor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

fn suite(guard: Guard) -> NativeSuite {
    NativeSuite::open_guarded(&fixture("misbehaving").unwrap().program, guard).unwrap()
}

/// Measures a function at 0, where it behaves well, and at 20, and gives what came of the latter.
fn failure(suite: &NativeSuite, function: &str, quality: Quality) -> Failure {
    let generator = suite.suite().generator("generators::sizes").unwrap();
    let path = format!("processes::{function}");
    let request = request(suite.suite(), &[&path], generator, Range { low: 0.0, high: 20.0 });
    let points = measure(suite, request, quality, |_| {}).unwrap().points;
    let [zero, Point { outcome: Outcome::Failed(failure), .. }] = &points[..] else { panic!("{points:?}") };
    assert!(zero.measured().is_some(), "{zero:?}");
    failure.clone()
}

fn two() -> Quality {
    quick(2)
}

#[test]
fn a_suite_lives_under_what_its_host_says() {
    let guard = Guard {
        core: Some(1),
        nice: Some(5),
        memory: Some(3 << 30),
        cpu_seconds: Some(77),
        open_files: Some(55),
        file_bytes: Some(1 << 20),
        processes: Some(12_345),
    };
    let suite = suite(guard);
    assert!(suite.unguarded().is_empty(), "{:?}", suite.unguarded());
    let told = failure(&suite, "tells_its_guard", two()).reason;
    for seen in [
        "Cpus_allowed_list=1;",
        "nice=5;",
        "Max address space=3221225472;",
        "Max cpu time=77;",
        "Max open files=55;",
        "Max file size=1048576;",
        "Max processes=12345;",
        "Max core file size=0;",
        "leads=true",
    ] {
        assert!(told.contains(seen), "{seen} is not in {told}");
    }
}

#[test]
fn what_cannot_be_had_is_told_and_the_rest_is_had() {
    let suite = suite(Guard { core: Some(1_000), open_files: Some(55), ..Guard::default() });
    let [missing] = suite.unguarded() else { panic!("{:?}", suite.unguarded()) };
    assert!(missing.starts_with("core 1000: "), "{missing}");
    assert!(failure(&suite, "tells_its_guard", two()).reason.contains("Max open files=55;"));
}

#[test]
fn what_passes_a_limit_fails_its_point() {
    // Root's processes are as many as it likes.
    let limits = Guard {
        memory: Some(4 << 30),
        cpu_seconds: Some(2),
        open_files: Some(64),
        file_bytes: Some(1 << 20),
        ..Guard::default()
    };
    let suite = suite(limits);
    for (function, kind, told) in [
        ("maps_memory", FailureKind::Panic, "Resource temporarily unavailable"),
        ("opens_files", FailureKind::Panic, "Too many open files"),
        ("fills_the_disk", FailureKind::Trap, "SIGXFSZ"),
        ("computes", FailureKind::Trap, "SIGXCPU"),
    ] {
        let failure = failure(&suite, function, two());
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.reason.contains(told), "{failure:?}");
    }
}

/// The processes that this one's suites started to outlive them and that are still there.
fn survivors() -> usize {
    let mine = format!("benchbook-host-{}-", std::process::id());
    let is_one = |process: &PathBuf| has(process, "cmdline", "sleep\x001000") && has(process, "environ", &mine);
    processes().filter(is_one).count()
}

#[test]
fn what_a_suite_started_ends_with_it() {
    let suite = suite(Guard { processes: Some(1_000_000), ..Guard::default() });
    for (function, kind, words) in [
        ("multiplies", FailureKind::TimedOut, "100 processes"),
        ("leaves_an_orphan", FailureKind::Trap, "an orphan: true"),
    ] {
        let failure = failure(&suite, function, Quality { timeout_ms: Some(5_000.0), ..two() });
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.reason.ends_with(&format!("it said last: {words}")), "{failure:?}");
        assert_eq!(survivors(), 0, "after {function}");
    }
}

#[test]
fn a_death_is_told_with_its_signal() {
    let suite = suite(Guard::default());
    for (function, told) in [("crashes", "SIGSEGV"), ("is_killed", "SIGKILL")] {
        let failure = failure(&suite, function, two());
        assert_eq!(failure.kind, FailureKind::Trap, "{failure:?}");
        assert!(failure.reason.contains(told), "{failure:?}");
    }
}

#[test]
fn silence_is_told_with_the_last_words() {
    let failure =
        failure(&suite(Guard::default()), "complains_and_hangs", Quality { timeout_ms: Some(1_000.0), ..two() });
    assert_eq!(failure.kind, FailureKind::TimedOut);
    assert!(failure.reason.ends_with("it said last: I am waiting for a lock"), "{failure:?}");
}

#[test]
fn a_long_reason_is_shortened() {
    let failure = failure(&suite(Guard::default()), "panics_at_length", two());
    assert!(failure.kind == FailureKind::Panic && failure.reason.contains("no no no"), "{:?}", failure.kind);
    assert_eq!(failure.reason.chars().count(), 4_001);
}

/// Such a one costs a measurement two seconds.
#[test]
fn a_suite_that_will_not_end_is_ended() {
    let suite = NativeSuite::open(&impostor("stubborn").unwrap()).unwrap();
    let request = request(
        suite.suite(),
        &["function"],
        suite.suite().generator("sizes").unwrap(),
        Range { low: 0.0, high: 20.0 },
    );
    let points = measure(&suite, request, two(), |_| {}).unwrap().points;
    assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
    assert_eq!(children(std::process::id(), "stubborn"), []);
}

/// The host gets no time to end anything.
#[test]
fn a_suite_dies_with_its_host() {
    let program = fixture("misbehaving").unwrap().program;
    let mut host =
        Command::new(env!("CARGO_BIN_EXE_endless-host")).arg(program).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let [suite] = children(host.id(), "misbehaving")[..] else { panic!("{line:?} and no suite") };
    let suite = pidfd_open(suite, PidfdFlags::empty()).unwrap();
    host.kill().unwrap();
    host.wait().unwrap();
    let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
    assert_eq!(poll(&mut [PollFd::new(&suite, PollFlags::IN)], Some(&minute)), Ok(1), "it outlived its host");
}

/// The processes that `parent` started from an executable of this name.
fn children(parent: u32, name: &str) -> Vec<Pid> {
    let is_one =
        |process: &PathBuf| has(process, "cmdline", name) && has(process, "status", &format!("\nPPid:\t{parent}\n"));
    let pid = |process: PathBuf| Pid::from_raw(process.file_name()?.to_str()?.parse().ok()?);
    processes().filter(is_one).filter_map(pid).collect()
}

/// The folders of all processes.
fn processes() -> impl Iterator<Item = PathBuf> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Whether a file of a process has this text.
fn has(process: &Path, file: &str, text: &str) -> bool {
    fs::read(process.join(file)).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
}
