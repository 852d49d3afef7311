//! Causes for which figures are less precise than they appear, or than requested.

use super::cause::{Affected, Cause, Gather, Severity, points_with};
use super::curve::{CurvePoint, ReportedCurve};
use crate::analyze::interval::Interval;
use crate::response::{TwoLevelTimes, Warning};
use crate::units::{Nanos, TimeUnit, count, percent, plus_minus, significant};

/// The longest time that a point may take, in milliseconds: an hour.
const MAX_TIME_MS: f64 = 3_600_000.0;

/// The most serious first.
pub(super) fn all() -> Vec<Box<dyn Gather>> {
    vec![
        Box::<Imprecise>::default(),
        Box::<SlowSetup>::default(),
        Box::<Interference>::default(),
        Box::<SlowMachine>::default(),
        Box::<BatchStart>::default(),
        Box::<LateChange>::default(),
        Box::new(Unsettled),
        Box::new(Skewed),
        Box::<TwoLevels>::default(),
        Box::new(Correlated),
    ]
}

/// The target precision was not reached.
#[derive(Default)]
struct Imprecise {
    /// The worst relative half-width; 0 if none is known.
    worst: f64,
    /// The targets of the points.
    targets: Vec<f64>,
    /// The longest time in milliseconds that a point needs: 0 if unknown, infinite if no time suffices.
    needs_ms: f64,
    /// The largest number of processes that a point needs; 0 if points have a single one.
    needs_processes: u32,
}

impl Imprecise {
    fn fix(&self, affected: &Affected<'_>) -> String {
        match (self.needs_ms, self.needs_processes) {
            (MAX_TIME_MS.., _) => "This machine cannot reach it. Choose a wider precision target.".to_owned(),
            (_, processes @ 1..) => format!("It would take {processes} processes. Choose a wider precision target."),
            (0.0, _) => {
                let fix = affected.layout.with_less_load("or choose a wider precision target");
                format!("The required time is unknown. {fix}")
            }
            (ms, _) => format!("Allow {} per point, or choose a wider precision target.", Nanos(ms * 1e6)),
        }
    }
}

impl Gather for Imprecise {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::Imprecise { reached, target, needs_ms, needs_processes } = *warning else { return false };
            self.worst = self.worst.max(reached.unwrap_or(0.0));
            self.targets.push(target);
            match needs_processes {
                Some(processes) => self.needs_processes = self.needs_processes.max(processes),
                None => {
                    let unknown = if reached.is_some() { f64::INFINITY } else { 0.0 };
                    self.needs_ms = self.needs_ms.max(needs_ms.unwrap_or(unknown));
                }
            }
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let target = match self.targets.as_slice() {
            [first, others @ ..] if others.iter().all(|target| target == first) => {
                format!("the target of {}", plus_minus(*first))
            }
            _ => "their precision targets".to_owned(),
        };
        let worst = if self.worst > 0.0 { format!(" (worst {})", plus_minus(self.worst)) } else { String::new() };
        let problem = format!("{} missed {target}{worst}", affected.share());
        affected.cause(Severity::Noisy, problem, self.fix(affected))
    }
}

/// Setup leaves too few calls per batch: the longest time to prepare a batch in nanoseconds.
#[derive(Default)]
struct SlowSetup(f64);

impl Gather for SlowSetup {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::SlowSetup { setup } = *warning else { return false };
            self.0 = self.0.max(setup);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let setup = Nanos(self.0);
        let problem = format!("Setup of up to {setup} per batch leaves few calls to time at {}", affected.share());
        Cause {
            affects_ratios: true,
            explanation: "The timer's own cost dominates. Setup counts as time of the measurement.",
            ..affected.cause(Severity::Noisy, problem, "Make setup shorter, or do more work per call.")
        }
    }
}

/// Samples were interrupted: their number, and the time in milliseconds.
#[derive(Default)]
struct Interference {
    samples: u64,
    ms: f64,
}

impl Gather for Interference {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::Interrupted { samples, ms } = *warning else { return false };
            (self.samples, self.ms) = (self.samples + u64::from(samples), self.ms + ms);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let were = if self.samples == 1 { "sample was" } else { "samples were" };
        let problem = format!("{} {were} interrupted ({} in total)", count(self.samples), Nanos(self.ms * 1e6));
        let fix = affected.layout.with_less_load("then measure again");
        let explanation = "The function itself may also stall.";
        Cause { explanation, ..affected.cause(Severity::Noisy, problem, fix) }
    }
}

/// The machine was slower than before: the greatest relative slowdown.
#[derive(Default)]
struct SlowMachine(f64);

impl Gather for SlowMachine {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::SlowMachine { by } = *warning else { return false };
            self.0 = self.0.max(by);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("The machine ran up to {} slower than at its best", percent(self.0));
        let fix = affected.layout.with_less_load("then measure again");
        let explanation = "Typical causes: heat, battery power, another process on the same core.";
        Cause { explanation, ..affected.cause(Severity::Noisy, problem, fix) }
    }
}

