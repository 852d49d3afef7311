//! Tests of rankings.

use benchbook_contract::axis_value::AxisValue;

use super::examples::{integers, point, ranking, sizes};
use super::*;
use crate::analyze::compare::RatioStatistic;
use crate::analyze::interval::Interval;
use crate::quality::Priority;
use crate::response::{MeasuredPoint, Outputs, RatioAt, Warning};

/// `a` is the fastest at small sizes, `b` at large ones, `c` never; all are equal nowhere.
fn crossing() -> Ranking {
    let values = sizes(&[10.0, 100.0, 1_000.0, 10_000.0]);
    ranking(&values, &[&[10.0, 20.0, 80.0, 320.0], &[20.0, 30.0, 40.0, 50.0], &[100.0, 200.0, 300.0, 400.0]])
}

#[test]
fn ranks_by_the_ratio_to_the_fastest() {
    let ranking = crossing();
    let ranked: Vec<&[usize]> = (0..4).map(|value| ranking.ranked_at(value)).collect();
    assert_eq!(ranked, [[0, 1, 2], [0, 1, 2], [1, 0, 2], [1, 0, 2]]);
}

/// Ratios of means, say, may order functions otherwise than their medians: the order is that of the ratios, of which none is below 1.
#[test]
fn the_order_is_that_of_the_ratios() {
    let x = AxisValue::Number(10.0);
    let times = [10.0, 10.1, 12.0].map(|time| point(time, 1));
    let curve = |measured| RankedCurve { points: vec![RankedPoint { x: &x, priority: Priority::LAST, measured }] };
    let curves: Vec<RankedCurve<'_>> = times.iter().map(curve).collect();
    let pair = |baseline, other, ratio: f64, half_width: f64| {
        let interval = Some(Interval { low: ratio / half_width, high: ratio * half_width });
        let (equivalence, of) = (interval, Some(RatioStatistic::Means));
        let at = RatioAt { x: x.clone(), ratio: Some(ratio), interval, equivalence, of, ..RatioAt::default() };
        RankedPair { baseline, other, ratios: vec![at], crossovers: Vec::new() }
    };
    let table = [
        // Nothing is decided, and the second function has the lesser ratio to each other one.
        ([pair(0, 1, 0.98, 1.1), pair(0, 2, 1.0, 1.1), pair(1, 2, 1.05, 1.1)], [1, 0, 2]),
        // The third one takes less time than the second, by their ratios to the first.
        ([pair(0, 1, 1.3, 1.1), pair(0, 2, 1.2, 1.1), pair(1, 2, 0.92, 1.01)], [0, 2, 1]),
    ];
    for (pairs, expected) in table {
        let ranking = Ranking::with_pairs(&curves, vec![x.clone()], None, pairs.to_vec());
        assert_eq!(ranking.ranked_at(0), expected);
        let ratios = expected[1..].iter().filter_map(|&function| ranking.ratio(function, expected[0], 0));
        assert!(ratios.clone().all(|known| known.ratio >= 1.0) && ratios.map(|known| known.ratio).is_sorted());
    }
}

#[test]
fn ratios_are_inverted_with_the_order() {
    let ranking = crossing();
    let (forth, back) = (ranking.ratio(2, 1, 0).expect("a ratio"), ranking.ratio(1, 2, 0).expect("a ratio"));
    assert!((forth.ratio - 5.0).abs() < 0.02 && (forth.ratio * back.ratio - 1.0).abs() < 1e-12, "{forth:?} {back:?}");
    assert!(forth.interval.low < forth.ratio && forth.ratio < forth.interval.high);
    assert!((forth.interval.low * back.interval.high - 1.0).abs() < 1e-12);
}

#[test]
fn a_function_is_the_fastest_if_every_interval_excludes_one() {
    let ranking = crossing();
    let fastest: Vec<Option<Fastest>> = (0..4).map(|value| ranking.fastest_at(value).cloned()).collect();
    assert_eq!(fastest, [0, 0, 1, 1].map(|function| Some(Fastest::Decided(function))));
    assert_eq!(ranking.fastest_ranges(0).ranges, [ValueRange { first: 0, last: 1 }]);
    let never = FastestRanges { ranges: Vec::new(), undecided: Vec::new(), is_compared: true };
    assert_eq!(ranking.fastest_ranges(2), never);
    let pair = ranking.pairs().iter().find(|pair| (pair.baseline, pair.other) == (0, 1)).expect("all pairs");
    let [crossover] = pair.crossovers.as_slice() else { panic!("one crossover: {:?}", pair.crossovers) };
    // ln(a/b) is −0.405 at 100 and 0.693 at 1 000: 0.369 of the way, on a logarithmic axis.
    assert!((crossover.x - 100.0 * 10.0_f64.powf(0.369)).abs() < 2.0, "{crossover:?}");
}

