//! Comparisons across days: what a machine does on another day is no change of the code.
//!
//! The processes of one day share its conditions: the speed of the machine, its other work, where functions lie in memory. So the variance between
//! processes says nothing about another day. The variance between the days of the accepted results does, once the speed of the machine is
//! excluded: each function's change is taken relative to a reference, the median change of all functions or the reference kernel.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

use super::difference::Difference;
use crate::analyze::interval::Interval;
use crate::analyze::moderated::{Variance, moderated_by, typical};
use crate::analyze::order::median;

/// The least number of functions whose median change counts as a change of the machine.
const MIN_FUNCTIONS: usize = 8;

/// Results that were measured within this time of the first one are of the same day, in seconds: 12 hours.
const SAME_DAY: f64 = 12.0 * 3_600.0;

/// A point at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occasion<'m> {
    /// When it was measured, in seconds since 1970.
    pub measured: f64,
    /// The mean of each process, in nanoseconds.
    pub means: &'m [f64],
    /// The time of the reference kernel in each process, in nanoseconds; empty if it was not timed.
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
    pub freedom: u32,
}

impl DayChange {
    /// The change with Student's interval. `confidence`: the probability that the interval contains the change.
    pub fn difference(&self, confidence: f64) -> Difference {
        let student = StudentsT::new(0.0, 1.0, f64::from(self.freedom));
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
/// is relative to the ratio of the reference kernel in the same processes. The change of a point is the mean over its k days. Its variance
/// is (1 + 1/k) times the variance between days; relative to the median of F functions, also 1 + π/(2F) times, which is the median's own variance
/// for normal errors (H. Cramér, *Mathematical Methods of Statistics* (1946), section 28.5).
///
/// A function's variance between days is moderated by the typical one of all functions (`engine/host/src/analyze/moderated.rs`): with one that varies, or whose change was
/// accepted, the others remain certain. The weight of the typical one is a choice, for days whose variation is not normal (docs/coverage.md).
pub fn compare_days(points: &[PointHistory<'_>]) -> DayComparison {
    let levels: Vec<PointLevels> =
        points.iter().zip(days_of(points)).map(|(point, days)| PointLevels::new(point, &days)).collect();
    let by_median = Reference::median(&levels);
    let shifts = if by_median.has_two_days() { by_median } else { Reference::default() };
    let relative: Vec<Vec<f64>> = levels.iter().map(|point| point.relative_changes(&shifts)).collect();
    let own = function_variances(&levels, &relative);
    let variances: Vec<Variance> = own.values().copied().collect();
    let (typical, freedom) = (typical(&variances), variances.iter().map(|variance| variance.freedom).sum());
    let factor = shifts.functions().map_or(1.0, |functions| 1.0 + PI / (2.0 * functions as f64));
    let across = |(point, changes): (&PointLevels, &Vec<f64>)| match typical {
        _ if changes.is_empty() && point.has_two_days() => AcrossDays::NoReference,
        Some(typical) if !changes.is_empty() => {
            let Variance { value, freedom } = moderated_by(own[&point.function], typical, freedom);
            let error = (value * factor * (1.0 + 1.0 / changes.len() as f64)).sqrt();
            AcrossDays::Change(DayChange { ln_ratio: changes.iter().mean(), error, freedom })
        }
        _ => AcrossDays::SingleDay,
    };
    let all_functions = typical.and_then(|typical| {
        shifts.relative_to_kernel(&levels, moderated_by(Variance { value: 0.0, freedom: 0 }, typical * factor, freedom))
    });
    DayComparison { points: levels.iter().zip(&relative).map(across).collect(), all_functions }
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

    /// The ratio of each day relative to the reference of that day, or to the reference kernel if none of them has one. Days without either are left out.
    fn relative_changes(&self, reference: &Reference) -> Vec<f64> {
        let relative = |(day, ratio): (&usize, &DayRatio)| Some(ratio.time - reference.shifts.get(day)?.ln_ratio);
        let by_functions: Vec<f64> = self.days.iter().filter_map(relative).collect();
        if by_functions.is_empty() {
            return self.days.values().filter_map(|ratio| Some(ratio.time - ratio.kernel?)).collect();
        }
        by_functions
    }
}

/// The change of the machine since each day; empty if the reference kernel in each process is the reference.
#[derive(Default)]
struct Reference {
    shifts: BTreeMap<usize, Shift>,
}

/// The change of the machine since a day.
struct Shift {
    ln_ratio: f64,
    /// The number of functions whose median it is.
    functions: usize,
}

impl Reference {
    /// The median change of all functions since each day on which at least eight of them were measured.
    fn median(levels: &[PointLevels]) -> Self {
        let all_days = levels.iter().flat_map(|point| point.days.keys());
        let shift = |&day: &usize| {
            let shifts = function_medians(levels, |point| point.days.get(&day).map(|ratio| ratio.time));
            let ln_ratio = median(&shifts).filter(|_| shifts.len() >= MIN_FUNCTIONS)?;
            Some((day, Shift { ln_ratio, functions: shifts.len() }))
        };
        Self { shifts: all_days.filter_map(shift).collect() }
    }

    fn has_two_days(&self) -> bool {
        self.shifts.len() >= 2
    }

    /// The least number of functions behind a shift; `None` without any.
    fn functions(&self) -> Option<usize> {
        self.shifts.values().map(|shift| shift.functions).min()
    }

    /// The mean of the shifts relative to the reference kernel's. `typical`: the variance of such a shift between days, if the kernel is a function
    /// like others; that of the shifts themselves counts if it is greater.
    fn relative_to_kernel(&self, levels: &[PointLevels], typical: Variance) -> Option<DayChange> {
        let relative = |(day, shift): (&usize, &Shift)| {
            let kernels = function_medians(levels, |point| point.days.get(day)?.kernel);
            Some(shift.ln_ratio - median(&kernels).filter(|_| kernels.len() >= MIN_FUNCTIONS)?)
        };
        let shifts: Vec<f64> = self.shifts.iter().filter_map(relative).collect();
        if shifts.len() < 2 {
            return None;
        }
        let variance = typical.value.max(shifts.iter().variance());
        let error = (variance * (1.0 + 1.0 / shifts.len() as f64)).sqrt();
        Some(DayChange { ln_ratio: shifts.iter().mean(), error, freedom: typical.freedom })
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

/// The variance of each function between days: the mean over its points. `relative`: the changes of each point, one for each day.
fn function_variances(levels: &[PointLevels], relative: &[Vec<f64>]) -> BTreeMap<usize, Variance> {
    let mut by_function: BTreeMap<usize, Vec<Variance>> = BTreeMap::new();
    for (point, changes) in levels.iter().zip(relative) {
        let of_function = by_function.entry(point.function).or_default();
        of_function.extend((changes.len() >= 2).then(|| Variance::of(changes)));
    }
    let mean = |points: Vec<Variance>| match points.iter().map(|point| point.freedom).max() {
        Some(freedom) => Variance { value: points.iter().map(|point| point.value).mean(), freedom },
        None => Variance { value: 0.0, freedom: 0 },
    };
    by_function.into_iter().map(|(function, points)| (function, mean(points))).collect()
}
