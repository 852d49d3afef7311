//! Causes for which figures may be wrong.

use super::cause::{Affected, Cause, Gather, Severity, points_with};
use super::curve::ReportedCurve;
use crate::analyze::removed::may_be_removed;
use crate::response::{MeasuredPoint, Warning};
use crate::units::{percent, significant};

/// The relative change of the times up to which they only count as noisy.
const SLIGHT_CHANGE: f64 = 0.1;

/// The most serious first.
pub(super) fn all() -> Vec<Box<dyn Gather>> {
    vec![Box::new(SlowCode), Box::new(RemovedWork), Box::<SlowingCalls>::default(), Box::<ChangedTimes>::default()]
}

struct SlowCode;

impl Gather for SlowCode {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::SlowCode { .. }))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("{} ran unoptimised code", affected.share());
        Cause {
            affects_ratios: true,
            explanation: "While developer tools are attached, browsers run only unoptimised code, which is several times slower.",
            ..affected.cause(Severity::Rough, problem, "Close the developer tools, reload, then measure again.")
        }
    }
}

/// The optimiser may have removed the work of a curve.
struct RemovedWork;

impl Gather for RemovedWork {
    /// All points of a curve, or none. The times of slow code cannot show it.
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        let measured = || curve.points.iter().map(|point| point.measured);
        let is_slow =
            |point: &MeasuredPoint| point.warnings.iter().any(|warning| matches!(warning, Warning::SlowCode { .. }));
        // Without an interval, nothing bounds the time of a point.
        let upper_ends: Vec<f64> = measured()
            .map(|point| point.summary.mean_interval.map_or(f64::INFINITY, |interval| interval.high))
            .collect();
        let references = measured().flat_map(|point| &point.runs).filter_map(|run| run.reference);
        let reference = references.fold(f64::INFINITY, f64::min);
        let is_removed = reference.is_finite() && !measured().any(is_slow) && may_be_removed(&upper_ends, reference);
        if is_removed { (0..upper_ends.len()).collect() } else { Vec::new() }
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = "The optimiser may have removed the work".to_owned();
        Cause {
            affects_ratios: true,
            explanation: "Every point takes under two cycles per call.",
            ..affected.cause(Severity::Rough, problem, "Return the result, or pass it through black_box.")
        }
    }
}

/// The greatest change of the times.
#[derive(Default)]
struct GreatestChange {
    /// Relative to the lower level.
    relative: f64,
    is_gradual: bool,
}

impl GreatestChange {
    /// Adds the changes of a curve that follow the number of calls, or the others.
    fn add(&mut self, curve: &ReportedCurve<'_>, are_by_calls: bool) -> Vec<usize> {
        points_with(curve, |warning| match *warning {
            Warning::Changed { before, after, gradual, by_calls } if by_calls == are_by_calls => {
                let relative = before.max(after) / before.min(after) - 1.0;
                if relative > self.relative {
                    *self = Self { relative, is_gradual: gradual };
                }
                true
            }
            _ => false,
        })
    }

    /// States that `subject` changed by so much.
    fn state(&self, affected: &Affected<'_>, subject: &str, fix: &str) -> Cause {
        let change = match self.relative < 1.0 {
            true => format!("up to {}", percent(self.relative)),
            false => format!("a factor of up to {}", significant(1.0 + self.relative, 2)),
        };
        let severity = if self.relative <= SLIGHT_CHANGE { Severity::Noisy } else { Severity::Rough };
        affected.cause(severity, format!("{subject} by {change}"), fix)
    }
}

/// The times rose with the number of calls.
#[derive(Default)]
struct SlowingCalls(GreatestChange);

impl Gather for SlowingCalls {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        self.0.add(curve, true)
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let subject = format!("Each call slows the next: the times of {} rise", affected.share());
        let fix = "Give each call fresh state, for example a collection created in setup.";
        Cause {
            affects_ratios: true,
            explanation: "The times rise from the start of every process, so the machine is not the reason.",
            ..self.0.state(affected, &subject, fix)
        }
    }
}

/// The level of the times changed during the measurement.
#[derive(Default)]
struct ChangedTimes(GreatestChange);

impl Gather for ChangedTimes {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        self.0.add(curve, false)
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let (change, explanation) = match self.0.is_gradual {
            true => ("drifted", "The machine was warming up, or the function keeps state between calls."),
            false => ("changed", "The machine changed its speed, or a browser switched to better code late."),
        };
        let subject = format!("The times of {} {change}", affected.share());
        let fix = "Measure again once the machine has warmed up.";
        Cause { explanation, ..self.0.state(affected, &subject, fix) }
    }
}
