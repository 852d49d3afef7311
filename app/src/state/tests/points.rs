//! Points for tests.

use benchbook_host::analyze::blocks;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::response::{DeclaredWork, Failure, FailureKind, MeasuredPoint, Outcome, Point};

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
    let measured = MeasuredPoint {
        summary,
        runs: Vec::new(),
        outputs: None,
        work: DeclaredWork::default(),
        memory: None,
        events: None,
        first_calls: None,
        warnings: Vec::new(),
    };
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}
