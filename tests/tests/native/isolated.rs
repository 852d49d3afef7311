//! Isolated suites: what a hostile one can see and do, and what is left when a system supports only a part of the isolation.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use benchbook_host::child::{ChildSettings, NativeSuite};
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_host::response::MachineCard;
use benchbook_isolate::{Guard, Isolation, Launcher, UserIds, violations};
use benchbook_tests::ready_runner::RunnerSetup;
use benchbook_tests::requests::quick;
use benchbook_tests::runner::{self, RunnerProgram};
use benchbook_tests::suites::native;
use reqwest::StatusCode;

use crate::OUTLIVING;
use crate::guarded::failure;

/// The launcher of these tests, which is another program.
pub(crate) fn launcher() -> Launcher {
    Launcher::at(Path::new(env!("CARGO_BIN_EXE_endless-host")))
}

fn all() -> Isolation {
    Isolation { scratch_bytes: Some(1 << 20), ..Isolation::full() }
}

/// Whether this system supports all protections. Otherwise, a test is skipped, with a message.
fn is_supported() -> bool {
    let (_, missing) = launcher().supported(&all()).unwrap();
    missing.iter().for_each(|(protection, reason)| eprintln!("skipped: this system lacks {protection}: {reason}"));
    missing.is_empty()
}

fn settings(isolation: Isolation) -> ChildSettings {
    let guard = Guard { core: Some(0), ..Guard::default() };
    ChildSettings { launcher: Some(launcher()), guard, isolation, ..ChildSettings::default() }
}

fn misbehaving(isolation: Isolation) -> NativeSuite {
    NativeSuite::open_with(&native("misbehaving").unwrap(), settings(isolation)).unwrap()
}

/// The reason why a function of the fixture `misbehaving` fails at 20, after it succeeded at 0.
fn reason(suite: &NativeSuite, function: &str) -> String {
    failure(suite, function, Quality { timeout_ms: Some(5_000.0), ..quick(2) }).reason
}

/// The outcome of each attack: `ok`, or the error.
fn attacks(suite: &NativeSuite) -> BTreeMap<String, String> {
    let reason = reason(suite, "hostile::attacks");
    // The first part is the location of the panic.
    let (_, outcomes) = reason.split_once(": ").unwrap();
    let outcomes = outcomes.split("; ").filter_map(|outcome| outcome.split_once(": "));
    outcomes.map(|(name, outcome)| (name.to_owned(), outcome.to_owned())).collect()
}

/// The names of the attacks that succeeded.
fn successes(suite: &NativeSuite) -> Vec<String> {
    let outcomes = attacks(suite);
    assert!(outcomes.len() >= 15, "{outcomes:?}");
    outcomes.into_iter().filter(|(_, outcome)| outcome == "ok").map(|(name, _)| name).collect()
}

#[test]
fn every_attack_on_the_host_fails() {
    if !is_supported() {
        return;
    }
    let suite = misbehaving(all());
    assert!(suite.unenforced().is_empty(), "{:?}", suite.unenforced());
    assert_eq!(successes(&suite), Vec::<String>::new(), "{:?}", attacks(&suite));
    // Otherwise the attacks might fail for other reasons.
    assert!(successes(&misbehaving(Isolation::default())).len() > 6);
}

/// Systems that forbid user namespaces still support the other protections.
#[test]
fn without_namespaces_most_attacks_fail() {
    if !is_supported() {
        return;
    }
    let successes = successes(&misbehaving(Isolation { namespaces: false, ..all() }));
    let known = ["fill the disk"];
    assert!(successes.iter().all(|name| known.contains(&name.as_str())), "{successes:?}");
}

