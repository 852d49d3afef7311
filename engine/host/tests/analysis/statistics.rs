//! Statistics and outliers, compared with reference values from NumPy, SciPy and exact integer arithmetic
//! (`reference/statistics.py`), and by properties that hold for any samples.

use benchbook_host::analyze::blocks::{OverheadError, RunTimes, mean_interval, required_runs};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::order::quantile;
use benchbook_host::analyze::outliers::{Fences, Label, labels};
use benchbook_host::analyze::removed::may_be_removed;
use benchbook_host::analyze::running::RunningStats;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, Summary, summarize};
use benchbook_host::analyze::stopping::is_enough;
use benchbook_host::analyze::student::{shared_tail, t_quantile};
use proptest::prelude::*;
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
    #[serde(rename = "resolution")]
    step_per_call: f64,
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
    #[serde(rename = "severe_outliers")]
    extreme_outliers: u32,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../reference/statistics.json"))
        .expect("the reference file is committed next to the test")
}

/// The summary of one run with one sample per block.
fn summary_of(times: &[f64], step_per_call: f64) -> Option<Summary> {
    let blocks = vec![1; times.len()];
    let runs = [RunTimes::without_overhead(times, &blocks)];
    summarize(&Basis { step_per_call, ..Basis::of(&runs, 10 * times.len() as u64) })
}

fn summary(times: &[f64]) -> Summary {
    summary_of(times, 0.0).expect("there are samples")
}

/// The summary of one run with these numbers of samples per block.
fn summary_of_blocks(times: &[f64], blocks: &[u32], step_per_call: f64) -> Summary {
    let runs = [RunTimes::without_overhead(times, blocks)];
    summarize(&Basis { step_per_call, ..Basis::of(&runs, 1) }).expect("there are samples")
}

