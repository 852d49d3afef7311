//! Compares the figures of this browser with those of a native runner: how many times as long functions take, and whether
//! their order is the same.

use std::cmp::Ordering;

use benchbook_contract::axis_value::AxisValue;

use crate::analyze::compare::RatioStatistic;
use crate::analyze::interval::Interval;
use crate::analyze::machine_ratio::{MachineRatio, TimeEstimate, machine_ratio};
use crate::analyze::rank::{certain_order, tau_b};
use crate::response::{MeasuredPoint, Warning};

/// A function's figures from both machines at one axis value.
#[derive(Clone, Copy, Debug)]
pub struct PointOnBoth<'a> {
    /// The function's index among the compared ones.
    pub function: usize,
    /// The figures of the browser.
    pub browser: &'a MeasuredPoint,
    /// The figures of the runner.
    pub native: &'a MeasuredPoint,
}

/// Both machines compared at one axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct MachinesAt {
    /// The axis value; absent without an axis.
    pub x: AxisValue,
    /// The compared statistic: means if the median of any of these functions is unavailable.
    pub of: RatioStatistic,
    /// The functions in their order, without those that have no time above 0 on both machines.
    pub functions: Vec<FunctionOnBoth>,
    /// The agreement of the order of these functions; absent if there are fewer than two.
    pub ranks: Option<RankAgreement>,
}

/// A function's times on both machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionOnBoth {
    /// The function's index among the compared ones.
    pub function: usize,
    /// The time in the browser.
    pub browser: TimeEstimate,
    /// The native time.
    pub native: TimeEstimate,
    /// The browser's time divided by the native one.
    pub ratio: MachineRatio,
}

/// The agreement of two machines about the order of functions.
#[derive(Clone, Debug, PartialEq)]
pub struct RankAgreement {
    /// Kendall's τ_b. Functions whose order is not certain count as tied. Absent if all of them are tied on either machine.
    pub tau: Option<f64>,
    /// The pairs whose order is certain on both machines, and differs.
    pub reversed: Vec<ReversedPair>,
}

/// Two functions whose order differs natively, as indices among the compared ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReversedPair {
    /// The function that is faster in the browser.
    pub faster_in_browser: usize,
    /// The function that is faster natively.
    pub faster_natively: usize,
}

/// Compares both machines at one axis value. Points with only an upper bound are ignored. `None` if no point has a ratio.
pub fn compare_machines(x: &AxisValue, points: &[PointOnBoth<'_>]) -> Option<MachinesAt> {
    let resolved = points.iter().filter(|point| point.measured().iter().all(|one| one.upper_bound().is_none()));
    let resolved: Vec<&PointOnBoth<'_>> = resolved.collect();
    let has_medians = resolved.iter().flat_map(|point| point.measured()).all(|one| one.summary.median.is_some());
    let of = if has_medians { RatioStatistic::Medians } else { RatioStatistic::Means };
    let (mut functions, mut ranked) = (Vec::new(), Vec::new());
    for point in resolved {
        let [browser, native] = point.measured().map(|one| time_estimate(one, of));
        let Some(ratio) = machine_ratio(browser, native) else { continue };
        functions.push(FunctionOnBoth { function: point.function, browser, native, ratio });
        ranked.push([interval_for_rank(point.browser, browser), interval_for_rank(point.native, native)]);
    }
    let ranks = (functions.len() > 1).then(|| rank_agreement(&functions, &ranked));
    (!functions.is_empty()).then(|| MachinesAt { x: x.clone(), of, functions, ranks })
}

impl PointOnBoth<'_> {
    /// The figures of the browser and of the runner.
    fn measured(&self) -> [&MeasuredPoint; 2] {
        [self.browser, self.native]
    }
}

/// The median or the mean of a point.
fn time_estimate(measured: &MeasuredPoint, of: RatioStatistic) -> TimeEstimate {
    let summary = &measured.summary;
    match (of, summary.median) {
        (RatioStatistic::Medians, Some(value)) => TimeEstimate { value, interval: summary.median_interval },
        _ => TimeEstimate { value: summary.mean, interval: summary.mean_interval },
    }
}

/// The interval that determines the order; absent if the functions were measured one after the other, since the machine may
/// have changed in between.
fn interval_for_rank(measured: &MeasuredPoint, time: TimeEstimate) -> Option<Interval> {
    time.interval.filter(|_| !measured.warnings.contains(&Warning::Alone))
}

