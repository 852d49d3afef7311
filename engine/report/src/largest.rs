//! The largest axis value that each shown function processes within a time.

use benchbook_host::analyze::growth::{GrowthCurve, GrowthPoint, growth, largest_within};
use benchbook_host::messages::largest::{AxisTerms, largest_sentence};
use benchbook_host::units::Nanos;

use super::shown_trace::ShownTrace;

/// The points of a function and how they grow, for any time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionGrowth {
    label: String,
    axis: String,
    unit: String,
    is_whole: bool,
    /// The means; at least two, on an axis of numbers.
    points: Vec<GrowthPoint>,
    /// The fitted curve, if the growth is decided.
    curve: Option<GrowthCurve>,
}

impl FunctionGrowth {
    /// All functions with at least two points on an axis of numbers. Skips the quick curves next to those of a
    /// runner.
    pub fn all(shown: &[ShownTrace]) -> Vec<Self> {
        shown.iter().filter(|shown| !shown.is_sketch).filter_map(Self::of).collect()
    }

    fn of(shown: &ShownTrace) -> Option<Self> {
        let points = shown.trace.curve.growth_points();
        let curve = growth(&points).ok().and_then(|growth| growth.verdict.curve());
        let setup = &shown.trace.setup;
        let (axis, unit) = (setup.axis_name().to_owned(), setup.axis_unit().to_owned());
        let is_whole = setup.has_whole_axis();
        (points.len() > 1).then(|| Self { label: shown.label.clone(), axis, unit, is_whole, points, curve })
    }

    /// The sentence about a time limit; `None` if no point is above 0.
    pub fn sentence(&self, limit: Nanos) -> Option<String> {
        let largest = largest_within(&self.points, self.curve.as_ref(), limit.0)?;
        let class = self.curve.map(|curve| curve.class);
        let axis = AxisTerms { name: &self.axis, unit: &self.unit, is_whole: self.is_whole };
        Some(largest_sentence(&self.label, axis, limit, largest, class))
    }
}