/// The interval of the mean of some runs.
fn interval(runs: &[RunTimes<'_>], step_per_call: f64) -> Option<Interval> {
    mean_interval(runs, step_per_call)?.interval
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

fn random(half_width: f64) -> OverheadError {
    OverheadError { random: half_width, ..OverheadError::default() }
}

fn in_common(half_width: f64) -> OverheadError {
    OverheadError { systematic: half_width, ..OverheadError::default() }
}

#[test]
fn clock_and_overhead_uncertainty_widen_the_mean_interval() {
    let mean_interval = |times: &[f64], step_per_call, overhead| {
        let blocks = vec![1; times.len()];
        let runs = [RunTimes { overhead: random(overhead), ..RunTimes::without_overhead(times, &blocks) }];
        summarize(&Basis { step_per_call, ..Basis::of(&runs, 3) }).expect("there are samples").mean_interval
    };
    // The 0.975 quantile of Student's distribution of 2 degrees of freedom, over √3, is 2.484138.
    for (times, step_per_call, overhead, half) in [
        ([9.0, 10.0, 11.0], 0.0, 0.0, 2.484_138),
        ([9.0, 10.0, 11.0], 1.0, 0.0, 2.484_138),
        ([9.0, 10.0, 11.0], 0.0, 1.0, 2.677_861),
        ([9.0, 10.0, 11.0], 0.0, 100.0, 100.030_850),
        ([10.0, 10.0, 10.0], 3.0, 0.0, 1.732_051),
        ([10.0, 10.0, 10.0], 3.0, 1.0, 2.0),
    ] {
        let Interval { low, high } =
            mean_interval(&times, step_per_call, overhead).expect("three samples have an interval");
        assert!((low - (10.0 - half)).abs() < 1e-5 && (high - (10.0 + half)).abs() < 1e-5, "{low} {high}");
    }
    assert_eq!(mean_interval(&[10.0], 3.0, 1.0), None);
}

/// The values from both ends in turn: some data sets are sorted, and SciPy's intervals are those of independent samples.
fn alternating(times: &[f64]) -> Vec<f64> {
    let from_both_ends = times.iter().zip(times.iter().rev()).flat_map(|(first, last)| [*first, *last]);
    from_both_ends.take(times.len()).collect()
}

#[test]
fn figures_match_numpy_and_scipy() {
    for DataSet { name, step_per_call, times, summary: expected } in reference().summaries {
        let actual = summary_of(&alternating(&times), step_per_call).expect("every data set has samples");
        let what = |figure: &str| format!("{figure} of {name}");
        assert_eq!(actual.n, expected.n, "{}", what("n"));
        assert_eq!(actual.calls, 10 * u64::from(expected.n), "{}", what("calls"));
        // Labels compare the samples of a block.
        let labelled = summary_of_blocks(&times, &[times.len() as u32], step_per_call);
        assert_eq!(labelled.mild_outliers, expected.mild_outliers, "{}", what("mild outliers"));
        assert_eq!(labelled.extreme_outliers, expected.extreme_outliers, "{}", what("extreme outliers"));
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
            // The half-width is the difference of two ends, each rounded to 1e-16 of the mean.
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
fn mean_interval_uses_students_quantile() {
    for (freedom, expected) in reference().t_quantiles {
        let n = freedom + 1;
        let running: RunningStats = (0..n).map(|index| f64::from(index % 2)).collect();
        let interval = running.mean_interval().expect("there are two values");
        let t = (interval.high - interval.low) / 2.0 * f64::from(n).sqrt() / running.sd();
        assert!((t / expected - 1.0).abs() < 1e-11, "{freedom} degrees of freedom: {t} instead of {expected}");
    }
}

/// ```python
/// [[scipy.stats.t.isf(tail, freedom) for freedom in (1, 3, 7, 15, 31, 300, 999, 1000, 5000)] for tail in tails]
/// ```
#[test]
fn student_quantiles_at_other_levels_match_scipy() {
    let tails = [0.005, shared_tail(99)];
    for (freedom, expected) in [
        (1, [63.656_741_162_871_58, 1_229.043_150_343_163]),
        (3, [5.840_909_309_733_357, 16.133_473_157_358_62]),
        (7, [3.499_483_297_350_493, 6.046_059_529_223_176]),
        (15, [2.946_712_883_475_238_5, 4.398_965_413_434_779]),
        (31, [2.744_041_919_294_269_3, 3.873_908_109_323_961]),
        (300, [2.592_316_410_847_792_5, 3.509_404_624_855_569]),
        (999, [2.580_759_637_267_636_5, 3.482_651_604_547_536_6]),
        (1_000, [2.580_754_698_065_951, 3.482_640_201_343_909]),
        (5_000, [2.576_812_966_556_280_7, 3.473_548_224_314_666_5]),
    ] {
        for (tail, expected) in tails.into_iter().zip(expected) {
            let actual = t_quantile(freedom, tail);
            assert!((actual / expected - 1.0).abs() < 1e-9, "{freedom}, {tail}: {actual} instead of {expected}");
        }
    }
    assert_eq!(t_quantile(0, 0.025), f64::INFINITY);
}

#[test]
fn shared_tail_yields_simultaneous_coverage() {
    assert_eq!((shared_tail(0), shared_tail(1)), (0.025, 0.025));
    for intervals in [2, 10, 99, 1_000] {
        let joint_coverage = (1.0 - 2.0 * shared_tail(intervals)).powi(intervals as i32);
        assert!((joint_coverage - 0.95).abs() < 1e-12, "{intervals}: {joint_coverage}");
    }
}

/// ```python
/// t = numpy.array([10, 11, 12, 20, 21, 19, 18, 14, 15.5, 16])
/// sums = [block.sum() for block in numpy.split(t - t.mean(), [3, 7, 8])]
/// error = numpy.sqrt(4 / 3 * numpy.square(sums).sum()) / 10
/// q, g = scipy.stats.t.ppf(0.975, 3), scipy.stats.skew(t) / (t.std(ddof=1) / error)
/// hall = lambda normal: scipy.optimize.brentq(lambda t: t + g*t**2/3 + g**2*t**3/27 + g/6 - normal, -1000, 1000, xtol=1e-14)
/// t.mean() - max(q, hall(q)) * error, t.mean() + max(q, -hall(-q)) * error
/// means = [numpy.mean(run) for run in numpy.split(t[:9], [3, 7])]
/// scipy.stats.t.interval(0.95, 2, numpy.mean(means), scipy.stats.sem(means))
/// ```
#[test]
fn mean_interval_counts_runs_and_blocks_of_any_size() {
    let times = [10.0, 11.0, 12.0, 20.0, 21.0, 19.0, 18.0, 14.0, 15.5, 16.0];
    let blocks = RunTimes::without_overhead(&times, &[3, 4, 1, 2]);
    let run = RunTimes::without_overhead;
    let runs = [run(&times[..3], &[3]), run(&times[3..7], &[2, 2]), run(&times[7..9], &[1, 1])];
    let by_blocks = (7.404_551_208_697_965, 23.310_159_935_915_35);
    assert_same_interval(interval(&[blocks], 0.0), Some(by_blocks), "blocks");
    assert_same_interval(interval(&runs, 0.0), Some((4.501_421_792_791_531, 25.665_244_873_875_24)), "runs");
    // Each run measured its own overhead: half-widths of 3, 4 and 12 combine to 13 for the sum of three.
    let uncertain = runs.iter().zip([3.0, 4.0, 12.0]);
    let uncertain = uncertain.map(|(run, half_width)| RunTimes { overhead: random(half_width), ..*run });
    let uncertain: Vec<RunTimes<'_>> = uncertain.collect();
    let half = |interval: Option<Interval>| interval.map(|interval| (interval.high - interval.low) / 2.0).unwrap();
    let expected = f64::hypot(half(interval(&runs, 0.0)), 13.0 / 3.0);
    assert_close(half(interval(&uncertain, 0.0)), expected, "overheads");
    // The systematic part is the same in each run, so it does not average out.
    let systematic = runs.iter().zip([1.0, 2.0, 3.0]);
    let systematic = systematic.map(|(run, half_width)| RunTimes { overhead: in_common(half_width), ..*run });
    let systematic: Vec<RunTimes<'_>> = systematic.collect();
    let expected = f64::hypot(half(interval(&runs, 0.0)), 2.0);
    assert_close(half(interval(&systematic, 0.0)), expected, "systematic parts");
}

#[test]
fn one_block_has_no_interval() {
    let times = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0];
    let of = |blocks: &[u32]| {
        let runs = &[RunTimes::without_overhead(&times, blocks)];
        summarize(&Basis::of(runs, 7)).unwrap()
    };
    let one = of(&[7]);
    assert_eq!((one.n, one.blocks, one.runs), (7, 1, 1));
    assert_eq!((one.mean_interval, one.median_interval, one.interval_doubtful), (None, None, false));
    assert_eq!((of(&[3, 0, 4]).blocks, of(&[3, 0, 4]).mean_interval.is_some()), (2, true));
    let nothing = RunTimes { overhead: random(9.0), ..RunTimes::without_overhead(&[], &[]) };
    let run = RunTimes::without_overhead(&times, &[1; 7]);
    assert_eq!(interval(&[nothing, run], 0.0), None);
    assert_eq!(interval(&[], 0.0), None);
}

/// ```python
/// n = 2
/// while scipy.stats.t.ppf(0.975, n - 1) * means.std(ddof=1) / n**0.5 > target * means.mean(): n += 1
/// ```
#[test]
fn required_number_of_runs_matches_scipy() {
    let means = [[100.0], [101.0], [99.0], [102.0], [98.0]];
    let run = |times| RunTimes::without_overhead(times, &[1]);
    let runs: Vec<RunTimes<'_>> = means.iter().map(|times| run(&times[..])).collect();
    assert_eq!([0.01, 0.005].map(|target| required_runs(&runs, 0.0, target)), [Some(13), Some(41)]);
    // More runs do not reduce the systematic part.
    let systematic: Vec<RunTimes<'_>> = runs.iter().map(|run| RunTimes { overhead: in_common(0.6), ..*run }).collect();
    assert_eq!(required_runs(&systematic, 0.0, 0.005), None);
    assert!(required_runs(&systematic, 0.0, 0.01).is_some_and(|runs| runs > 13));
    // The clock's steps count as noise.
    assert_eq!([6.0, 12.0].map(|step_per_call| required_runs(&runs, step_per_call, 0.01)), [Some(36), None]);
    assert_eq!(required_runs(&runs[..1], 0.0, 0.01), None);
}

#[test]
fn sampling_stops_only_at_checked_block_counts() {
    assert!(is_enough(Some(0.01), 0.01, 16) && is_enough(Some(0.01), 0.02, 20));
    assert!(!is_enough(Some(0.01), 0.02, 12) && !is_enough(Some(0.01), 0.02, 17));
    assert!(!is_enough(Some(0.021), 0.02, 16) && !is_enough(None, 0.02, 16));
}

#[test]
fn work_below_two_cycles_at_every_axis_value_may_be_removed() {
    // A call of the reference kernel takes 6 000 cycles: 2 µs at 3 GHz.
    assert!(may_be_removed(&[0.5, 0.4, 0.66], 2_000.0));
    assert!(!may_be_removed(&[0.5, 0.4, 0.67], 2_000.0));
    assert!(!may_be_removed(&[0.5], 2_000.0) && !may_be_removed(&[], 2_000.0));
}

#[test]
fn median_interval_spans_the_exact_ranks() {
    for (n, rank) in reference().median_ranks {
        // Alternating between both ends, so that neighbours are not alike.
        let ranks: Vec<f64> = (1..=n).map(|at| f64::from(if at % 2 == 0 { at / 2 } else { n - at / 2 })).collect();
        let expected = (rank > 0).then(|| Interval { low: f64::from(rank), high: f64::from(n + 1 - rank) });
        assert_eq!(summary(&ranks).median_interval, expected, "n = {n}");
    }
}

#[test]
fn no_samples_yield_no_figures() {
    assert_eq!(summary_of(&[], 0.0), None);
    assert_eq!(Fences::of(&[], 1.0), None);
    assert_eq!(quantile(&[], 0.5), None);
    let none = RunningStats::default();
    assert_eq!((none.n(), none.mean(), none.sd(), none.mean_interval()), (0, None, 0.0, None));
}

#[test]
fn equal_samples_have_an_interval_of_zero_width() {
    // Ten times 0.1 is not an exact sum in `f64`.
    let equal = summary(&[0.1; 10]);
    let point = Some(Interval { low: 0.1, high: 0.1 });
    assert_eq!((equal.mean, equal.sd), (0.1, 0.0));
    assert_eq!((equal.mean_interval, equal.median_interval), (point, point));
    assert_eq!(equal.relative_half_width, Some(0.0));
    assert_eq!((equal.mild_outliers, equal.extreme_outliers), (0, 0));
}

#[test]
fn interval_that_contains_0_has_no_relative_width() {
    assert_eq!(summary(&[0.0; 10]).relative_half_width, None);
    assert_eq!(summary(&[-1.0, 0.0, 2.0]).relative_half_width, None);
    assert_eq!(Interval { low: 0.0, high: 2.0 }.relative_half_width(1.0), None);
    assert_eq!(Interval { low: 8.0, high: 12.0 }.relative_half_width(10.0), Some(0.2));
    assert_eq!(Interval { low: -12.0, high: -8.0 }.relative_half_width(-10.0), Some(0.2));
}

#[test]
fn withholding_quartiles_changes_no_other_figure() {
    let times: Vec<f64> = (0..20).map(|index| 100.0 + f64::from(index * index)).collect();
    let runs = &[RunTimes::without_overhead(&times, &[1; 20])];
    let basis = Basis { quartiles_withheld: true, stability: Stability::Unknown, ..Basis::of(runs, 200) };
    let without = Summary {
        median: None,
        q1: None,
        q3: None,
        median_interval: None,
        stability: Stability::Unknown,
        ..summary(&times)
    };
    assert_eq!(summarize(&basis), Some(without));
}

#[test]
fn extreme_outliers_are_counted_and_excluded_from_no_figure() {
    let mut times: Vec<f64> = (1..=11).map(f64::from).collect();
    times.push(1_006.0);
    let summary = summary_of_blocks(&times, &[12], 0.0);
    assert_eq!((summary.n, summary.mean, summary.extreme_outliers), (12, 89.333_333_333_333_33, 1));
    assert_eq!((summary.max, summary.median), (1_006.0, Some(6.5)));
    // statistics.stdev([*range(1, 12), 1006])
    assert_close(summary.sd, 288.692_454_583_304_5, "sd");
}

/// One input in ten takes half as long again, which is a property of the function.
#[test]
fn slow_inputs_are_not_outliers() {
    let blocks = [10; 10];
    let level = |index: usize| if index / 10 == 3 { 150.0 } else { 100.0 };
    let mut times: Vec<f64> = (0..100).map(|index| level(index) + (index % 10) as f64 / 10.0).collect();
    let before = summary_of_blocks(&times, &blocks, 0.0);
    assert_eq!((before.mild_outliers, before.extreme_outliers), (0, 0));
    assert_close(before.mean, 105.45, "mean");
    // Fast for its block, although other blocks are as fast.
    times[35] = 100.0;
    let after = summary_of_blocks(&times, &blocks, 0.0);
    assert_eq!((after.mild_outliers, after.extreme_outliers), (0, 1));
}

/// Of two samples, either one could be unusual.
#[test]
fn samples_of_short_blocks_have_no_labels() {
    let times = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 1_000.0, 1.0, 1_000.0];
    let run = |blocks| [RunTimes::without_overhead(&times, blocks)];
    let mut expected = [Label::Inside; 11];
    assert_eq!(labels(&run(&[2, 2, 2, 2, 2, 1]), 0.0), expected);
    expected[8] = Label::Extreme;
    assert_eq!(labels(&run(&[3, 3, 3, 2]), 0.0), expected);
}

#[test]
fn labels_change_only_beyond_the_fences() {
    // Quartiles 10 and 20: the fences are at -20, -5, 35 and 50.
    let fences = Fences::of(&[10.0, 10.0, 15.0, 20.0, 20.0], 0.0).unwrap();
    for (value, label) in [
        (-20.1, Label::Extreme),
        (-20.0, Label::Mild),
        (-5.1, Label::Mild),
        (-5.0, Label::Inside),
        (15.0, Label::Inside),
        (35.0, Label::Inside),
        (35.1, Label::Mild),
        (50.0, Label::Mild),
        (50.1, Label::Extreme),
    ] {
        assert_eq!(fences.label(value), label, "{value}");
    }
}

#[test]
fn differences_below_the_resolution_are_not_outliers() {
    let mut sorted = [5.0; 20];
    sorted[19] = 5.000_000_000_000_001;
    assert_eq!(Fences::of(&sorted, 0.0).unwrap().label(sorted[19]), Label::Extreme);
    assert_eq!(Fences::of(&sorted, 1e-3).unwrap().label(sorted[19]), Label::Inside);
    // A clock whose step is 100 times the call: only its rare steps contribute to the mean.
    let mut steps = [0.0; 100];
    steps[99] = 100.0;
    assert_eq!(summary_of(&steps, 100.0).unwrap().mean, 1.0);
}

/// Integers, so that shifting and scaling them by integers is exact.
fn samples() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        proptest::collection::vec((-1_000_000_i32..1_000_000).prop_map(f64::from), 1..80),
        proptest::collection::vec((0_i32..10).prop_map(f64::from), 1..80),
    ]
}

