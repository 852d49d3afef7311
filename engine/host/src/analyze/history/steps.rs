//! Steps in a long history: the builds at which the level changed.

use std::ops::Range;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

/// How steps are detected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRule {
    /// The number of values that are examined together, 4 or more. Consecutive windows overlap by half.
    pub window: usize,
    /// The probability up to which a difference counts as significant.
    pub level: f64,
    /// The least relative change, such as 0.01. Smaller ones are not reported.
    pub least_change: f64,
}

impl Default for StepRule {
    fn default() -> Self {
        Self { window: 50, level: 0.001, least_change: 0.01 }
    }
}

/// A change of level within a history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryStep {
    /// The index of the first value after the step.
    pub index: usize,
    /// The means from the previous step to this one, and from this one to the next.
    pub means: (f64, f64),
    /// The probability of such a difference, or a greater one, if both parts have the same mean.
    pub p: f64,
}

impl HistoryStep {
    /// The change relative to the mean before: 0.1 means that it is a tenth longer.
    pub fn change(&self) -> f64 {
        self.means.1 / self.means.0 - 1.0
    }

    /// The greater of the changes relative to the mean before and to that after, which is the same for opposite steps.
    fn magnitude(&self) -> f64 {
        self.change().abs().max((self.means.0 / self.means.1 - 1.0).abs())
    }

    /// The step between two adjacent parts of a history.
    fn between(values: &[f64], before: Range<usize>, after: Range<usize>) -> Self {
        let index = after.start;
        let (before, after) = (&values[before], &values[after]);
        Self { index, means: (before.mean(), after.mean()), p: probability(before, after) }
    }
}

impl StepRule {
    /// The steps of a history, in its order. The values must be finite.
    ///
    /// The method is that of M. Fleming, P. Kołaczkowski, I. Kumar, S. Das, S. McCarthy, P. Pattabhiraman and H. Ingo, "Hunter: Using
    /// change point detection to hunt for performance regressions", *ICPE 2023* 199–206. In overlapping windows, the series is split
    /// where the energy distance of both parts is greatest, as in D. S. Matteson and N. A. James, "A nonparametric approach for multiple
    /// change point analysis of multivariate data", *Journal of the American Statistical Association* 109 (2014) 334–345, as long as
    /// Student's t test finds a difference at ten times the level. Then the least significant of these steps is removed, and its
    /// neighbours are tested again, until all are significant; and likewise the smallest, until all have the least change.
    pub fn steps(&self, values: &[f64]) -> Vec<HistoryStep> {
        let mut bounds = self.candidates(values);
        loop {
            let steps: Vec<HistoryStep> = (0..bounds.len())
                .map(|index| {
                    HistoryStep::between(values, part(&bounds, index, values), part(&bounds, index + 1, values))
                })
                .collect();
            let least_significant = steps.iter().enumerate().max_by(|one, other| one.1.p.total_cmp(&other.1.p));
            let smallest =
                steps.iter().enumerate().min_by(|one, other| one.1.magnitude().total_cmp(&other.1.magnitude()));
            let removed = least_significant
                .filter(|(_, step)| step.p >= self.level)
                .or(smallest.filter(|(_, step)| step.magnitude() <= self.least_change));
            match removed {
                Some((index, _)) => drop(bounds.remove(index)),
                None => return steps,
            }
        }
    }

    /// The indices at which some window may have a step, in ascending order.
    fn candidates(&self, values: &[f64]) -> Vec<usize> {
        let window = self.window.max(4);
        let mut found = Vec::new();
        let mut start = 0;
        while start < values.len() {
            let end = (start + window).min(values.len());
            let in_window = self.splits(&values[start..end]);
            let last = in_window.last().map_or(0, |last| start + last);
            found.extend(in_window.into_iter().map(|index| start + index));
            start = last.max(start + window / 2);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The indices that split a window into significantly different parts, in ascending order.
    fn splits(&self, values: &[f64]) -> Vec<usize> {
        let mut bounds: Vec<usize> = Vec::new();
        loop {
            let parts = (0..=bounds.len()).map(|index| part(&bounds, index, values));
            let splits = parts.filter_map(|part| best_split(values, part));
            let Some(split) = splits.max_by(|one, other| one.distance.total_cmp(&other.distance)) else {
                return bounds;
            };
            let Split { before, after, .. } = split;
            let index = after.start;
            if probability(&values[before], &values[after]) > 10.0 * self.level {
                return bounds;
            }
            let place = bounds.partition_point(|bound| *bound < index);
            bounds.insert(place, index);
        }
    }
}

/// The part of the values between two bounds. `index`: 0 for the part before the first bound.
fn part(bounds: &[usize], index: usize, values: &[f64]) -> Range<usize> {
    let start = index.checked_sub(1).map_or(0, |before| bounds[before]);
    start..bounds.get(index).copied().unwrap_or(values.len())
}

/// A split of a part of the values.
struct Split {
    before: Range<usize>,
    after: Range<usize>,
    /// The energy distance between the values before the split and some of those after it.
    distance: f64,
}

/// The split of a part whose energy distance is greatest; `None` for fewer than two values. The distance considers the values
/// after the split only up to the end that makes it greatest, so that a later step does not hide an earlier one.
fn best_split(values: &[f64], part: Range<usize>) -> Option<Split> {
    let values = &values[part.clone()];
    // For each value, its distances to the earlier ones, summed from each index on.
    let to_earlier: Vec<Vec<f64>> =
        (0..values.len()).map(|index| distances_from_each(&values[..index], values[index])).collect();
    // The sums of distances between all values before each end.
    let mut sums = vec![0.0];
    for distances in &to_earlier {
        sums.push(sums[sums.len() - 1] + distances[0]);
    }
    let mut best: Option<(f64, usize)> = None;
    for before in 1..values.len() {
        let within_before = sums[before];
        let mut within_after = 0.0;
        for end in before + 1..=values.len() {
            within_after += to_earlier[end - 1][before];
            let after = end - before;
            let across = sums[end] - within_before - within_after;
            let (n, m) = (before as f64, after as f64);
            // A part of one value has no distances.
            let mean = |sum: f64, count: f64| if count > 1.0 { sum / (count - 1.0) } else { 0.0 };
            let energy = 2.0 / (n + m) * (across - m * mean(within_before, n) - n * mean(within_after, m));
            if best.is_none_or(|(greatest, _)| energy > greatest) {
                best = Some((energy, part.start + before));
            }
        }
    }
    best.map(|(distance, split)| Split { before: part.start..split, after: split..part.end, distance })
}

/// The sums of the distances between a value and those of `others` from each index on. The last sum, of none, is 0.
fn distances_from_each(others: &[f64], value: f64) -> Vec<f64> {
    let mut sums = vec![0.0; others.len() + 1];
    for index in (0..others.len()).rev() {
        sums[index] = sums[index + 1] + (others[index] - value).abs();
    }
    sums
}

/// The two-sided probability of Student's t test with equal variances.
fn probability(before: &[f64], after: &[f64]) -> f64 {
    let freedom = (before.len() + after.len()) as f64 - 2.0;
    let squares = |part: &[f64]| {
        let mean = part.mean();
        part.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let variance = (squares(before) + squares(after)) / freedom;
    let error = (variance * (1.0 / before.len() as f64 + 1.0 / after.len() as f64)).sqrt();
    let difference = (after.mean() - before.mean()).abs();
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(_) if difference == 0.0 => 1.0,
        Ok(student) if error > 0.0 => 2.0 * student.sf(difference / error),
        Ok(_) => 0.0,
        Err(_) => 1.0,
    }
}
