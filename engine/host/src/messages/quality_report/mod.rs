//! The quality of a machine's figures: a badge, one sentence, and the causes behind it.

mod badge;
mod cause;
mod curve;
mod location;
mod noisy;
mod notes;
mod rough;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::messages::another_day::another_day_sentence;
use crate::response::MachineKind;
use crate::units::plus_minus;
pub use badge::Badge;
use cause::{Affected, Gather};
pub use cause::{Cause, Severity};
pub use curve::{CurvePoint, ReportedCurve};
use location::{PointIndex, ReportLayout};

/// The quality of the figures that one machine measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityReport {
    /// The overall verdict.
    pub badge: Badge,
    /// A sentence: the most serious causes, or the precision of all points.
    pub line: String,
    /// What another day would find; empty if it is within the precision.
    pub another_day: String,
    /// Everything that affects the figures, most serious first.
    pub causes: Vec<Cause>,
}

impl QualityReport {
    /// The verdict on the ratios between the functions.
    pub fn ratio_badge(&self) -> Badge {
        Badge::of(self.causes.iter().filter(|cause| cause.affects_ratios))
    }
}

/// The most causes that the sentence names.
const NAMED_CAUSES: usize = 2;

/// Reports the quality of the curves of one machine. `unit`: that of the axis; may be empty. `None` if no point has figures.
pub fn quality_report(curves: &[ReportedCurve<'_>], unit: &str, machine: MachineKind) -> Option<QualityReport> {
    let layout = ReportLayout::of(curves, unit, machine);
    if layout.points() == 0 {
        return None;
    }
    let causes = causes(curves, &layout);
    let badge = Badge::of(causes.iter());
    let line = match badge {
        Badge::Good => precision_sentence(curves),
        Badge::Noisy | Badge::Rough => {
            let serious = causes.iter().filter(|cause| cause.severity != Severity::Note);
            let problems = serious.take(NAMED_CAUSES).map(|cause| cause.problem.as_str());
            let named: Vec<String> = problems
                .enumerate()
                .map(|(index, problem)| if index == 0 { problem.to_owned() } else { continued(problem) })
                .collect();
            format!("{}.", named.join("; "))
        }
    };
    let points = curves.iter().flat_map(|curve| &curve.points).map(|point| point.measured);
    Some(QualityReport { badge, line, another_day: another_day_sentence(points), causes })
}

/// The causes, most serious first.
fn causes(curves: &[ReportedCurve<'_>], layout: &ReportLayout<'_>) -> Vec<Cause> {
    let gathered = |mut gather: Box<dyn Gather>| {
        let mut points = BTreeSet::new();
        for (index, curve) in curves.iter().enumerate() {
            points.extend(gather.add(curve).into_iter().map(|point| PointIndex { curve: index, point }));
        }
        (!points.is_empty()).then(|| gather.state(&Affected { points, layout }))
    };
    let mut causes: Vec<Cause> =
        [rough::all(), noisy::all(), notes::all()].into_iter().flatten().filter_map(gathered).collect();
    // The order of equally serious ones remains.
    causes.sort_by_key(|cause| cause.severity);
    causes
}

/// A problem after the first one of a sentence: without the capital of its article.
fn continued(problem: &str) -> String {
    problem.strip_prefix("The ").map_or_else(|| problem.to_owned(), |rest| format!("the {rest}"))
}

/// Says how precise the means are, such as "All 68 means have 95% intervals within ±0.9%."
fn precision_sentence(curves: &[ReportedCurve<'_>]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let below = points().filter(|point| point.measured.upper_bound().is_some()).count();
    let all = points().count() - below;
    let resolved = points().filter(|point| point.measured.upper_bound().is_none());
    let widths: Vec<f64> = resolved.filter_map(|point| point.measured.summary.relative_half_width).collect();
    let worst = plus_minus(widths.iter().copied().fold(0.0, f64::max));
    let means = match (all, widths.len()) {
        (0, _) if below == 1 => return "The time is indistinguishable from zero.".to_owned(),
        (0, _) => return "All times are indistinguishable from zero.".to_owned(),
        (_, 0) => "No mean has an interval".to_owned(),
        (1, _) => format!("The mean's 95% interval is {worst}"),
        (all, some) if all == some => format!("All {all} means have 95% intervals within {worst}"),
        (all, 1) => format!("1 of {all} means has a 95% interval, within {worst}"),
        (all, some) => format!("{some} of {all} means have 95% intervals, within {worst}"),
    };
    match below {
        0 => format!("{means}."),
        1 => format!("{means}; 1 time is indistinguishable from zero."),
        below => format!("{means}; {below} times are indistinguishable from zero."),
    }
}