proptest! {
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
    fn figures_shift_and_scale_with_the_samples(times in samples(), shift in -5_000_i32..5_000, scale in 1_i32..100) {
        let (shift, scale) = (f64::from(shift), f64::from(scale));
        let transformed: Vec<f64> = times.iter().map(|time| scale * time + shift).collect();
        let (before, after) = (summary(&times), summary(&transformed));
        let transform = |value: f64| scale * value + shift;
        let near = |actual: f64, expected: f64| (actual - expected).abs() < 1e-3;
        prop_assert!(near(after.mean, transform(before.mean)));
        prop_assert!(near(after.sd, scale * before.sd));
        prop_assert_eq!(after.q1, before.q1.map(transform));
        prop_assert_eq!(after.median, before.median.map(transform));
        prop_assert_eq!(after.q3, before.q3.map(transform));
        prop_assert_eq!((after.min, after.max), (transform(before.min), transform(before.max)));
        prop_assert_eq!(after.mild_outliers, before.mild_outliers);
        prop_assert_eq!(after.extreme_outliers, before.extreme_outliers);
        let transform_interval = |interval: Interval| Interval { low: transform(interval.low), high: transform(interval.high) };
        prop_assert_eq!(after.median_interval, before.median_interval.map(transform_interval));
        prop_assert_eq!(after.mean_interval.is_some(), before.mean_interval.is_some());
        if let (Some(after), Some(before)) = (after.mean_interval, before.mean_interval.map(transform_interval)) {
            prop_assert!(near(after.low, before.low) && near(after.high, before.high));
        }
    }

    #[test]
    fn counts_agree_with_labels(mut times in samples(), step_per_call in 0.0..3.0) {
        times.sort_unstable_by(f64::total_cmp);
        let fences = Fences::of(&times, step_per_call).unwrap();
        let labelled = |label| times.iter().filter(|&&time| fences.label(time) == label).count() as u32;
        let summary = summary_of_blocks(&times, &[times.len() as u32], step_per_call);
        prop_assert_eq!(summary.mild_outliers, labelled(Label::Mild));
        prop_assert_eq!(summary.extreme_outliers, labelled(Label::Extreme));
    }

    #[test]
    fn running_agrees_with_the_summary_at_every_step(times in samples()) {
        let mut running = RunningStats::default();
        for (index, &time) in times.iter().enumerate() {
            running.push(time);
            let summary = summary(&times[..=index]);
            prop_assert_eq!(running.n(), summary.n);
            match (running.mean_interval(), summary.mean_interval) {
                // The interval of correlated or skewed samples is wider.
                (Some(student), Some(interval)) => {
                    prop_assert!(interval.low < student.low + 1e-3 && student.high < interval.high + 1e-3);
                }
                (Some(_), None) => prop_assert!(summary.interval_doubtful),
                (student, interval) => prop_assert_eq!(student, interval),
            }
            if let (Some(actual), Some(expected)) = (running.relative_half_width(), summary.relative_half_width) {
                prop_assert!(expected > actual - 1e-6);
            }
        }
    }
}
