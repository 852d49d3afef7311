//! Samples by rows of pixels: thousands of them become the few stretches that an eye can tell apart.

use crate::scale::{Scale, Span};

/// The rows of a plot, counted from the lowest.
pub(super) struct Rows {
    /// The times at which rows begin, and where the last one ends.
    edges: Vec<f64>,
}

/// Rows beside each other that are equally dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The first row.
    pub(super) first: usize,
    /// The row after the last one.
    pub(super) end: usize,
    /// How dense, from 0 to [`LEVELS`] - 1.
    pub(super) level: usize,
}

/// So many shades can be told apart where they lie over a band.
pub(super) const LEVELS: usize = 3;
/// A row belongs to a level if it holds more than this part of what the fullest row of the point does.
const SHARES: [f64; LEVELS] = [0.0, 0.15, 0.5];

impl Rows {
    /// So many rows over a span of this scale, at least one.
    pub(super) fn new(scale: Scale, span: Span, rows: usize) -> Self {
        let rows = rows.max(1);
        Self { edges: (0..=rows).map(|row| scale.value(span.at(row as f64 / rows as f64))).collect() }
    }

    /// The occupied rows of these samples, which are in ascending order. Only those in view are looked at, and each row
    /// costs two binary searches, however many samples it holds.
    pub(super) fn runs(&self, sorted: &[f64]) -> Vec<Run> {
        let counts = self.counts(sorted);
        let fullest = counts.iter().map(|&(_, count)| count).max().unwrap_or(0) as f64;
        let level = |count: usize| SHARES.iter().rposition(|share| count as f64 > share * fullest).unwrap_or(0);
        let mut runs: Vec<Run> = Vec::new();
        for (row, level) in counts.into_iter().map(|(row, count)| (row, level(count))) {
            match runs.last_mut() {
                Some(run) if run.end == row && run.level == level => run.end += 1,
                _ => runs.push(Run { first: row, end: row + 1, level }),
            }
        }
        runs
    }

    /// The occupied rows in view with their numbers of samples, from the lowest.
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

    fn run(first: usize, end: usize, level: usize) -> Run {
        Run { first, end, level }
    }

    fn rows(low: f64, high: f64, rows: usize) -> Rows {
        Rows::new(Scale::Linear, Span { low, high }, rows)
    }

    #[test]
    fn rows_beside_each_other_that_are_equally_dense_are_one_run() {
        let mut samples = vec![0.5, 1.5, 9.9, 10.0];
        samples.extend([5.5; 10]);
        samples.sort_by(f64::total_cmp);
        assert_eq!(rows(0.0, 10.0, 10).runs(&samples), [run(0, 2, 0), run(5, 6, 2), run(9, 10, 1)]);
    }

    #[test]
    fn what_is_out_of_view_does_not_count() {
        assert_eq!(rows(0.0, 10.0, 10).runs(&[-1.0, -0.1, 3.0, 10.1]), [run(3, 4, 2)]);
        assert!(rows(0.0, 10.0, 10).runs(&[]).is_empty());
    }

    #[test]
    fn a_logarithmic_axis_has_rows_too() {
        let rows = Rows::new(Scale::Log, Span { low: 0.0, high: 2.0 }, 2);
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
