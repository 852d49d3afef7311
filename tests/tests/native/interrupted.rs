//! A native suite reports the batches that the kernel interrupted: with a competing thread on the measuring core, and
//! while the suite is moved between cores.

use std::path::Path;
use std::process::Command;
use std::{fs, thread};

use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::SuiteMessage;
use benchbook_host::child::{ChildSettings, NativeSuite};
use benchbook_host::quality::{BatchCounts, Quality};
use benchbook_host::response::Sample;
use benchbook_isolate::{Guard, Launcher};
use benchbook_tests::interference::busy_thread_on;
use benchbook_tests::listener::Listener;
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::native;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::json;

/// The cores that this process may use.
fn cores() -> Vec<usize> {
    let usable = sched_getaffinity(None).unwrap();
    (0..CpuSet::MAX_CPU).filter(|&core| usable.is_set(core)).collect()
}

/// The samples, without warm-up, of walks with this many steps.
fn samples(suite: &NativeSuite, function: &str, steps: f64) -> Vec<Sample> {
    let quality = Quality { point_ms: 500.0, samples: BatchCounts { at_least: 4, at_most: 1_000 }, ..quick(2) };
    let generator = suite.suite().generator("walks::walks").unwrap();
    let request = request(suite.suite(), &[function], generator, Range { low: steps - 100.0, high: steps });
    let points = measure(suite, request, quality, |_| {}).unwrap().points;
    let runs = points.iter().flat_map(|point| &point.measured().unwrap().runs);
    runs.flat_map(|run| &run.samples).filter(|sample| !sample.warm_up).copied().collect()
}

/// Unusually long times flag less than half of the samples. If all are flagged, the suite has reported the
/// interruptions.
#[test]
fn batches_are_flagged_only_if_another_thread_takes_the_core() {
    let core = u32::try_from(*cores().last().unwrap()).unwrap();
    let guard = Guard { core: Some(core), ..Guard::default() };
    let launcher = Some(Launcher::at(Path::new(env!("CARGO_BIN_EXE_endless-host"))));
    let settings = ChildSettings { launcher, guard, ..ChildSettings::default() };
    let suite = NativeSuite::open_with(&native("ladder").unwrap(), settings).unwrap();
    assert!(suite.unenforced().is_empty(), "{:?}", suite.unenforced());
    let _interference = busy_thread_on(core);

    // 10⁸ steps take tenths of a second, many of the scheduler's time slices.
    let long = samples(&suite, "rungs::thousand_24", 100_000.0);
    assert!(!long.is_empty() && long.iter().all(|sample| sample.interrupted), "{long:?}");
    // These batches take microseconds; many fit one time slice.
    let short = samples(&suite, "rungs::one", 200.0);
    let marked = short.iter().filter(|sample| sample.interrupted).count();
    assert!(2 * marked < short.len(), "{marked} of {}", short.len());
}

/// Each batch has one call. The suite stays on its core during the first ones, of which none should be flagged.
const BATCHES: u32 = 40;
const STAYING: u32 = 20;

/// A waiting thread yields its core voluntarily, so it is never interrupted: only the change of the core reveals the
/// interruption.
#[test]
fn batches_are_flagged_only_if_the_suite_changes_cores() {
    let cores = cores();
    let [first, second, ..] = cores[..] else {
        return eprintln!("skipped: there is one core, and no way to move anything");
    };
    let listener = Listener::start().unwrap();
    let mut command = Command::new(native("misbehaving").unwrap());
    command.envs([listener.variable().unwrap()]);
    let mut suite = NativeChild::start_command(command).unwrap();
    let process = Pid::from_raw(suite.id().try_into().unwrap()).unwrap();
    pin(process, first, second);

    let open = json!({
        "type": "open", "slot": 0, "functions": ["processes::waits_for_a_listener"], "generator": "generators::sizes",
        "arguments": { "size": 10 }, "seed": 0, "priority": 1,
    });
    let collect = json!({ "type": "collect", "slot": 0, "target": { "function": 0 }, "calls": 1, "batches": BATCHES });
    suite.send(&open.to_string()).unwrap();
    let opened = suite.receive().unwrap();
    suite.send(&collect.to_string()).unwrap();
    let mut connection = listener.accept().unwrap_or_else(|error| panic!("{error} after {opened}"));
    for batch in 0..BATCHES {
        connection.number().unwrap();
        if batch >= STAYING {
            until_it_waits(process);
            let (to, from) = if batch % 2 == 0 { (second, first) } else { (first, second) };
            pin(process, to, from);
        }
        connection.release().unwrap();
    }
    let SuiteMessage::Samples(samples) = serde_json::from_str(&suite.receive().unwrap()).unwrap() else { panic!() };
    let (staying, moved): (Vec<u32>, Vec<u32>) = samples.interrupted.iter().partition(|&&batch| batch < STAYING);
    assert_eq!(moved, (STAYING..BATCHES).collect::<Vec<_>>());
    // Other processes on the machine may interrupt some of them.
    assert!(2 * staying.len() < STAYING as usize, "{staying:?}");
}

/// Pins the suite to a core and this thread to another one; otherwise this thread would preempt the suite when it wakes
/// up.
fn pin(suite: Pid, core: usize, other: usize) {
    for (process, core) in [(Some(suite), core), (None, other)] {
        let mut only = CpuSet::new();
        only.set(core);
        sched_setaffinity(process, &only).unwrap();
    }
}

/// Waits until a process is no longer running, and therefore about to wait.
fn until_it_waits(process: Pid) {
    let stat = format!("/proc/{}/stat", process.as_raw_nonzero());
    // The state follows the parenthesised program name.
    while fs::read_to_string(&stat).unwrap().contains(") R ") {
        thread::yield_now();
    }
}