/// If the system supports nothing else, a second user protects the host's files, processes and environment. With the
/// other protections, that user has no more access than the host's would.
#[test]
fn a_second_user_cannot_reach_the_host() {
    if !is_supported() || !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can start suites as another user");
        return;
    }
    let user = Some(UserIds { user: 65_534, group: 65_534 });
    let mut successes_of_host = successes(&misbehaving(Isolation::default()));
    let alone = misbehaving(Isolation { user, ..Isolation::default() });
    assert!(alone.unenforced().is_empty(), "{:?}", alone.unenforced());
    let successes_of_user = successes(&alone);
    // It may signal other suites of that user, which other tests start.
    successes_of_host.retain(|name| !successes_of_user.contains(name) && name != "kill its host");
    let prevented =
        ["list the root's home", "read the environment of the host", "write to the libraries", "write to the root"];
    assert_eq!(successes_of_host, prevented);
    // Its scratch folder belongs to it.
    assert!(successes_of_user.contains(&"fill the disk".to_owned()));
    let isolated = misbehaving(Isolation { user, ..all() });
    assert!(isolated.unenforced().is_empty(), "{:?}", isolated.unenforced());
    assert_eq!(successes(&isolated), Vec::<String>::new());
    let (supported, missing) = launcher().supported(&Isolation { user, ..all() }).unwrap();
    assert_eq!((supported, missing), (Isolation { user, ..all() }, Vec::new()));
}

/// The check from outside notices a launcher that did not change the user.
#[test]
fn a_suite_of_the_wrong_user_is_reported() {
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    let user = Some(UserIds { user: 65_534, group: 65_534 });
    let isolation = Isolation { user, ..Isolation::default() };
    let violations = violations(child.id(), &Guard::default(), &isolation);
    child.kill().unwrap();
    child.wait().unwrap();
    let own = rustix::process::geteuid().as_raw();
    assert!(violations.unwrap().contains(&format!("it runs as user {own} instead of 65534")));
}

#[tokio::test(flavor = "current_thread")]
async fn a_runner_starts_suites_as_another_user() {
    if !is_supported() || !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can start suites as another user");
        return;
    }
    let suite = native("misbehaving").unwrap();
    let lines = "isolation = \"required\"\n[children]\nuser = \"daemon\"".to_owned();
    let ready = RunnerSetup { lines, ..RunnerSetup::with(&suite) }.start().await.unwrap();
    let measured = ready.measure(&ready.request(&["functions::well"], 1)).await.unwrap();
    assert!(measured.points.iter().all(|point| point.measured().is_some()), "{:?}", measured.points);
}

#[test]
fn readable_files_are_visible() {
    if !is_supported() {
        return;
    }
    let isolation = Isolation { readable: vec!["/etc".into()], ..all() };
    assert_eq!(successes(&misbehaving(isolation)), ["read a secret"]);
}

/// The init process of the namespaces takes every other process with it.
#[test]
fn processes_of_an_isolated_suite_end_with_it() {
    if !is_supported() {
        return;
    }
    let _turn = OUTLIVING.blocking_lock();
    let readable = ["/bin", "/usr/bin"].map(Into::into).into();
    let suite = misbehaving(Isolation { may_start_processes: true, readable, ..all() });
    let reason = reason(&suite, "processes::leaves_an_orphan");
    assert!(reason.contains("SIGABRT") && reason.ends_with("its last output: an orphan: true"), "{reason}");
    let is_orphan = |folder: &fs::DirEntry| {
        let command = fs::read(folder.path().join("cmdline")).unwrap_or_default();
        let status = fs::read_to_string(folder.path().join("status")).unwrap_or_default();
        // Other tests start the same command outside of namespaces.
        let ids = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
        command.starts_with(b"sleep\x001000") && ids.split_whitespace().count() > 1
    };
    assert_eq!(fs::read_dir("/proc").unwrap().flatten().filter(is_orphan).count(), 0);
}

#[test]
fn an_isolated_suite_ends_by_its_own_signal() {
    if !is_supported() {
        return;
    }
    let suite = misbehaving(all());
    for (function, signal) in [("functions::traps", "SIGABRT"), ("processes::faults", "SIGSEGV")] {
        let reason = reason(&suite, function);
        assert!(reason.contains(signal), "{reason}");
    }
    let limited = Guard { cpu_seconds: Some(1), ..Guard::default() };
    let settings = ChildSettings { guard: limited, ..settings(all()) };
    let suite = NativeSuite::open_with(&native("misbehaving").unwrap(), settings).unwrap();
    assert!(reason(&suite, "functions::hangs").contains("SIGXCPU"));
}

