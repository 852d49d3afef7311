//! A native suite tells which batches the kernel interrupted: tried with a neighbour on the very core that measures, and by
//! moving the suite to another core.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use std::process::Command;
use std::{fs, thread};

use benchbook_contract::guard::Guard;
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::SuiteMessage;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::{Counts, Quality};
use benchbook_host::response::Sample;
use benchbook_tests::disturb::neighbour_on;
use benchbook_tests::listener::Listener;
use benchbook_tests::native::NativeChild;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::fixture;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::json;

/// The cores that this process may use.
fn cores() -> Vec<usize> {
    let usable = sched_getaffinity(None).unwrap();
    (0..CpuSet::MAX_CPU).filter(|&core| usable.is_set(core)).collect()
}

/// The samples that count of walks that are `steps` long.
fn samples(suite: &NativeSuite, function: &str, steps: f64) -> Vec<Sample> {
    let quality = Quality { point_ms: 500.0, samples: Counts { at_least: 4, at_most: 1_000 }, ..quick(2) };
    let generator = suite.suite().generator("walks::walks").unwrap();
    let request = request(suite.suite(), &[function], generator, Range { low: steps - 100.0, high: steps });
    let points = measure(suite, request, quality, |_| {}).unwrap().points;
    let runs = points.iter().flat_map(|point| &point.measured().unwrap().runs);
    runs.flat_map(|run| &run.samples).filter(|sample| !sample.warm_up).copied().collect()
}

/// The time alone marks what takes longer than most: never half of the samples. So the suite must have told it.
#[test]
fn batches_are_marked_where_a_neighbour_takes_the_core_and_no_others() {
    let core = u32::try_from(*cores().last().unwrap()).unwrap();
    let guard = Guard { core: Some(core), ..Guard::default() };
    let suite = NativeSuite::open_guarded(&fixture("ladder").unwrap().program, guard, None).unwrap();
    assert!(suite.unguarded().is_empty(), "{:?}", suite.unguarded());
    let _neighbour = neighbour_on(core);

    // A hundred million steps: tenths of a second, in which a scheduler has many turns.
    let long = samples(&suite, "rungs::thousand_24", 100_000.0);
    assert!(!long.is_empty() && long.iter().all(|sample| sample.interrupted), "{long:?}");
    // Microseconds: many batches fit a turn.
    let short = samples(&suite, "rungs::one", 200.0);
    let marked = short.iter().filter(|sample| sample.interrupted).count();
    assert!(2 * marked < short.len(), "{marked} of {}", short.len());
}

/// Batches of a call each. The first ones stay where they are, in order to see that none is marked there for nothing.
const BATCHES: u32 = 40;
const STAYING: u32 = 20;

/// Whoever waits gives the core away of its own accord, and no core is taken away from it: that it goes on at another one
/// is all that tells.
#[test]
fn batches_are_marked_where_the_suite_is_moved_and_no_others() {
    let cores = cores();
    let [first, second, ..] = cores[..] else {
        return eprintln!("skipped: there is one core, and no way to move anything");
    };
    let listener = Listener::start().unwrap();
    let mut command = Command::new(fixture("misbehaving").unwrap().program);
    command.envs([listener.variable().unwrap()]);
    let mut suite = NativeChild::start_by(command).unwrap();
    let process = Pid::from_raw(suite.id().try_into().unwrap()).unwrap();
    place(process, first, second);

    let open = json!({
        "type": "open", "slot": 0, "functions": ["processes::waits_for_a_listener"], "generator": "generators::sizes",
        "arguments": { "size": { "low": 10, "high": 20 } }, "axis": 10, "seed": 0, "priority": 1,
    });
    let collect = json!({ "type": "collect", "slot": 0, "target": { "function": 0 }, "calls": 1, "batches": BATCHES });
    suite.tell(&open.to_string()).unwrap();
    let opened = suite.answer().unwrap();
    suite.tell(&collect.to_string()).unwrap();
    let mut call = listener.hear().unwrap_or_else(|error| panic!("{error} after {opened}"));
    for batch in 0..BATCHES {
        call.number().unwrap();
        if batch >= STAYING {
            until_it_waits(process);
            let (to, from) = if batch % 2 == 0 { (second, first) } else { (first, second) };
            place(process, to, from);
        }
        call.answer().unwrap();
    }
    let SuiteMessage::Samples(samples) = serde_json::from_str(&suite.answer().unwrap()).unwrap() else { panic!() };
    let (staying, moved): (Vec<u32>, Vec<u32>) = samples.interrupted.iter().partition(|&&batch| batch < STAYING);
    assert_eq!(moved, (STAYING..BATCHES).collect::<Vec<_>>());
    // What else the machine has to do may strike some.
    assert!(2 * staying.len() < STAYING as usize, "{staying:?}");
}

/// Moves the suite to a core, and this thread to the other: woken up beside the suite, it would take the core away.
fn place(suite: Pid, core: usize, other: usize) {
    for (process, core) in [(Some(suite), core), (None, other)] {
        let mut only = CpuSet::new();
        only.set(core);
        sched_setaffinity(process, &only).unwrap();
    }
}

/// Until a process does nothing any more: it is about to wait.
fn until_it_waits(process: Pid) {
    let stat = format!("/proc/{}/stat", process.as_raw_nonzero());
    // The state comes after the program's name in parentheses.
    while fs::read_to_string(&stat).unwrap().contains(") R ") {
        thread::yield_now();
    }
}
