//! Statistics and outliers, against figures that NumPy, SciPy and exact integers gave (`reference/statistics.py`), and by
//! what must hold for any samples.

#![cfg(feature = "host")]

use benchbook::analyze::outliers::{Fences, Label};
use benchbook::analyze::statistics::{Basis, Interval, Running, Summary, quantile, summarize};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    summaries: Vec<DataSet>,
    t_quantiles: Vec<(u32, f64)>,
    median_ranks: Vec<(u32, u32)>,
}

#[derive(Deserialize)]
struct DataSet {
    name: String,
    resolution: f64,
    times: Vec<f64>,
    summary: Expected,
}

#[derive(Deserialize)]
struct Expected {
    n: u32,
    mean: f64,
    sd: f64,
    min: f64,
    max: f64,
    median: f64,
    q1: f64,
    q3: f64,
    mean_interval: Option<(f64, f64)>,
    median_interval: Option<(f64, f64)>,
    relative_half_width: Option<f64>,
    mild_outliers: u32,
    severe_outliers: u32,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("reference/statistics.json")).expect("the reference is committed beside the test")
}

fn summary_of(times: &[f64], resolution: f64) -> Option<Summary> {
    summarize(&Basis {
        times,
        calls: 10 * times.len() as u64,
        resolution,
        overhead: 0.0,
        quartiles_withheld: false,
        steady: true,
    })
}

fn summary(times: &[f64]) -> Summary {
    summary_of(times, 0.0).expect("there are samples")
}

fn close(actual: f64, expected: f64) -> bool {
    (actual - expected).abs() <= 1e-9 * expected.abs()
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, what: &str) {
    assert!(close(actual, expected), "{what}: {actual} instead of {expected}");
}

#[track_caller]
fn assert_same_interval(actual: Option<Interval>, expected: Option<(f64, f64)>, what: &str) {
    match (actual, expected) {
        (None, None) => {}
        (Some(actual), Some((low, high))) => {
            assert_close(actual.low, low, &format!("{what}, low"));
            assert_close(actual.high, high, &format!("{what}, high"));
        }
        _ => panic!("{what}: {actual:?} instead of {expected:?}"),
    }
}

#[test]
fn what_the_clock_and_the_overhead_leave_uncertain_widens_the_interval_of_the_mean() {
    let mean_interval = |times: &[f64], resolution, overhead| {
        let steady = true;
        let basis = Basis { times, calls: 3, resolution, overhead, quartiles_withheld: false, steady };
        summarize(&basis).expect("there are samples").mean_interval
    };
    // The 0.975 quantile of Student's distribution of 2 degrees of freedom, over √3, is 2.484138.
    for (times, resolution, overhead, half) in [
        ([9.0, 10.0, 11.0], 0.0, 0.0, 2.484_138),
        ([9.0, 10.0, 11.0], 1.0, 0.0, 2.484_138),
        ([9.0, 10.0, 11.0], 0.0, 1.0, 2.677_861),
        ([9.0, 10.0, 11.0], 0.0, 100.0, 100.030_850),
        ([10.0, 10.0, 10.0], 3.0, 0.0, 1.732_051),
        ([10.0, 10.0, 10.0], 3.0, 1.0, 2.0),
    ] {
        let Interval { low, high } = mean_interval(&times, resolution, overhead).expect("there are three");
        assert!((low - (10.0 - half)).abs() < 1e-5 && (high - (10.0 + half)).abs() < 1e-5, "{low} {high}");
    }
    assert_eq!(mean_interval(&[10.0], 3.0, 1.0), None);
}

#[test]
fn figures_are_those_of_numpy_and_scipy() {
    for DataSet { name, resolution, times, summary: expected } in reference().summaries {
        let actual = summary_of(&times, resolution).expect("every data set has samples");
        let what = |figure: &str| format!("{figure} of {name}");
        assert_eq!(actual.n, expected.n, "{}", what("n"));
        assert_eq!(actual.calls, 10 * u64::from(expected.n), "{}", what("calls"));
        assert_eq!(actual.mild_outliers, expected.mild_outliers, "{}", what("mild outliers"));
        assert_eq!(actual.severe_outliers, expected.severe_outliers, "{}", what("severe outliers"));
        assert_close(actual.mean, expected.mean, &what("mean"));
        assert_close(actual.sd, expected.sd, &what("sd"));
        assert_close(actual.min, expected.min, &what("min"));
        assert_close(actual.max, expected.max, &what("max"));
        assert_close(actual.median.unwrap(), expected.median, &what("median"));
        assert_close(actual.q1.unwrap(), expected.q1, &what("q1"));
        assert_close(actual.q3.unwrap(), expected.q3, &what("q3"));
        assert_same_interval(actual.mean_interval, expected.mean_interval, &what("interval of the mean"));
        assert_same_interval(actual.median_interval, expected.median_interval, &what("interval of the median"));
        match (actual.relative_half_width, expected.relative_half_width) {
            (None, None) => {}
            // It is the difference of two ends, each of which is rounded to 1e-16 of the mean.
            (Some(actual), Some(expected)) => assert!(
                close(actual, expected) || (actual - expected).abs() < 1e-15,
                "{}: {actual} instead of {expected}",
                what("relative half-width"),
            ),
            (actual, expected) => panic!("{}: {actual:?} instead of {expected:?}", what("relative half-width")),
        }
    }
}

