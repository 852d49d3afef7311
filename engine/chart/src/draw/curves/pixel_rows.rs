//! Samples grouped by pixel row: thousands of samples become a few runs of distinguishable density.

use crate::scale::{AxisScale, Span};

/// The pixel rows of a plot, from the lowest.
pub(super) struct PixelRows {
    /// The time at which each row starts, and the end of the last one.
    edges: Vec<f64>,
}

/// Adjacent rows of the same density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DensityRun {
    /// The first row.
    pub(super) first: usize,
    /// The row after the last one.
    pub(super) end: usize,
    /// The density level, from 0 to [`LEVELS`] - 1.
    pub(super) level: usize,
}

/// The number of density levels: as many shades as are distinguishable on a band.
pub(super) const LEVELS: usize = 3;
/// The fraction of the fullest row's samples that a row of each level exceeds.
const THRESHOLDS: [f64; LEVELS] = [0.0, 0.15, 0.5];

impl PixelRows {
    /// Divides a span of this scale into `rows` rows, at least one.
    pub(super) fn new(scale: AxisScale, span: Span, rows: usize) -> Self {
        let rows = rows.max(1);
        Self { edges: (0..=rows).map(|row| scale.value(span.at(row as f64 / rows as f64))).collect() }
    }

    /// The non-empty rows of these samples, which are in ascending order. Considers only visible samples; each row takes
    /// two binary searches, however many samples it contains.
    pub(super) fn runs(&self, sorted: &[f64]) -> Vec<DensityRun> {
        let counts = self.counts(sorted);
        let fullest = counts.iter().map(|&(_, count)| count).max().unwrap_or(0) as f64;
        let level =
            |count: usize| THRESHOLDS.iter().rposition(|threshold| count as f64 > threshold * fullest).unwrap_or(0);
        let mut runs: Vec<DensityRun> = Vec::new();
        for (row, level) in counts.into_iter().map(|(row, count)| (row, level(count))) {
            match runs.last_mut() {
                Some(run) if run.end == row && run.level == level => run.end += 1,
                _ => runs.push(DensityRun { first: row, end: row + 1, level }),
            }
        }
        runs
    }

    /// The non-empty visible rows with their numbers of samples, from the lowest.
    fn counts(&self, sorted: &[f64]) -> Vec<(usize, usize)> {
        let last = self.edges.len() - 1;
        let below = sorted.partition_point(|time| *time < self.edges[0]);
        let visible = sorted.partition_point(|time| *time <= self.edges[last]);
        let mut rest = sorted.get(below..visible).unwrap_or_default();
        let mut counts = Vec::new();
        let mut row = 0;
        while let Some(first) = rest.first() {
            row += self.edges[row + 1..last].partition_point(|edge| edge <= first);
            let end = if row + 1 == last { f64::INFINITY } else { self.edges[row + 1] };
            let count = rest.partition_point(|time| *time < end);
            counts.push((row, count));
            rest = &rest[count..];
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(first: usize, end: usize, level: usize) -> DensityRun {
        DensityRun { first, end, level }
    }

    fn rows(low: f64, high: f64, rows: usize) -> PixelRows {
        PixelRows::new(AxisScale::Linear, Span { low, high }, rows)
    }

    #[test]
    fn adjacent_rows_of_same_density_are_one_run() {
        let mut samples = vec![0.5, 1.5, 9.9, 10.0];
        samples.extend([5.5; 10]);
        samples.sort_by(f64::total_cmp);
        assert_eq!(rows(0.0, 10.0, 10).runs(&samples), [run(0, 2, 0), run(5, 6, 2), run(9, 10, 1)]);
    }

    #[test]
    fn log_axis_has_rows() {
        let rows = PixelRows::new(AxisScale::Log, Span { low: 0.0, high: 2.0 }, 2);
        assert_eq!(rows.runs(&[-5.0, 0.0, 2.0, 50.0, 60.0]), [run(0, 1, 1), run(1, 2, 2)]);
    }

    proptest! {
        #[test]
        fn every_visible_sample_is_in_the_row_of_its_time(
            mut samples in proptest::collection::vec(-20.0..120.0, 0..300), count in 1_usize..60,
        ) {
            samples.sort_by(f64::total_cmp);
            let rows = rows(0.0, 100.0, count);
            let counts = rows.counts(&samples);
            prop_assert!(counts.windows(2).all(|pair| pair[0].0 < pair[1].0));
            let visible = samples.iter().filter(|time| (0.0..=100.0).contains(*time)).count();
            prop_assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), visible);
            for (row, count) in counts {
                let (from, to) = (rows.edges[row], rows.edges[row + 1]);
                prop_assert_eq!(samples.iter().filter(|time| (from..to).contains(*time)).count(), count);
            }
        }
    }
}
