//! What affects the figures of a machine: its causes, and how they are gathered from the points.

use std::collections::BTreeSet;

use super::curve::ReportedCurve;
use super::location::{PointIndex, ReportLayout};
use crate::response::Warning;

/// How much a cause affects the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The figures may be wrong.
    Rough,
    /// The figures are less precise than they appear, or than requested.
    Noisy,
    /// The figures are right, with a restriction.
    Note,
}

/// Something that affects the figures of a machine, over all its curves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// How much it affects the figures.
    pub severity: Severity,
    /// Whether it affects the ratios of functions that were measured together, although their intervals and [`RatioAt::changed`] do not show it.
    ///
    /// [`RatioAt::changed`]: crate::response::RatioAt::changed
    pub affects_ratios: bool,
    /// Whether a text says it even where all figures are good.
    pub is_always_stated: bool,
    /// What happened, without a full stop: `9 of 36 points missed ±1% (worst ±3.2%)`.
    pub problem: String,
    /// The affected functions and axis values: `btree_map_get: 31 623 and 100 000 entries`.
    pub location: String,
    /// What to do; a sentence.
    pub fix: String,
    /// Why it happens; empty if the problem is self-explanatory.
    pub explanation: &'static str,
}

/// Gathers one cause from the points of all curves, and states it.
pub(super) trait Gather {
    /// Adds a curve. Returns the indices of the points that the cause affects.
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize>;
    /// States the cause; there is at least one point. [`Affected::cause`] has most of it.
    fn state(&self, affected: &Affected<'_>) -> Cause;
}

/// The points that a cause affects, among all.
pub(super) struct Affected<'a> {
    pub(super) points: BTreeSet<PointIndex>,
    pub(super) layout: &'a ReportLayout<'a>,
}

impl Affected<'_> {
    /// Such as `9 of 36 points`.
    pub(super) fn share(&self) -> String {
        let all = self.layout.points();
        format!("{} of {all} {}", self.points.len(), if all == 1 { "point" } else { "points" })
    }

    /// A cause at these points.
    pub(super) fn cause(&self, severity: Severity, problem: String, fix: impl Into<String>) -> Cause {
        Cause {
            severity,
            affects_ratios: false,
            is_always_stated: false,
            problem,
            location: self.layout.text(&self.points),
            fix: fix.into(),
            explanation: "",
        }
    }
}

/// The indices of the points with a warning for which `is_affected` returns `true`. It sees all warnings.
pub(super) fn points_with(curve: &ReportedCurve<'_>, mut is_affected: impl FnMut(&Warning) -> bool) -> Vec<usize> {
    let mut affects = |warnings: &[Warning]| warnings.iter().filter(|warning| is_affected(warning)).count() > 0;
    (0..curve.points.len()).filter(|&point| affects(&curve.points[point].measured.warnings)).collect()
}