#[test]
fn the_interval_of_the_mean_uses_students_quantile() {
    for (freedom, expected) in reference().t_quantiles {
        let n = freedom + 1;
        let running: Running = (0..n).map(|index| f64::from(index % 2)).collect();
        let interval = running.mean_interval().expect("there are two values");
        let t = (interval.high - interval.low) / 2.0 * f64::from(n).sqrt() / running.sd();
        assert!((t / expected - 1.0).abs() < 1e-11, "{freedom} degrees of freedom: {t} instead of {expected}");
    }
}

#[test]
fn the_interval_of_the_median_lies_between_the_exact_ranks() {
    for (n, rank) in reference().median_ranks {
        let ranks: Vec<f64> = (1..=n).map(f64::from).collect();
        let expected = (rank > 0).then(|| Interval { low: f64::from(rank), high: f64::from(n + 1 - rank) });
        assert_eq!(summary(&ranks).median_interval, expected, "n = {n}");
    }
}

#[test]
fn no_samples_have_no_figures() {
    assert_eq!(summary_of(&[], 0.0), None);
    assert_eq!(Fences::of(&[], 1.0), None);
    assert_eq!(quantile(&[], 0.5), None);
    let none = Running::default();
    assert_eq!((none.n(), none.mean(), none.sd(), none.mean_interval()), (0, None, 0.0, None));
}

#[test]
fn one_sample_has_no_interval() {
    let one = summary(&[42.5]);
    assert_eq!((one.mean, one.sd, one.min, one.max), (42.5, 0.0, 42.5, 42.5));
    assert_eq!((one.q1, one.median, one.q3), (Some(42.5), Some(42.5), Some(42.5)));
    assert_eq!((one.mean_interval, one.median_interval, one.relative_half_width), (None, None, None));
}

#[test]
fn equal_samples_have_an_interval_without_width() {
    // Ten times 0.1 is no exact sum in f64.
    let equal = summary(&[0.1; 10]);
    let point = Some(Interval { low: 0.1, high: 0.1 });
    assert_eq!((equal.mean, equal.sd), (0.1, 0.0));
    assert_eq!((equal.mean_interval, equal.median_interval), (point, point));
    assert_eq!(equal.relative_half_width, Some(0.0));
    assert_eq!((equal.mild_outliers, equal.severe_outliers), (0, 0));
}

#[test]
fn an_interval_that_holds_0_has_no_relative_width() {
    assert_eq!(summary(&[0.0; 10]).relative_half_width, None);
    assert_eq!(summary(&[-1.0, 0.0, 2.0]).relative_half_width, None);
    assert_eq!(Interval { low: 0.0, high: 2.0 }.relative_half_width(1.0), None);
    assert_eq!(Interval { low: 8.0, high: 12.0 }.relative_half_width(10.0), Some(0.2));
    assert_eq!(Interval { low: -12.0, high: -8.0 }.relative_half_width(-10.0), Some(0.2));
}

#[test]
fn withheld_quartiles_are_absent_and_the_rest_is_the_same() {
    let times: Vec<f64> = (0..20).map(|index| 100.0 + f64::from(index * index)).collect();
    let basis =
        Basis { times: &times, calls: 200, resolution: 0.0, overhead: 0.0, quartiles_withheld: true, steady: false };
    let without = Summary { median: None, q1: None, q3: None, median_interval: None, steady: false, ..summary(&times) };
    assert_eq!(summarize(&basis), Some(without));
}

#[test]
fn severe_outliers_are_counted_and_left_out_of_mean_and_sd_alone() {
    let mut times: Vec<f64> = (1..=11).map(f64::from).collect();
    let before = summary(&times);
    times.push(1_000.0);
    let after = summary(&times);
    assert_eq!((before.mean, before.severe_outliers), (6.0, 0));
    assert_eq!((after.mean, after.sd, after.severe_outliers), (before.mean, before.sd, 1));
    assert_eq!((after.n, after.max, after.median), (12, 1_000.0, Some(6.5)));
    assert!(after.mean_interval.unwrap().high > 100.0, "the interval uses every sample");
}

