//! The results of a harness for one function, over its repeats.

use super::figures::PeerFigures;
use super::harness::Harness;
use super::records::{PeerRecord, RecordStore};
use super::statistics::{coverage, median, rms_error};

/// The results of one harness for one function. Times are in nanoseconds per call.
#[derive(Clone, Debug)]
pub(crate) struct PeerRow {
    pub(crate) function: String,
    pub(crate) harness: Harness,
    /// The median of the estimates.
    pub(crate) estimate: f64,
    /// The median of the reported medians.
    pub(crate) median: Option<f64>,
    /// The median half-width of the stated intervals, relative to the estimates: 0.01 is ±1%.
    pub(crate) half_width: Option<f64>,
    /// The median wall time of the harness's process in seconds.
    pub(crate) wall_seconds: f64,
    /// The RMS error of the estimates relative to the reference: 0.01 is 1%. Absent until the reference is measured.
    pub(crate) rms_error: Option<f64>,
    /// The RMS error of the medians relative to the reference's median. Absent if it reports none.
    pub(crate) median_rms_error: Option<f64>,
    /// How many stated intervals contain the reference, and how many there are. Absent until the reference is measured.
    pub(crate) coverage: Option<(usize, usize)>,
    /// As `half_width`, of Benchbook's intervals for another day. Absent until the machine's history has three occasions.
    pub(crate) another_day: Option<f64>,
    /// As `coverage`, of the intervals for another day.
    pub(crate) another_day_coverage: Option<(usize, usize)>,
}

impl PeerRow {
    /// The results over the first `repeats` repeats; absent without any.
    pub(crate) fn of(store: &RecordStore, function: &str, harness: Harness, repeats: u32) -> Option<Self> {
        let records = store.repeats(function, harness, repeats);
        let reference = store.reference(function, harness);
        let reference_median = reference.and_then(|record| record.figures.median);
        let reference = reference.map(|record| record.figures.estimate);
        let estimates: Vec<f64> = records.iter().map(|record| record.figures.estimate).collect();
        let figures: Vec<&PeerFigures> = records.iter().map(|record| &record.figures).collect();
        let stated: Vec<(f64, f64)> = figures.iter().filter_map(|figures| figures.interval()).collect();
        let another_day: Vec<(f64, f64)> =
            figures.iter().filter_map(|figures| figures.another_day_interval()).collect();
        let medians: Vec<f64> = figures.iter().filter_map(|figures| figures.median).collect();
        Some(Self {
            function: function.to_owned(),
            harness,
            estimate: median(estimates.iter().copied())?,
            median: median(medians.iter().copied()),
            half_width: median_half_width(&figures, PeerFigures::interval),
            wall_seconds: median(records.iter().map(|record| record.wall_seconds))?,
            rms_error: reference.and_then(|reference| rms_error(&estimates, reference)),
            median_rms_error: reference_median.and_then(|reference| rms_error(&medians, reference)),
            coverage: reference.map(|reference| coverage(&stated, reference)),
            another_day: median_half_width(&figures, PeerFigures::another_day_interval),
            another_day_coverage: reference.map(|reference| coverage(&another_day, reference)),
        })
    }
}

/// The median half-width of one of the intervals, relative to the estimates.
fn median_half_width(figures: &[&PeerFigures], interval: fn(&PeerFigures) -> Option<(f64, f64)>) -> Option<f64> {
    let half_width =
        |figures: &&PeerFigures| interval(figures).map(|(low, high)| (high - low) / 2.0 / figures.estimate);
    median(figures.iter().filter_map(half_width))
}

/// How often a harness reports a function as slower and as faster than the baseline.
#[derive(Clone, Debug)]
pub(crate) struct PairRow {
    pub(crate) function: String,
    pub(crate) harness: Harness,
    /// The median ratio of the function's time to the baseline's.
    pub(crate) ratio: f64,
    /// The median half-width of the stated intervals, relative to the ratio.
    pub(crate) half_width: Option<f64>,
    pub(crate) slower: usize,
    pub(crate) faster: usize,
    pub(crate) tries: usize,
    /// The median wall time of the harness's process in seconds.
    pub(crate) wall_seconds: f64,
}

impl PairRow {
    /// The results over the first `repeats` repeats; absent without any.
    pub(crate) fn of(store: &RecordStore, function: &str, harness: Harness, repeats: u32) -> Option<Self> {
        let records = store.repeats(function, harness, repeats);
        let figures: Vec<&PeerFigures> = records.iter().map(|record| &record.figures).collect();
        let count = |is: fn(&PeerFigures) -> bool| figures.iter().filter(|figures| is(figures)).count();
        Some(Self {
            function: function.to_owned(),
            harness,
            ratio: median(records.iter().map(|record| record.figures.estimate))?,
            half_width: median_half_width(&figures, PeerFigures::interval),
            slower: count(|figures| is_different(figures) && figures.estimate > 1.0),
            faster: count(|figures| is_different(figures) && figures.estimate < 1.0),
            tries: records.len(),
            wall_seconds: median(records.iter().map(|record: &&PeerRecord| record.wall_seconds))?,
        })
    }
}

