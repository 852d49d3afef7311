//! Points for tests.

use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::response::{Failure, FailureKind, MeasuredPoint, Outcome, Point, Run, Sample};

/// A failed point of `sort`.
pub(crate) fn failed(x: f64) -> Point {
    let failure = Failure { kind: FailureKind::Panic, reason: "it panicked".to_owned() };
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Failed(failure) }
}

/// A point of `sort` without samples.
pub(crate) fn measured(x: f64, mean: f64) -> Point {
    summarized(x, &[mean], Vec::new())
}

/// A point of `sort` with samples that scatter around a time by 1%.
pub(crate) fn sampled(x: f64, time: f64) -> Point {
    let times: Vec<f64> = (0..24).map(|index| time * (0.99 + 0.001 * f64::from(index * 7 % 20))).collect();
    summarized(x, &times, vec![run_of(&times)])
}

/// The same point of another function.
pub(crate) fn of(function: &str, point: Point) -> Point {
    Point { function: function.to_owned(), ..point }
}

/// A run whose blocks have one of these samples each.
pub(crate) fn run_of(times: &[f64]) -> Run {
    let samples = times.iter().map(|&elapsed| Sample { elapsed, ..Sample::default() }).collect();
    Run::of_single_calls(samples, vec![1; times.len()], Stability::Settled)
}

/// A point of `sort` with the figures of these times.
fn summarized(x: f64, times: &[f64], runs: Vec<Run>) -> Point {
    let blocks = vec![1; times.len()];
    let run_times = [RunTimes::without_overhead(times, &blocks)];
    let summary = summarize(&Basis::of(&run_times, times.len() as u64)).expect("there are samples");
    let measured = MeasuredPoint::new(summary, runs);
    Point { function: "sort".to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}