#[test]
fn labels_change_beyond_the_fences() {
    // Quartiles 10 and 20: the fences lie at -20, -5, 35 and 50.
    let fences = Fences::of(&[10.0, 10.0, 15.0, 20.0, 20.0], 0.0).unwrap();
    for (value, label) in [
        (-20.1, Label::Severe),
        (-20.0, Label::Mild),
        (-5.1, Label::Mild),
        (-5.0, Label::Inside),
        (15.0, Label::Inside),
        (35.0, Label::Inside),
        (35.1, Label::Mild),
        (50.0, Label::Mild),
        (50.1, Label::Severe),
    ] {
        assert_eq!(fences.label(value), label, "{value}");
    }
}

#[test]
fn a_difference_that_the_clock_cannot_tell_is_no_outlier() {
    let mut sorted = [5.0; 20];
    sorted[19] = 5.000_000_000_000_001;
    assert_eq!(Fences::of(&sorted, 0.0).unwrap().label(sorted[19]), Label::Severe);
    assert_eq!(Fences::of(&sorted, 1e-3).unwrap().label(sorted[19]), Label::Inside);
    // A clock that steps by 100 times the call: the mean is all in its rare steps.
    let mut steps = [0.0; 100];
    steps[99] = 100.0;
    assert_eq!(summary_of(&steps, 100.0).unwrap().mean, 1.0);
}

/// Whole numbers, so that shifting and scaling them by whole numbers is exact.
fn samples() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        proptest::collection::vec((-1_000_000_i32..1_000_000).prop_map(f64::from), 1..80),
        proptest::collection::vec((0_i32..10).prop_map(f64::from), 1..80),
    ]
}

/// The same cases in every run.
fn seeded() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn figures_are_in_order(times in samples()) {
        let summary = summary(&times);
        let (q1, median, q3) = (summary.q1.unwrap(), summary.median.unwrap(), summary.q3.unwrap());
        prop_assert!(summary.min <= q1 && q1 <= median && median <= q3 && q3 <= summary.max);
        if let Some(Interval { low, high }) = summary.median_interval {
            prop_assert!(summary.min <= low && low <= median && median <= high && high <= summary.max);
        }
    }

    #[test]
    fn figures_move_and_stretch_with_the_samples(times in samples(), shift in -5_000_i32..5_000, scale in 1_i32..100) {
        let (shift, scale) = (f64::from(shift), f64::from(scale));
        let moved: Vec<f64> = times.iter().map(|time| scale * time + shift).collect();
        let (before, after) = (summary(&times), summary(&moved));
        let there = |value: f64| scale * value + shift;
        let near = |actual: f64, expected: f64| (actual - expected).abs() < 1e-3;
        prop_assert!(near(after.mean, there(before.mean)));
        prop_assert!(near(after.sd, scale * before.sd));
        prop_assert_eq!(after.q1, before.q1.map(there));
        prop_assert_eq!(after.median, before.median.map(there));
        prop_assert_eq!(after.q3, before.q3.map(there));
        prop_assert_eq!((after.min, after.max), (there(before.min), there(before.max)));
        prop_assert_eq!(after.mild_outliers, before.mild_outliers);
        prop_assert_eq!(after.severe_outliers, before.severe_outliers);
        let stretched = |interval: Interval| Interval { low: there(interval.low), high: there(interval.high) };
        prop_assert_eq!(after.median_interval, before.median_interval.map(stretched));
        prop_assert_eq!(after.mean_interval.is_some(), before.mean_interval.is_some());
        if let (Some(after), Some(before)) = (after.mean_interval, before.mean_interval.map(stretched)) {
            prop_assert!(near(after.low, before.low) && near(after.high, before.high));
        }
    }

    #[test]
    fn counts_agree_with_labels(mut times in samples(), resolution in 0.0..3.0) {
        times.sort_unstable_by(f64::total_cmp);
        let fences = Fences::of(&times, resolution).unwrap();
        let labelled = |label| times.iter().filter(|&&time| fences.label(time) == label).count() as u32;
        let summary = summary_of(&times, resolution).unwrap();
        prop_assert_eq!(summary.mild_outliers, labelled(Label::Mild));
        prop_assert_eq!(summary.severe_outliers, labelled(Label::Severe));
    }

    #[test]
    fn running_agrees_with_the_summary_at_every_step(times in samples()) {
        let mut running = Running::default();
        for (index, &time) in times.iter().enumerate() {
            running.push(time);
            let summary = summary(&times[..=index]);
            prop_assert_eq!(running.n(), summary.n);
            let near = |actual: f64, expected: f64| (actual - expected).abs() < 1e-3;
            match (running.mean_interval(), summary.mean_interval) {
                (Some(actual), Some(expected)) => {
                    prop_assert!(near(actual.low, expected.low) && near(actual.high, expected.high));
                }
                (actual, expected) => prop_assert_eq!(actual, expected),
            }
            if let (Some(actual), Some(expected)) = (running.relative_half_width(), summary.relative_half_width) {
                prop_assert!((actual - expected).abs() < 1e-6);
            }
        }
    }
}
