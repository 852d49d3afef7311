//! Comparisons across days: what a machine does on another day is no change of the code.
//!
//! The processes of one day share its conditions: the speed of the machine, its other work, where functions lie in memory. So the variance between
//! processes says nothing about another day. The variance between the days of the accepted results does, once the speed of the machine is
//! excluded: each function's change is taken relative to a reference, the median change of all functions or the reference kernel.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::gamma::digamma;
use statrs::statistics::Statistics;

use super::difference::Difference;
use crate::analyze::interval::Interval;
use crate::analyze::order::median;

/// The least number of functions whose median change counts as a change of the machine.
const MIN_FUNCTIONS: usize = 8;

/// Results that were measured within this time of the first one are of the same day, in seconds: 12 hours.
const SAME_DAY: f64 = 12.0 * 3_600.0;

/// The number of days of its own that the other functions count as, for the variance of a function.
const WEIGHT_OF_OTHERS: f64 = 5.0;

/// A point at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occasion<'m> {
    /// When it was measured, in seconds since 1970.
    pub measured: f64,
    /// The mean of each process, in nanoseconds.
    pub means: &'m [f64],
    /// The time of the reference kernel beside each process, in nanoseconds; empty if it was not timed.
    pub kernel: &'m [f64],
}

/// A point of a check, and the accepted results of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PointHistory<'m> {
    /// Identifies its function: the points of a function do not vary independently.
    pub function: usize,
    /// The accepted results.
    pub accepted: Vec<Occasion<'m>>,
    /// The check.
    pub now: Occasion<'m>,
}

/// How the points of a check compare with the accepted results of several days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DayComparison {
    /// The comparison of each point, in their order.
    pub points: Vec<AcrossDays>,
    /// The median change of all functions relative to the reference kernel. Absent with fewer than eight functions, or without the kernel.
    pub all_functions: Option<DayChange>,
}

/// A comparison across days.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AcrossDays {
    /// All accepted results are of one day, so it is unknown how much days differ.
    SingleDay,
    /// Neither eight functions nor the reference kernel show whether the machine has changed.
    NoReference,
    /// The change from the mean of the days.
    Change(DayChange),
}

/// A change from the mean of several days, relative to the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DayChange {
    /// The natural logarithm of the ratio.
    pub ln_ratio: f64,
    /// Its standard error, between days.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub freedom: f64,
}

impl DayChange {
    /// The change with Student's interval. `confidence`: the probability that the interval contains the change.
    pub fn difference(&self, confidence: f64) -> Difference {
        let student = StudentsT::new(0.0, 1.0, self.freedom);
        let quantile = student.map_or(f64::INFINITY, |student| student.inverse_cdf(f64::midpoint(1.0, confidence)));
        // Without any variance, there is nothing to multiply.
        let half = if self.error > 0.0 { quantile * self.error } else { 0.0 };
        let interval = Interval { low: (self.ln_ratio - half).exp_m1(), high: (self.ln_ratio + half).exp_m1() };
        Difference { relative: self.ln_ratio.exp_m1(), interval }
    }
}