/// Each batch starts slowly: the longest start in nanoseconds, and its largest share of the time per call.
#[derive(Default)]
struct BatchStart {
    nanos: f64,
    share: f64,
}

impl Gather for BatchStart {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        let slow = |(index, point): (usize, &CurvePoint<'_>)| {
            let of_warning = |warning: &Warning| match *warning {
                Warning::BatchStart { nanos, per_call } => Some((nanos, per_call / point.measured.summary.mean)),
                _ => None,
            };
            let (nanos, share) = point.measured.warnings.iter().find_map(of_warning)?;
            (self.nanos, self.share) = (self.nanos.max(nanos), self.share.max(share));
            Some(index)
        };
        curve.points.iter().enumerate().filter_map(slow).collect()
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let (nanos, share) = (Nanos(self.nanos), percent(self.share));
        let problem =
            format!("Each batch starts slowly, by up to {nanos} (up to {share} of the time), at {}", affected.share());
        Cause {
            explanation: "Between batches, caches and branch predictors forget the function, or the core slows down. Batches of twice as many calls took less per call.",
            ..affected.cause(
                Severity::Noisy,
                problem,
                "For back-to-back calls, subtract that share. A finer precision makes batches longer.",
            )
        }
    }
}

/// The speed changed after sampling: the medians before and after of the greatest change.
#[derive(Default)]
struct LateChange(Option<(f64, f64)>);

impl Gather for LateChange {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        let size = |(before, after): (f64, f64)| (after / before).ln().abs();
        points_with(curve, |warning| {
            let Warning::LateChange { before, after } = *warning else { return false };
            if self.0.is_none_or(|greatest| size((before, after)) > size(greatest)) {
                self.0 = Some((before, after));
            }
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let (before, after) = self.0.map_or((Nanos(0.0), Nanos(0.0)), |(before, after)| (Nanos(before), Nanos(after)));
        let problem = format!("Later in the process, calls took {after} instead of {before} at {}", affected.share());
        Cause {
            affects_ratios: true,
            explanation: "The code was optimised late, or the function keeps growing state.",
            ..affected.cause(Severity::Noisy, problem, "Allow more time per point.")
        }
    }
}

/// The times did not settle during warm-up.
struct Unsettled;

impl Gather for Unsettled {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::Unsettled))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("{} did not settle during warm-up", affected.share());
        let fix = affected.layout.with_less_load("then measure again");
        let explanation = "Another process interfered, or the function itself keeps changing its speed.";
        Cause { explanation, ..affected.cause(Severity::Noisy, problem, fix) }
    }
}

/// Too few samples for such skewed times.
struct Skewed;

impl Gather for Skewed {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::Skewed))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("Too few samples for skewed times at {}", affected.share());
        let explanation = "The mean is uncertain.";
        Cause { explanation, ..affected.cause(Severity::Noisy, problem, "Use the median, or measure longer.") }
    }
}

/// The times switch between two levels: the two that are farthest apart.
#[derive(Default)]
struct TwoLevels(Option<TwoLevelTimes>);

impl Gather for TwoLevels {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        let factor = |levels: &TwoLevelTimes| levels.high / levels.low;
        points_with(curve, |warning| {
            let Warning::TwoLevels(levels) = warning else { return false };
            if self.0.as_ref().is_none_or(|worst| factor(levels) > factor(worst)) {
                self.0 = Some(*levels);
            }
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let levels = self.0.as_ref().expect("a point has two levels");
        let (low, high, share) = (Nanos(levels.low), Nanos(levels.high), percent(levels.high_share));
        let at = affected.share();
        let problem =
            format!("The times of {at} switch between two levels, such as {low} and {high} ({share} at the upper one)");
        Cause {
            explanation: "This widens the mean's interval. Often, the branch predictor learns an input that repeats, and forgets it again.",
            ..affected.cause(Severity::Noisy, problem, two_levels_fix(levels))
        }
    }
}

/// What to do about times at two levels: the time on inputs that do not repeat, if it is known.
fn two_levels_fix(levels: &TwoLevelTimes) -> String {
    match (levels.repeats, levels.new_inputs) {
        (Some(repeats), Some(Interval { low, high })) => {
            let unit = TimeUnit::for_largest(high);
            // An interval of few blocks may extend below 0, a time cannot.
            let low = low.max(0.0);
            let (repeats, low, high) = (significant(repeats, 2), unit.digits(low), unit.format(high));
            format!("If your inputs do not repeat, expect {low} to {high} (here, each was used {repeats} times).")
        }
        _ => "Try other inputs.".to_owned(),
    }
}

/// The times are correlated over several blocks.
struct Correlated;

impl Gather for Correlated {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::Correlated))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("The times of {} vary slowly", affected.share());
        let fix = affected.layout.with_less_load("or measure longer");
        Cause {
            explanation: "This widens the mean's interval. The machine's speed varies, or the function keeps state between calls.",
            ..affected.cause(Severity::Noisy, problem, fix)
        }
    }
}