/// The agreement of the machines about the order. `ranked`: the intervals of each function in the browser and natively.
fn rank_agreement(functions: &[FunctionOnBoth], ranked: &[[Option<Interval>; 2]]) -> RankAgreement {
    let mut reversed = Vec::new();
    for (index, (one, one_intervals)) in functions.iter().zip(ranked).enumerate() {
        for (other, other_intervals) in functions.iter().zip(ranked).skip(index + 1) {
            let orders = [0, 1].map(|machine| certain_order(one_intervals[machine], other_intervals[machine]));
            let (one, other) = (one.function, other.function);
            reversed.extend(match orders {
                [Ordering::Less, Ordering::Greater] => {
                    Some(ReversedPair { faster_in_browser: one, faster_natively: other })
                }
                [Ordering::Greater, Ordering::Less] => {
                    Some(ReversedPair { faster_in_browser: other, faster_natively: one })
                }
                _ => None,
            });
        }
    }
    RankAgreement { tau: tau_b(ranked, |one, other| certain_order(*one, *other)), reversed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::blocks::RunTimes;
    use crate::analyze::statistics::{Basis, summarize};

    /// A point whose median is `time` ±2%, and whose mean is 10% more ±4%.
    fn point(time: f64) -> MeasuredPoint {
        let times = [time];
        let runs = [RunTimes::without_overhead(&times, &[1])];
        let mut summary = summarize(&Basis::of(&runs, 1)).expect("there is a sample");
        summary.mean = 1.1 * time;
        summary.mean_interval = Some(Interval { low: 1.1 * time * 0.96, high: 1.1 * time * 1.04 });
        summary.median_interval = Some(Interval { low: time * 0.98, high: time * 1.02 });
        MeasuredPoint::new(summary, Vec::new())
    }

    fn compare(points: &[[&MeasuredPoint; 2]]) -> Option<MachinesAt> {
        let all = points.iter().enumerate();
        let points: Vec<PointOnBoth<'_>> =
            all.map(|(function, &[browser, native])| PointOnBoth { function, browser, native }).collect();
        compare_machines(&1_000.0.into(), &points)
    }

    fn ranks(points: &[[f64; 2]]) -> RankAgreement {
        let points: Vec<[MeasuredPoint; 2]> = points.iter().map(|times| times.map(point)).collect();
        let points: Vec<[&MeasuredPoint; 2]> = points.iter().map(|[browser, native]| [browser, native]).collect();
        compare(&points).expect("there are ratios").ranks.expect("there are several functions")
    }

    #[test]
    fn compares_medians_or_else_means() {
        let (browser, native) = (point(300.0), point(200.0));
        let compared = compare(&[[&browser, &native]]).expect("there is a ratio");
        assert_eq!((compared.of, compared.functions[0].ratio.value), (RatioStatistic::Medians, 1.5));
        assert_eq!((compared.x.number(), compared.ranks), (Some(1_000.0), None));

        let mut withheld = point(400.0);
        withheld.summary.median = None;
        let compared = compare(&[[&browser, &native], [&withheld, &native]]).expect("there are ratios");
        assert_eq!(compared.of, RatioStatistic::Means);
        assert_eq!(compared.functions[0].browser.value, browser.summary.mean, "all functions have the same statistic");
        assert_eq!(compared.functions[0].native.interval, native.summary.mean_interval);
    }

    #[test]
    fn ignores_upper_bounds_and_times_of_zero() {
        let (fine, zero) = (point(100.0), point(0.0));
        let mut bound = point(1.0);
        bound.warnings = vec![Warning::BelowResolution { under: 3.0 }];
        bound.summary.median = None;
        let compared = compare(&[[&bound, &fine], [&fine, &fine]]).expect("one function has a ratio");
        assert_eq!(compared.functions.iter().map(|one| one.function).collect::<Vec<_>>(), [1]);
        assert_eq!((compared.of, compared.ranks), (RatioStatistic::Medians, None));
        assert_eq!(compare(&[[&bound, &fine], [&fine, &zero]]), None);
        assert_eq!(compare(&[]), None);
    }

    #[test]
    fn ranks_functions_whose_order_is_certain() {
        let same = ranks(&[[100.0, 50.0], [200.0, 90.0], [300.0, 130.0]]);
        assert_eq!(same, RankAgreement { tau: Some(1.0), reversed: Vec::new() });

        let differs = ranks(&[[100.0, 50.0], [200.0, 130.0], [300.0, 90.0]]);
        assert!(differs.tau.is_some_and(|tau| (tau - 1.0 / 3.0).abs() < 1e-12), "{differs:?}");
        assert_eq!(differs.reversed, [ReversedPair { faster_in_browser: 1, faster_natively: 2 }]);

        // The same with the last two functions exchanged.
        let differs = ranks(&[[100.0, 50.0], [300.0, 90.0], [200.0, 130.0]]);
        assert_eq!(differs.reversed, [ReversedPair { faster_in_browser: 2, faster_natively: 1 }]);

        let tied = ranks(&[[100.0, 50.0], [101.0, 40.0]]);
        assert_eq!(tied, RankAgreement { tau: None, reversed: Vec::new() });
    }

    #[test]
    fn functions_measured_one_after_the_other_have_no_certain_order() {
        let mut alone = point(100.0);
        alone.warnings = vec![Warning::Alone];
        let compared = compare(&[[&alone, &point(50.0)], [&point(200.0), &point(25.0)]]).expect("there are ratios");
        assert!(compared.functions[0].ratio.interval.is_some(), "machines are measured separately anyway");
        assert_eq!(compared.ranks, Some(RankAgreement { tau: None, reversed: Vec::new() }));
    }
}
