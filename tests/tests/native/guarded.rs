//! The limits of native suites, and the termination of all their processes.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use benchbook_contract::parameter::Range;
use benchbook_host::api::STREAM;
use benchbook_host::child::{ChildSettings, NativeSuite};
use benchbook_host::quality::Quality;
use benchbook_host::response::{Failure, FailureKind, Outcome, Point, Warning};
use benchbook_isolate::{Guard, Launcher};
use benchbook_tests::listener::Listener;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::runner::{self, RunnerProgram};
use benchbook_tests::scratch::{folders, prefix};
use benchbook_tests::suites::{impostor, native};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, getpgid, getuid, pidfd_open};
use serde_json::json;

use crate::OUTLIVING;

fn suite(guard: Guard) -> NativeSuite {
    open(&native("misbehaving").unwrap(), guard)
}

/// Opens a suite through a launcher, which this program is not.
fn open(program: &Path, guard: Guard) -> NativeSuite {
    let launcher = env::var_os(LAUNCHER).unwrap_or_else(|| env!("CARGO_BIN_EXE_endless-host").into());
    let settings =
        ChildSettings { launcher: Some(Launcher::at(Path::new(&launcher))), guard, ..ChildSettings::default() };
    NativeSuite::open_with(program, settings).unwrap()
}

/// Measures a function at 0 and at 20.
pub(crate) fn points(suite: &NativeSuite, function: &str, quality: Quality) -> Vec<Point> {
    let generator = suite.suite().generator(&suite.suite().function(function).unwrap().generators[0]).unwrap();
    let request = request(suite.suite(), &[function], generator, Range { low: 0.0, high: 20.0 });
    measure(suite, request, quality, |_| {}).unwrap().points
}

/// The failure of a function at 20, after it succeeded at 0.
pub(crate) fn failure(suite: &NativeSuite, function: &str, quality: Quality) -> Failure {
    let points = points(suite, function, quality);
    let [zero, Point { outcome: Outcome::Failed(failure), .. }] = &points[..] else { panic!("{points:?}") };
    assert!(zero.measured().is_some(), "{zero:?}");
    failure.clone()
}

#[test]
fn unavailable_limits_are_reported_and_the_others_apply() {
    let suite = suite(Guard { core: Some(1_000), open_files: Some(55), ..Guard::default() });
    let [missing] = suite.unenforced() else { panic!("{:?}", suite.unenforced()) };
    assert!(missing.starts_with("it may run on cores ") && missing.ends_with(" instead of core 1000"), "{missing}");
    assert!(failure(&suite, "processes::reports_its_limits", quick(2)).reason.contains("Max open files=55;"));
}

/// Each call of the function waits until all threads are in it.
#[test]
fn threads_call_at_the_same_time_on_all_cores_and_no_more_of_them() {
    let suite = open(&native("declarations").unwrap(), Guard { core: Some(0), ..Guard::default() });
    let generator = suite.suite().generator("meetings").unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    let measure = |low: usize, high: usize| {
        let range = Range { low: low as f64, high: high as f64 };
        let request = request(suite.suite(), &["meet"], generator, range);
        measure(&suite, request, quick(2), |_| {}).unwrap().points
    };
    for point in measure(1, cores) {
        assert!(point.measured().is_some(), "{point:?}");
    }
    let [_, Point { outcome: Outcome::Failed(failure), .. }] = &measure(1, 10_000)[..] else {
        panic!("a point succeeded")
    };
    let expected = format!(
        "the generator requests 10000 threads, but the suite can use only {cores} cores, where threads would take turns: choose at most {cores}"
    );
    assert!(failure.reason.contains(&expected), "{failure:?}");
}

#[test]
fn a_process_that_starts_threads_is_measured_on_all_cores() {
    let suite = suite(Guard { core: Some(0), ..Guard::default() });
    let [zero, Point { outcome: Outcome::Failed(failure), .. }] =
        &points(&suite, "processes::starts_a_thread", quick(2))[..]
    else {
        panic!("it reports its cores")
    };
    let measured = zero.measured().unwrap_or_else(|| panic!("{zero:?}"));
    assert!(measured.warnings.contains(&Warning::Threads), "{measured:?}");
    let is_pinned = failure.reason.contains("Cpus_allowed_list=0;");
    assert_eq!(is_pinned, std::thread::available_parallelism().unwrap().get() == 1, "{failure:?}");
    let quiet = &points(&suite, "processes::reports_its_limits", quick(2))[0];
    assert!(!quiet.measured().unwrap().warnings.contains(&Warning::Threads), "{quiet:?}");
}