#[test]
fn equal_times_are_undecided() {
    let ranking = ranking(&sizes(&[10.0, 100.0]), &[&[50.0, 50.0], &[50.0, 60.0], &[90.0, 90.0]]);
    assert_eq!(ranking.fastest_at(0), Some(&Fastest::Undecided(vec![0, 1])));
    assert_eq!(ranking.fastest_at(1), Some(&Fastest::Decided(0)));
    let undecided = [1, 2].map(|function| ranking.fastest_ranges(function).undecided);
    assert_eq!(undecided, [vec![ValueRange { first: 0, last: 0 }], Vec::new()]);
}

#[test]
fn a_function_alone_is_not_the_fastest() {
    let missing = f64::INFINITY;
    let ranking = ranking(&sizes(&[10.0, 100.0]), &[&[50.0, missing], &[60.0, 70.0]]);
    assert_eq!(ranking.fastest_at(0), Some(&Fastest::Decided(0)));
    assert_eq!((ranking.fastest_at(1), ranking.ranked_at(1)), (None, &[1][..]));
    assert_eq!((ranking.time(0, 1), ranking.ratio(1, 0, 1)), (None, None));
}

#[test]
fn figures_of_different_priorities_and_without_samples_are_not_compared() {
    let (x, fast, slow) = (AxisValue::Number(10.0), point(10.0, 1), point(20.0, 2));
    let bare = MeasuredPoint { runs: Vec::new(), ..slow.clone() };
    let ranking_of = |priority: Priority, other: &MeasuredPoint| {
        let first = RankedPoint { x: &x, priority: Priority::LAST, measured: &fast };
        let second = RankedPoint { x: &x, priority, measured: other };
        let curves = [first, second].map(|point| RankedCurve { points: vec![point] });
        Ranking::new(&curves, vec![x.clone()], Some(&integers())).fastest_at(0).cloned()
    };
    assert_eq!(ranking_of(Priority::LAST, &slow), Some(Fastest::Decided(0)));
    assert_eq!(ranking_of(Priority::FIRST, &slow), None);
    assert_eq!(ranking_of(Priority::LAST, &bare), None);
}

/// The ranking of these points at one axis value.
fn ranking_of_points(points: &[MeasuredPoint]) -> Ranking {
    let x = AxisValue::Number(10.0);
    let curve = |measured| RankedCurve { points: vec![RankedPoint { x: &x, priority: Priority::LAST, measured }] };
    let curves: Vec<RankedCurve<'_>> = points.iter().map(curve).collect();
    Ranking::new(&curves, vec![x.clone()], Some(&integers()))
}

#[test]
fn a_function_with_other_outputs_does_not_take_part() {
    let outputs = |hash: &str| Some(Outputs { work: "sorting".to_owned(), hash: hash.to_owned() });
    let with = |time: f64, seed, hash| MeasuredPoint { outputs: outputs(hash), ..point(time, seed) };
    let ranking = ranking_of_points(&[with(20.0, 1, "a"), with(10.0, 2, "a"), with(5.0, 3, "b")]);
    assert_eq!(ranking.fastest_at(0), Some(&Fastest::Decided(1)));
    assert!(!ranking.is_compared(2, 0) && !ranking.fastest_ranges(2).is_compared);
    assert_eq!(ranking_of_points(&[with(20.0, 1, "a"), with(10.0, 2, "b")]).fastest_at(0), None);
}

#[test]
fn a_bound_decides_if_the_other_interval_exceeds_it() {
    let bounded = |under: f64| {
        let mut measured = point(0.1, 1);
        measured.warnings = vec![Warning::BelowResolution { under }];
        for sample in &mut measured.runs[0].samples {
            sample.elapsed -= 0.1;
        }
        measured
    };
    let ranking = ranking_of_points(&[point(30.0, 2), bounded(3.0)]);
    assert_eq!(ranking.time(1, 0), Some(TypicalTime::Below(3.0)));
    assert_eq!(ranking.fastest_at(0), Some(&Fastest::Decided(1)));
    assert_eq!(ranking.ranked_at(0), [1, 0]);
    let ranking = ranking_of_points(&[point(2.0, 2), bounded(3.0)]);
    assert_eq!(ranking.fastest_at(0), None, "nothing is known about the order");
}

#[test]
fn the_intervals_of_all_pairs_hold_simultaneously() {
    let values = sizes(&[10.0]);
    let width = |times: &[&[f64]]| {
        let interval = ranking(&values, times).ratio(1, 0, 0).expect("a ratio").interval;
        (interval.high / interval.low).ln()
    };
    let (two, three) = (width(&[&[10.0], &[20.0]]), width(&[&[10.0], &[20.0], &[30.0]]));
    assert!(three > 1.05 * two, "{two} {three}");
}
