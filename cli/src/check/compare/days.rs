//! Comparisons across days: of each metric by itself, since first calls depend on other conditions of a machine than later ones.

use benchbook_host::analyze::history::days::{AcrossDays, DayChange, Occasion, PointHistory, compare_days};
use benchbook_host::history::{CheckedMetric, CheckedPoint, CheckedResult};

use super::KnownDays;
use super::basis::PointBasis;

/// The comparisons of all points across days.
pub(super) struct DayComparisons {
    /// That of each point, in their order; `None` without accepted results.
    points: Vec<Option<AcrossDays>>,
    /// For each metric, the change of all functions together, if it is known.
    pub(super) all_functions: Vec<(CheckedMetric, DayChange)>,
}

impl DayComparisons {
    /// `points`: each point, its result, and what it is compared with.
    pub(super) fn of(points: &[(&CheckedResult, &CheckedPoint, &PointBasis<'_>)]) -> Self {
        let mut all = Self { points: vec![None; points.len()], all_functions: Vec::new() };
        for metric in CheckedMetric::ALL {
            let is_compared = |(result, point, basis): &&(&CheckedResult, &CheckedPoint, &PointBasis<'_>)| {
                result.benchmark.metric == metric && !basis.occasions(point).is_empty()
            };
            let indices: Vec<usize> = (0..points.len()).filter(|&index| is_compared(&&points[index])).collect();
            let functions: Vec<(&str, &str)> = indices.iter().map(|&index| function(points[index].0)).collect();
            let histories: Vec<PointHistory<'_>> = indices
                .iter()
                .map(|&index| {
                    let (result, point, basis) = points[index];
                    PointHistory {
                        function: functions.iter().position(|one| *one == function(result)).unwrap_or_default(),
                        accepted: basis.occasions(point).to_vec(),
                        now: Occasion { measured: result.measured, means: &point.means, kernel: &point.kernel },
                    }
                })
                .collect();
            let compared = compare_days(&histories);
            indices.iter().zip(compared.points).for_each(|(&index, days)| all.points[index] = Some(days));
            all.all_functions.extend(compared.all_functions.map(|change| (metric, change)));
        }
        all
    }

    /// The comparison of each point. One without accepted results has none to be compared with, whatever their days.
    pub(super) fn of_points(&self) -> impl Iterator<Item = AcrossDays> {
        self.points.iter().map(|days| days.unwrap_or(AcrossDays::SingleDay))
    }

    /// What the accepted results show about the differences between days, at the point with the most.
    pub(super) fn known(&self) -> Option<KnownDays> {
        let known = |days: &AcrossDays| match days {
            AcrossDays::SingleDay => KnownDays::Single,
            AcrossDays::NoReference => KnownDays::WithoutReference,
            AcrossDays::Change(_) => KnownDays::Several,
        };
        self.points.iter().flatten().map(known).max()
    }
}

fn function(result: &CheckedResult) -> (&str, &str) {
    (&result.benchmark.suite, &result.benchmark.function)
}