/// The figures of a suite that evades a limit are those of another configuration.
#[test]
fn figures_of_a_process_that_leaves_its_core_are_rejected() {
    let suite = open(&impostor("roaming").unwrap(), Guard { core: Some(0), ..Guard::default() });
    assert!(suite.unenforced().is_empty(), "{:?}", suite.unenforced());
    let failure = failure(&suite, "function", quick(2));
    assert_eq!(failure.kind, FailureKind::Contract);
    assert!(failure.reason.contains("it may run on cores 0-"), "{failure:?}");
}

#[test]
fn exceeding_a_limit_fails_the_point() {
    let limits = Guard {
        memory: Some(4 << 30),
        cpu_seconds: Some(2),
        open_files: Some(64),
        file_bytes: Some(1 << 20),
        ..Guard::default()
    };
    let suite = suite(limits);
    for (function, kind, expected) in [
        ("processes::maps_memory", FailureKind::Panic, "Resource temporarily unavailable"),
        ("processes::opens_files", FailureKind::Panic, "Too many open files"),
        ("processes::fills_the_disk", FailureKind::Trap, "SIGXFSZ"),
        ("functions::hangs", FailureKind::Trap, "SIGXCPU"),
    ] {
        let failure = failure(&suite, function, quick(2));
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.reason.contains(expected), "{failure:?}");
    }
}

/// The running processes that were started by this process's suites to outlive them.
fn survivors() -> usize {
    let mine = prefix(std::process::id());
    let is_one = |process: &PathBuf| {
        file_contains(process, "cmdline", "sleep\x001000") && file_contains(process, "environ", &mine)
    };
    processes().filter(is_one).count()
}

#[test]
fn processes_started_by_a_suite_end_with_it() {
    let _turn = OUTLIVING.blocking_lock();
    let suite = suite(Guard { processes: Some(1_000_000), ..Guard::default() });
    for (function, kind, words) in [
        ("processes::multiplies", FailureKind::TimedOut, "100 processes"),
        ("processes::leaves_an_orphan", FailureKind::Trap, "an orphan: true"),
    ] {
        let failure = failure(&suite, function, Quality { timeout_ms: Some(5_000.0), ..quick(2) });
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.reason.ends_with(&format!("its last output: {words}")), "{failure:?}");
        assert_eq!(survivors(), 0, "after {function}");
    }
}

/// The environment variable with the suite's path for a rerun of the test below by an ordinary user.
const ORDINARY_USER: &str = "BENCHBOOK_GUARDED_BY_AN_ORDINARY_USER";

/// The environment variable with the launcher's path for the same rerun.
const LAUNCHER: &str = "BENCHBOOK_LAUNCHER_FOR_AN_ORDINARY_USER";

/// An unprivileged user ID, reserved on Linux.
const UNPRIVILEGED: u32 = 65_534;

/// The limit does not apply to root. In that case the test runs again as an unprivileged user.
#[test]
fn process_limit_is_enforced() {
    let _turn = OUTLIVING.blocking_lock();
    if let Some(program) = env::var_os(ORDINARY_USER) {
        return assert_processes_are_limited(Path::new(&program));
    }
    let program = native("misbehaving").unwrap();
    if !getuid().is_root() {
        return assert_processes_are_limited(&program);
    }
    // The unprivileged user needs access to the folder.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let [suite, test, launcher] = ["misbehaving", "guarded", "launcher"].map(|name| folder.path().join(name));
    fs::copy(program, &suite).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_endless-host"), &launcher).unwrap();
    fs::copy(env::current_exe().unwrap(), &test).unwrap();
    let mut child = Command::new(test);
    child.args(["--exact", "guarded::process_limit_is_enforced", "--nocapture"]);
    child.env(ORDINARY_USER, suite).env(LAUNCHER, launcher).current_dir("/").uid(UNPRIVILEGED).gid(UNPRIVILEGED);
    match child.output() {
        // Root in a container may not be allowed to change its user.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => eprintln!("skipped: root stays root: {error}"),
        Err(error) => panic!("{error}"),
        Ok(output) => {
            let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            assert!(output.status.success() && texts[0].contains("1 passed"), "{texts:?}");
        }
    }
}

