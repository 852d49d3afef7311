//! Points for tests.

use benchbook_host::analyze::blocks;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::response::{Failure, FailureKind, MeasuredPoint, Outcome, Overhead, Point, Run, Sample};

/// A failed point of `sort`.
pub(crate) fn failed(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Failed(failure) }
}

/// A point of `sort` without samples.
pub(crate) fn measured(x: f64, mean: f64) -> Point {
    let times = [mean];
    let runs = [blocks::RunTimes::without_overhead(&times, &[1])];
    let basis = Basis {
        runs: &runs,
        calls: 1,
        step_per_call: 0.0,
        uninterrupted_mean: None,
        quartiles_withheld: false,
        stability: Stability::Settled,
    };
    let summary = summarize(&basis).expect("there is a sample");
    let measured = MeasuredPoint::new(summary, Vec::new());
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}

/// A point of `sort` with samples that scatter around a time by 1 %.
pub(crate) fn sampled(x: f64, time: f64) -> Point {
    let times: Vec<f64> = (0..24).map(|index| time * (0.99 + 0.001 * f64::from(index * 7 % 20))).collect();
    let blocks = vec![1; times.len()];
    let runs = [blocks::RunTimes::without_overhead(&times, &blocks)];
    let basis = Basis {
        runs: &runs,
        calls: times.len() as u64,
        step_per_call: 0.0,
        uninterrupted_mean: None,
        quartiles_withheld: false,
        stability: Stability::Settled,
    };
    let summary = summarize(&basis).expect("there are samples");
    let sample = |&elapsed: &f64| Sample { elapsed, warm_up: false, interrupted: false, inferred: false };
    let run = Run {
        calls: 1,
        overhead: Overhead::default(),
        stability: Stability::Settled,
        reference: None,
        samples: times.iter().map(sample).collect(),
        blocks,
        inputs: None,
        new_inputs: None,
    };
    let measured = MeasuredPoint::new(summary, vec![run]);
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}