/// Whether a comparison reports a difference: by the harness's own decision, otherwise if the interval excludes 1.
fn is_different(figures: &PeerFigures) -> bool {
    let excludes = || figures.interval().is_some_and(|(low, high)| !(low..=high).contains(&1.0));
    figures.is_different.unwrap_or_else(excludes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::figures::AnotherDay;
    use crate::peers::records::Repeat;

    /// A store with these figures as repeats, and a reference of 100.
    fn store(folder: &tempfile::TempDir, function: &str, harness: Harness, all: &[PeerFigures]) -> RecordStore {
        let mut store = RecordStore::open(&folder.path().join("records.jsonl"), false).unwrap();
        let record = |harness, repeat, figures, wall_seconds| PeerRecord {
            function: function.to_owned(),
            harness,
            repeat,
            figures,
            wall_seconds,
            load: 0.0,
            unix_seconds: 0,
            machine: String::new(),
        };
        let reference = PeerFigures {
            estimate: 100.0,
            median: Some(75.0),
            low: None,
            high: None,
            is_different: None,
            wall_seconds: None,
            another_day: None,
        };
        store.add(record(harness.reference(), Repeat::Reference, reference, 20.0)).unwrap();
        for (number, figures) in (1..).zip(all) {
            store.add(record(harness, Repeat::Number(number), figures.clone(), f64::from(number))).unwrap();
        }
        store
    }

    fn figures(estimate: f64, low: f64, high: f64) -> PeerFigures {
        PeerFigures {
            estimate,
            median: Some(90.0),
            low: Some(low),
            high: Some(high),
            is_different: None,
            wall_seconds: None,
            another_day: None,
        }
    }

    #[test]
    fn a_row_compares_the_repeats_with_the_reference() {
        let folder = tempfile::tempdir().unwrap();
        let all = [figures(103.0, 99.0, 107.0), figures(96.0, 95.0, 97.0), figures(100.0, 98.0, 102.0)];
        let store = store(&folder, "mix", Harness::DivanLong, &all);
        let row = PeerRow::of(&store, "mix", Harness::DivanLong, 2).unwrap();
        assert_eq!((row.estimate, row.median, row.wall_seconds), (99.5, Some(90.0), 1.5));
        assert_eq!(row.coverage, Some((1, 2)));
        assert!((row.median_rms_error.unwrap() - 0.2).abs() < 1e-9, "{row:?}");
        assert!((row.rms_error.unwrap() - 0.035_355_339).abs() < 1e-9, "{row:?}");
        assert!((row.half_width.unwrap() - (4.0 / 103.0 + 1.0 / 96.0) / 2.0).abs() < 1e-9, "{row:?}");
        assert!(PeerRow::of(&store, "mix", Harness::Criterion, 2).is_none());
    }

    #[test]
    fn intervals_for_another_day_count_apart_from_the_stated_ones() {
        let folder = tempfile::tempdir().unwrap();
        let known = |low, high| PeerFigures {
            another_day: Some(AnotherDay { low, high, occasions: 3 }),
            ..figures(104.0, 103.0, 105.0)
        };
        let all = [figures(104.0, 103.0, 105.0), known(90.0, 110.8), known(101.0, 111.4)];
        let store = store(&folder, "mix", Harness::BenchbookThird, &all);
        let row = |repeats| PeerRow::of(&store, "mix", Harness::BenchbookThird, repeats).unwrap();
        assert_eq!((row(1).another_day, row(1).another_day_coverage), (None, Some((0, 0))), "too few occasions");
        assert_eq!((row(3).coverage, row(3).another_day_coverage), (Some((0, 3)), Some((1, 2))));
        assert!((row(3).another_day.unwrap() - 0.075).abs() < 1e-9, "{:?}", row(3));
    }

    #[test]
    fn a_comparison_is_decided_by_the_harness_or_by_its_interval() {
        let folder = tempfile::tempdir().unwrap();
        let own = |estimate, is_different| PeerFigures {
            is_different: Some(is_different),
            low: None,
            high: None,
            ..figures(estimate, 0.0, 0.0)
        };
        let all = [figures(1.01, 1.005, 1.015), figures(1.01, 0.99, 1.03), figures(0.9, 0.8, 0.95), own(1.02, true)];
        let all = [&all[..], &[own(1.5, false)]].concat();
        let store = store(&folder, "longer", Harness::BenchbookPair, &all);
        let row = PairRow::of(&store, "longer", Harness::BenchbookPair, 20).unwrap();
        assert_eq!((row.slower, row.faster, row.tries, row.ratio), (2, 1, 5, 1.01));
    }
}