fn assert_processes_are_limited(program: &Path) {
    // Threads count as processes.
    let user = format!("\nUid:\t{}\t", getuid().as_raw());
    let threads = |process: PathBuf| -> Option<u64> {
        let status = fs::read_to_string(process.join("status")).ok().filter(|status| status.contains(&user))?;
        status.lines().find_map(|line| line.strip_prefix("Threads:\t"))?.parse().ok()
    };
    let limit = processes().filter_map(threads).sum::<u64>() + 60;
    let suite = open(program, Guard { processes: Some(limit), ..Guard::default() });
    let failure = failure(&suite, "processes::multiplies", Quality { timeout_ms: Some(5_000.0), ..quick(2) });
    let words = failure.reason.rsplit("its last output: ").next().unwrap();
    let started: u64 = words.strip_suffix(" processes").unwrap_or_else(|| panic!("{failure:?}")).parse().unwrap();
    assert!((1..100).contains(&started), "{started} with a limit of {limit}");
}

#[test]
fn death_by_signal_names_the_signal() {
    let suite = suite(Guard::default());
    for (function, expected) in [("processes::faults", "SIGSEGV"), ("processes::is_killed", "SIGKILL")] {
        let failure = failure(&suite, function, quick(2));
        assert_eq!(failure.kind, FailureKind::Trap, "{failure:?}");
        assert!(failure.reason.contains(expected), "{failure:?}");
    }
}

#[test]
fn timeout_includes_the_stderr_output() {
    let failure = failure(
        &suite(Guard::default()),
        "processes::complains_and_hangs",
        Quality { timeout_ms: Some(1_000.0), ..quick(2) },
    );
    assert_eq!(failure.kind, FailureKind::TimedOut);
    assert!(failure.reason.ends_with("its last output: I am waiting for a lock"), "{failure:?}");
}

#[test]
fn long_reasons_are_truncated() {
    let failure = failure(&suite(Guard::default()), "processes::panics_at_length", quick(2));
    assert!(failure.kind == FailureKind::Panic && failure.reason.contains("no no no"), "{:?}", failure.kind);
    assert_eq!(failure.reason.chars().count(), 4_001);
}

/// The output of the suite has no end while another process has it open.
#[test]
fn the_exit_of_a_suite_is_reported_even_if_a_process_holds_its_pipes() {
    let suite = open(&impostor("lingering").unwrap(), Guard::default());
    let failure = failure(&suite, "function", Quality { timeout_ms: Some(600_000.0), ..quick(2) });
    assert_eq!(failure.kind, FailureKind::Trap, "{failure:?}");
    assert!(failure.reason.contains("exit status: 7"), "{failure:?}");
}

/// Such a suite costs a measurement two seconds.
#[test]
fn a_suite_that_ignores_the_end_is_killed() {
    let suite = NativeSuite::open(&impostor("stubborn").unwrap()).unwrap();
    let points = points(&suite, "function", quick(2));
    assert!(points.iter().all(|point| point.measured().is_some()), "{points:?}");
    assert_eq!(children(std::process::id(), "stubborn"), []);
}

/// SIGKILL gives the host no chance to end its children.
#[test]
fn a_suite_dies_with_its_host() {
    let program = native("misbehaving").unwrap();
    let mut host = endless_host(&program, "functions::hangs");
    let mut host = host.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let [suite] = children(host.id(), "misbehaving")[..] else { panic!("{line:?} and no suite") };
    let suite = WatchedProcess::new(suite);
    host.kill().unwrap();
    host.wait().unwrap();
    suite.assert_ends();
}