/// Compares the points of a check, all of which have accepted results, with the days of these.
///
/// On each day, the logarithm of a point's ratio, now to then, is taken relative to the median of all functions. With fewer than eight functions, it
/// is relative to the ratio of the reference kernel beside the same processes. The change of a point is the mean over its k days. Its variance
/// is (1 + 1/k) times the variance between days; relative to the median of F functions, also 1 + π/(2F) times, which is the median's own variance
/// for normal errors (H. Cramér, *Mathematical Methods of Statistics* (1946), section 28.5).
///
/// A function's variance between days is moderated by those of the others: the mean of its own, with k − 1 degrees of freedom, and the typical one, with
/// five. The typical one is the geometric mean, corrected for the degrees of freedom, so that a single function that varies, or whose change was
/// accepted, hardly affects the others. The form is that of G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential
/// expression in microarray experiments", *Statistical Applications in Genetics and Molecular Biology* 3 (2004), article 3, equation 6.2 for the
/// geometric mean; the weight of five is a choice, for days whose variation is not normal (docs/coverage.md).
pub fn compare_days(points: &[PointHistory<'_>]) -> DayComparison {
    let levels: Vec<PointLevels> =
        points.iter().zip(days_of(points)).map(|(point, days)| PointLevels::new(point, &days)).collect();
    let by_median = Reference::median(&levels);
    let shifts = if by_median.has_two_days() { by_median } else { Reference::default() };
    let relative: Vec<Vec<f64>> = levels.iter().map(|point| point.relative_changes(&shifts)).collect();
    let variances = FunctionVariances::of(&levels, &relative);
    let functions = variances.own.len() as f64;
    let factor = if shifts.has_two_days() { 1.0 + std::f64::consts::PI / (2.0 * functions) } else { 1.0 };
    let across = |(point, changes): (&PointLevels, &Vec<f64>)| match variances.typical {
        _ if changes.is_empty() && point.has_two_days() => AcrossDays::NoReference,
        Some(typical) if !changes.is_empty() => {
            let own = variances.own.get(&point.function).copied().unwrap_or_default();
            let variance = (WEIGHT_OF_OTHERS * typical + own.freedom * own.variance) / (WEIGHT_OF_OTHERS + own.freedom);
            let error = (variance * factor * (1.0 + 1.0 / changes.len() as f64)).sqrt();
            let freedom = (WEIGHT_OF_OTHERS + own.freedom).min(variances.freedom());
            AcrossDays::Change(DayChange { ln_ratio: changes.iter().mean(), error, freedom })
        }
        _ => AcrossDays::SingleDay,
    };
    DayComparison {
        points: levels.iter().zip(&relative).map(across).collect(),
        all_functions: variances
            .typical
            .and_then(|typical| shifts.relative_to_kernel(&levels, typical * factor, variances.freedom())),
    }
}

/// The day of each accepted result of each point, numbered from 0. A day begins with the first result that is not of the day before.
fn days_of(points: &[PointHistory<'_>]) -> Vec<Vec<usize>> {
    let mut times: Vec<f64> =
        points.iter().flat_map(|point| &point.accepted).map(|accepted| accepted.measured).collect();
    times.sort_by(f64::total_cmp);
    let mut starts: Vec<f64> = Vec::new();
    for time in times {
        if starts.last().is_none_or(|start| time >= start + SAME_DAY) {
            starts.push(time);
        }
    }
    let day = |accepted: &Occasion<'_>| starts.partition_point(|start| *start <= accepted.measured).saturating_sub(1);
    points.iter().map(|point| point.accepted.iter().map(day).collect()).collect()
}

/// The logarithms of a point's ratios, now to each of its days.
struct PointLevels {
    function: usize,
    days: BTreeMap<usize, DayRatio>,
}

/// The logarithms of ratios, now to a day.
#[derive(Clone, Copy, Debug)]
struct DayRatio {
    time: f64,
    /// That of the reference kernel.
    kernel: Option<f64>,
}

impl PointLevels {
    /// `days`: the day of each accepted result.
    fn new(point: &PointHistory<'_>, days: &[usize]) -> Self {
        let ln_ratio = |now: &[f64], then: &[&[f64]]| {
            let logarithms: Vec<f64> = then.iter().map(|values| values.mean().ln()).collect();
            let ratio = now.mean().ln() - logarithms.mean();
            ratio.is_finite().then_some(ratio)
        };
        let mut by_day: BTreeMap<usize, Vec<&Occasion<'_>>> = BTreeMap::new();
        for (accepted, day) in point.accepted.iter().zip(days) {
            by_day.entry(*day).or_default().push(accepted);
        }
        let ratio = |(day, of_day): (usize, Vec<&Occasion<'_>>)| {
            let time = ln_ratio(point.now.means, &of_day.iter().map(|one| one.means).collect::<Vec<_>>())?;
            let kernels: Vec<&[f64]> =
                of_day.iter().map(|one| one.kernel).filter(|kernel| !kernel.is_empty()).collect();
            Some((day, DayRatio { time, kernel: ln_ratio(point.now.kernel, &kernels) }))
        };
        Self { function: point.function, days: by_day.into_iter().filter_map(ratio).collect() }
    }

    fn has_two_days(&self) -> bool {
        self.days.len() >= 2
    }

    /// The ratio of each day relative to the reference of that day. Days without a reference are left out.
    fn relative_changes(&self, reference: &Reference) -> Vec<f64> {
        let relative = |(day, ratio): (&usize, &DayRatio)| {
            let shift = if reference.has_two_days() { reference.shifts.get(day).copied() } else { ratio.kernel };
            Some(ratio.time - shift?)
        };
        self.days.iter().filter_map(relative).collect()
    }
}

/// The change of the machine since each day; empty if the reference kernel beside each process is the reference.
#[derive(Default)]
struct Reference {
    shifts: BTreeMap<usize, f64>,
}

impl Reference {
    /// The median change of all functions since each day on which at least eight of them were measured.
    fn median(levels: &[PointLevels]) -> Self {
        let all_days = levels.iter().flat_map(|point| point.days.keys());
        let shift = |&day: &usize| {
            let shifts = function_medians(levels, |point| point.days.get(&day).map(|ratio| ratio.time));
            Some((day, median(&shifts).filter(|_| shifts.len() >= MIN_FUNCTIONS)?))
        };
        Self { shifts: all_days.filter_map(shift).collect() }
    }

    fn has_two_days(&self) -> bool {
        self.shifts.len() >= 2
    }

    /// The mean of the shifts relative to the reference kernel's. `typical`: the variance of such a shift between days, if the kernel is a function
    /// like others; that of the shifts themselves counts if it is greater.
    fn relative_to_kernel(&self, levels: &[PointLevels], typical: f64, freedom: f64) -> Option<DayChange> {
        let relative = |(day, shift): (&usize, &f64)| {
            let kernels = function_medians(levels, |point| point.days.get(day)?.kernel);
            Some(shift - median(&kernels).filter(|_| kernels.len() >= MIN_FUNCTIONS)?)
        };
        let shifts: Vec<f64> = self.shifts.iter().filter_map(relative).collect();
        if shifts.len() < 2 {
            return None;
        }
        let variance = typical.max(shifts.iter().variance());
        let error = (variance * (1.0 + 1.0 / shifts.len() as f64)).sqrt();
        Some(DayChange { ln_ratio: shifts.iter().mean(), error, freedom: WEIGHT_OF_OTHERS.min(freedom) })
    }
}

/// For each function with a value, the median over its points.
fn function_medians(levels: &[PointLevels], value: impl Fn(&PointLevels) -> Option<f64>) -> Vec<f64> {
    let mut by_function: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for point in levels {
        if let Some(value) = value(point) {
            by_function.entry(point.function).or_default().push(value);
        }
    }
    by_function.values().filter_map(|values| median(values)).collect()
}

/// The variances of functions between days.
struct FunctionVariances {
    own: BTreeMap<usize, FunctionVariance>,
    /// The typical variance; `None` if no function has two days.
    typical: Option<f64>,
}

/// The variance of a function between days: the mean over its points.
#[derive(Clone, Copy, Debug, Default)]
struct FunctionVariance {
    variance: f64,
    freedom: f64,
}

impl FunctionVariances {
    /// `relative`: the changes of each point, one for each day.
    fn of(levels: &[PointLevels], relative: &[Vec<f64>]) -> Self {
        let mut by_function: BTreeMap<usize, Vec<FunctionVariance>> = BTreeMap::new();
        for (point, changes) in levels.iter().zip(relative) {
            let of_function = by_function.entry(point.function).or_default();
            if changes.len() >= 2 {
                of_function
                    .push(FunctionVariance { variance: changes.variance(), freedom: (changes.len() - 1) as f64 });
            }
        }
        let own: BTreeMap<usize, FunctionVariance> = by_function
            .into_iter()
            .map(|(function, points)| {
                let mean = |field: fn(&FunctionVariance) -> f64| {
                    if points.is_empty() { 0.0 } else { points.iter().map(field).mean() }
                };
                (function, FunctionVariance { variance: mean(|one| one.variance), freedom: mean(|one| one.freedom) })
            })
            .collect();
        let known = || own.values().filter(|one| one.freedom > 0.0);
        let variances: Vec<f64> = known().map(|one| one.variance).collect();
        // A variance of 0 is a coincidence of rounded times, and its logarithm would dominate.
        let floor = 1e-5 * median(&variances).unwrap_or(0.0);
        let logarithm = |one: &FunctionVariance| {
            let half = one.freedom / 2.0;
            one.variance.max(floor).ln() - digamma(half) + half.ln()
        };
        let logarithms: Vec<f64> = known().map(logarithm).collect();
        let typical = (!logarithms.is_empty()).then(|| logarithms.mean().exp());
        Self { own, typical }
    }

    /// The degrees of freedom of all functions together.
    fn freedom(&self) -> f64 {
        self.own.values().map(|one| one.freedom).sum()
    }
}
