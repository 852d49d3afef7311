//! A native suite tells which batches the kernel interrupted: tried with a neighbour on the very core that measures.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook::child::{Guard, NativeSuite};
use benchbook::parameter::Range;
use benchbook::quality::{Counts, Quality};
use benchbook::response::Sample;
use benchbook_tests::disturb::neighbour_on;
use benchbook_tests::requests::{measure, quick, request};
use benchbook_tests::suites::fixture;
use rustix::thread::{CpuSet, sched_getaffinity};

/// A core that this process may use.
fn core() -> u32 {
    let usable = sched_getaffinity(None).unwrap();
    (0..CpuSet::MAX_CPU).rfind(|&core| usable.is_set(core)).unwrap().try_into().unwrap()
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
    let core = core();
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