/// No parent-death signal reaches the processes that a suite has started.
#[test]
fn processes_started_by_a_suite_die_with_a_killed_host() {
    let program = native("misbehaving").unwrap();
    let listener = Listener::start().unwrap();
    let mut host = endless_host(&program, "processes::starts_a_process");
    let mut host = host.arg("reaped").envs([listener.variable().unwrap()]).stdout(Stdio::null()).spawn().unwrap();
    let processes = host_processes(host.id(), &listener);
    host.kill().unwrap();
    host.wait().unwrap();
    for process in &processes {
        process.assert_ends();
    }
}

#[tokio::test(flavor = "current_thread")]
async fn processes_and_files_of_a_suite_are_removed_with_the_runner() {
    for signal in [Signal::KILL, Signal::TERM] {
        assert_runner_cleans_up(signal).await;
    }
}

async fn assert_runner_cleans_up(signal: Signal) {
    let program = native("misbehaving").unwrap();
    let listener = Listener::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut command = runner::command().unwrap();
    command.envs([listener.variable().unwrap()]);
    let runner = RunnerProgram::start_command(
        command,
        &folder.path().join("results.sqlite"),
        &[&program],
        &["--isolation", "none"],
    )
    .unwrap();
    let request = json!({
        "suite": "misbehaving", "functions": ["processes::starts_a_process"], "generator": "generators::sizes",
        "arguments": { "size": { "low": 10, "high": 20 } }, "priority": 1, "client": "test",
    });
    let stream = runner.post("measure").header("accept", STREAM).json(&request).send().await.unwrap();
    assert!(stream.status().is_success(), "{}", stream.status());
    let (id, none) = (runner.id(), Vec::<PathBuf>::new());
    let processes = host_processes(id, &listener);
    assert_ne!(folders(id).unwrap(), none);
    let ended = tokio::task::spawn_blocking(move || runner.end_with(signal));
    drop(stream.bytes().await);
    ended.await.unwrap().unwrap();
    for process in &processes {
        process.assert_ends();
    }
    assert_eq!(folders(id).unwrap(), none, "after {signal:?}");
}

/// A separate host process that measures a function of the fixture `misbehaving`.
fn endless_host(program: &Path, function: &str) -> Command {
    let mut host = Command::new(env!("CARGO_BIN_EXE_endless-host"));
    host.arg(program).arg(function);
    host
}

/// The host's reaper, its suite, and the process that the suite has started.
fn host_processes(host: u32, listener: &Listener) -> Vec<WatchedProcess> {
    let descendant = Pid::from_raw(listener.accept().unwrap().number().unwrap()).unwrap();
    let child_of_host = |name| match children(host, name)[..] {
        [child] => child,
        ref others => panic!("{others:?} for {name}"),
    };
    let reaper = child_of_host("benchbook-reaper");
    assert_eq!(getpgid(Some(reaper)), Ok(reaper), "signals of the host's terminal reach its reaper");
    [reaper, child_of_host("misbehaving"), descendant].map(WatchedProcess::new).into()
}

/// A process that was running when this was created.
struct WatchedProcess(OwnedFd);

impl WatchedProcess {
    fn new(process: Pid) -> Self {
        Self(pidfd_open(process, PidfdFlags::empty()).unwrap())
    }

    #[track_caller]
    fn assert_ends(&self) {
        let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
        assert_eq!(
            poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&minute)),
            Ok(1),
            "the process outlives its host"
        );
    }
}

/// The children of `parent` with this executable name.
fn children(parent: u32, name: &str) -> Vec<Pid> {
    let is_one = |process: &PathBuf| {
        file_contains(process, "cmdline", name) && file_contains(process, "status", &format!("\nPPid:\t{parent}\n"))
    };
    let pid = |process: PathBuf| Pid::from_raw(process.file_name()?.to_str()?.parse().ok()?);
    processes().filter(is_one).filter_map(pid).collect()
}

/// The folders of all processes in `/proc`.
fn processes() -> impl Iterator<Item = PathBuf> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Whether a file of a process contains this text.
fn file_contains(process: &Path, file: &str, text: &str) -> bool {
    fs::read(process.join(file)).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
}