/// The output of a command in a user namespace that allows no others.
fn without_user_namespaces(command: &str) -> String {
    let script = format!("echo 0 > /proc/sys/user/max_user_namespaces; {command}");
    let output = Command::new("unshare").args(["--user", "--map-root-user", "sh", "-c", &script]).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// `endless-host supported` prints the protections that the system supports.
#[test]
fn unsupported_protections_are_reported_with_reasons() {
    if !is_supported() {
        return;
    }
    let program = env!("CARGO_BIN_EXE_endless-host");
    let (supported, missing) = launcher().supported(&all()).unwrap();
    assert_eq!((supported, missing), (all(), Vec::new()));
    // As root of its namespace, it can still create the other kinds of namespaces.
    assert_eq!(without_user_namespaces(&format!("{program} supported")).trim(), "namespaces landlock seccomp");
    let report =
        without_user_namespaces(&format!("setpriv --bounding-set -all --inh-caps -all --reuid 0 {program} supported"));
    assert!(report.starts_with("landlock seccomp\nnamespaces: "), "{report}");

    // A runner that requires them names them, and does not start.
    let folder = tempfile::tempdir().unwrap();
    let server = runner::command().unwrap();
    let suite = native("misbehaving").unwrap();
    let log = without_user_namespaces(&format!(
        "setpriv --bounding-set -all --inh-caps -all --reuid 0 {} --isolation required --port 0 --database {} --suite {}",
        server.get_program().display(),
        folder.path().join("results.sqlite").display(),
        suite.display()
    ));
    assert!(log.contains("isolation is required, but this system lacks namespaces ("), "{log}");
}

/// The runner serves on, and the next measurement of another client has figures.
#[tokio::test(flavor = "current_thread")]
async fn a_hostile_suite_harms_neither_the_runner_nor_others() {
    if !is_supported() {
        return;
    }
    let suite = native("misbehaving").unwrap();
    let setup = RunnerSetup { lines: "isolation = \"required\"".to_owned(), ..RunnerSetup::with(&suite) };
    let ready = setup.start().await.unwrap();
    let attacked = ready.measure(&ready.request(&["hostile::attacks"], 1)).await.unwrap();
    let failed = attacked.points.last().unwrap();
    assert!(failed.measured().is_none(), "{failed:?}");
    let request = Request { client: "another".to_owned(), ..ready.request(&["functions::well"], 1) };
    let measured = ready.measure(&request).await.unwrap();
    assert!(measured.points.iter().all(|point| point.measured().is_some()), "{:?}", measured.points);
    assert_eq!(ready.results().await.unwrap().len(), 2);
}

/// Every process of the same user can read the environment that a process was started with.
#[tokio::test(flavor = "current_thread")]
async fn the_token_is_not_in_the_environment() {
    const TOKEN: &str = "a-token-of-the-test-with-thirty-two-characters";
    let folder = tempfile::tempdir().unwrap();
    let mut command = runner::command().unwrap();
    command.env("BENCHBOOK_TOKEN", TOKEN);
    let suite = native("misbehaving").unwrap();
    let database = folder.path().join("results.sqlite");
    let runner = RunnerProgram::start_command(command, &database, &[&suite], &[]).unwrap();
    let environment = fs::read(format!("/proc/{}/environ", runner.id())).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains(TOKEN));
    assert_eq!(runner.get("queue").send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert!(runner.get("queue").bearer_auth(TOKEN).send().await.unwrap().status().is_success());
    // Neither do files that a child process would inherit.
    for file in fs::read_dir(format!("/proc/{}/fd", runner.id())).unwrap().flatten() {
        let is_memory =
            fs::read_link(file.path()).is_ok_and(|target| target.to_string_lossy().contains("benchbook-token"));
        assert!(!is_memory || fs::read(file.path()).unwrap().is_empty());
    }
    runner.terminate().unwrap();
}

#[tokio::test(flavor = "current_thread")]
async fn the_machine_card_states_the_protections() {
    if !is_supported() {
        return;
    }
    let suite = native("misbehaving").unwrap();
    for (mode, active) in [("required", true), ("none", false)] {
        let runner = RunnerProgram::start(&[&suite], &["--isolation", mode]).unwrap();
        let card: MachineCard = runner.get("machine").send().await.unwrap().json().await.unwrap();
        let names: Vec<&str> = card.protections.iter().map(|status| status.name.as_str()).collect();
        assert_eq!(names, ["namespaces", "landlock", "seccomp", "private_memory", "limits"]);
        for status in &card.protections[..3] {
            assert_eq!((status.active, status.reason.is_none()), (active, active), "{status:?}");
        }
        runner.terminate().unwrap();
    }
}
