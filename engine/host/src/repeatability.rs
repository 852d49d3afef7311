//! The history of a machine: what its reference kernel and its points took at earlier occasions, and what follows for another day.
//!
//! Each host keeps one: the page in the storage of its browser, the terminal in the user's data folder, the runner in its store. A measurement
//! receives it as [`PastMeasurements`], and its points say what another day would find. Afterwards, the host records its points.

use std::collections::BTreeMap;
use std::sync::Arc;

use benchbook_contract::parameter::Argument;
use serde::{Deserialize, Serialize};

use crate::analyze::interval::Interval;
use crate::analyze::moderated::{Variance, typical};
use crate::analyze::order::median;
use crate::analyze::repeatability::{UsualVariation, is_explained, later_mean, prediction, smallest_difference};
use crate::fingerprint::fingerprint;
use crate::request::Request;
use crate::response::{AnotherDay, MeasuredPoint, Outcome, Point, UsualSpeed};

/// Measurements within this time of the first one are one occasion, of which the last one counts, in seconds: the priorities of a measurement, and
/// its repetitions, share the conditions of a moment.
const OCCASION: f64 = 300.0;

/// The most occasions of a point and of the kernel, and the most points: those that were measured last.
const MAX_OF_POINT: usize = 12;
const MAX_OF_KERNEL: usize = 50;
const MAX_POINTS: usize = 400;

/// The digits of a key.
const KEY_DIGITS: usize = 16;

/// The history of a machine, as its host stores it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "UncheckedHistory")]
pub struct MachineHistory {
    /// The median time of a call of the reference kernel at each occasion, the oldest first.
    kernel: Vec<KernelOccasion>,
    /// The occasions of each point, the oldest first, by [`point_key`].
    points: BTreeMap<String, Vec<PointOccasion>>,
}

/// A history from a file or a storage.
#[derive(Deserialize)]
struct UncheckedHistory {
    kernel: Vec<KernelOccasion>,
    points: BTreeMap<String, Vec<PointOccasion>>,
}

impl From<UncheckedHistory> for MachineHistory {
    /// Leaves out what is no time.
    fn from(UncheckedHistory { mut kernel, mut points }: UncheckedHistory) -> Self {
        let is_time = |time: f64| time.is_finite() && time > 0.0;
        kernel.retain(|occasion| occasion.0.is_finite() && is_time(occasion.1));
        kernel.sort_by(|one, other| one.0.total_cmp(&other.0));
        for occasions in points.values_mut() {
            occasions
                .retain(|occasion| occasion.0.is_finite() && is_time(occasion.1) && occasion.2.is_none_or(is_time));
            occasions.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        points.retain(|_, occasions| !occasions.is_empty());
        Self { kernel, points }
    }
}

/// When the kernel was timed, in seconds since 1970, and its time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct KernelOccasion(f64, f64);

/// When a point was measured, in seconds since 1970, its mean, and the time of the reference kernel during it, in nanoseconds; absent if it was not
/// timed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct PointOccasion(f64, f64, Option<f64>);

/// The spread of repeated measurements on a machine, for its self-test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MachineSpread {
    /// The standard deviation of the reference kernel between occasions, relative to its mean.
    pub kernel: f64,
    /// The typical standard deviation of a point, relative to its mean; absent if no point was measured at two occasions.
    pub points: Option<f64>,
    /// The number of occasions.
    pub occasions: usize,
}

impl MachineSpread {
    /// The relative difference that measurements of equal code at two occasions exceed in 5% of cases: √2 times the greater standard deviation, times
    /// Student's quantile. `None` with fewer than three occasions.
    pub fn smallest_difference(&self) -> Option<f64> {
        let freedom = u32::try_from(self.occasions).ok()?.checked_sub(1).filter(|freedom| *freedom >= 2)?;
        let deviation = self.points.unwrap_or_default().max(self.kernel);
        Some(smallest_difference(deviation, freedom))
    }
}

/// The history of a machine at the start of a measurement.
#[derive(Clone, Debug, Default)]
pub struct PastMeasurements {
    history: Arc<MachineHistory>,
    /// The fingerprint of the suite's build: another build may have other times.
    build: String,
    /// When the measurement started, in seconds since 1970.
    now: f64,
    /// The logarithms of the kernel's times at earlier occasions.
    kernel: Vec<f64>,
    /// The typical variance of the points that were measured at two earlier occasions or more.
    of_points: Option<f64>,
}

impl MachineHistory {
    /// The history at the start of a measurement. `build`: the fingerprint of the suite's build; `now`: in seconds since 1970.
    pub fn at(self: &Arc<Self>, build: &str, now: f64) -> PastMeasurements {
        // The last occasion may be the same as this one.
        let before = now - OCCASION;
        PastMeasurements {
            history: Arc::clone(self),
            build: build.to_owned(),
            now,
            kernel: self.kernel_logarithms(before),
            of_points: typical(&self.point_variances(before)),
        }
    }

    /// Records the measured points of a request. Those without a mean above the clock's resolution are left out. `past`: that of the measurement, which
    /// states its build and its time.
    pub fn record(&mut self, past: &PastMeasurements, request: &Request, points: &[Point]) {
        let PastMeasurements { build, now, .. } = past;
        let now = *now;
        // The clock was set back since: otherwise these would be the last ones until that time.
        self.kernel.retain(|occasion| occasion.0 <= now);
        self.points.values_mut().for_each(|occasions| occasions.retain(|occasion| occasion.0 <= now));
        let mut kernels = Vec::new();
        for point in points {
            let Some((mean, kernel)) = point.measured().and_then(levels) else { continue };
            kernels.extend(kernel);
            let key = point_key(build, request, point);
            let occasions = self.points.entry(key).or_default();
            add(occasions, PointOccasion(now, mean, kernel), |occasion| &mut occasion.0, MAX_OF_POINT);
        }
        if let Some(kernel) = median(&kernels) {
            add(&mut self.kernel, KernelOccasion(now, kernel), |occasion| &mut occasion.0, MAX_OF_KERNEL);
        }
        self.forget_old_points();
    }

    fn forget_old_points(&mut self) {
        self.points.retain(|_, occasions| !occasions.is_empty());
        let last = |(key, occasions): (&String, &Vec<PointOccasion>)| (occasions[occasions.len() - 1].0, key.clone());
        let mut newest: Vec<(f64, String)> = self.points.iter().map(last).collect();
        newest.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, key) in newest.iter().skip(MAX_POINTS) {
            self.points.remove(key);
        }
    }

    /// The spread of repeated measurements; `None` with fewer than two occasions.
    pub fn spread(&self) -> Option<MachineSpread> {
        let kernel = self.kernel_logarithms(f64::INFINITY);
        let points = typical(&self.point_variances(f64::INFINITY));
        (kernel.len() >= 2).then(|| MachineSpread {
            kernel: Variance::of(&kernel).value.sqrt(),
            points: points.map(f64::sqrt),
            occasions: kernel.len(),
        })
    }

    /// The logarithms of the kernel's times up to a time.
    fn kernel_logarithms(&self, up_to: f64) -> Vec<f64> {
        self.kernel.iter().filter(|occasion| occasion.0 <= up_to).map(|occasion| occasion.1.ln()).collect()
    }

    /// The variance of each point that was measured at two occasions or more, up to a time.
    fn point_variances(&self, up_to: f64) -> Vec<Variance> {
        let logarithms = |occasions: &Vec<PointOccasion>| {
            occasions.iter().filter(|occasion| occasion.0 <= up_to).map(|occasion| occasion.1.ln()).collect::<Vec<_>>()
        };
        self.points.values().map(logarithms).filter(|ln| ln.len() >= 2).map(|ln| Variance::of(&ln)).collect()
    }
}

/// The typical variation of a machine: that of its points, at least that of the kernel. `None` without two occasions of the kernel.
fn usual_variation(kernel: &[f64], of_points: Option<f64>) -> Option<UsualVariation> {
    let of_kernel = (kernel.len() >= 2).then(|| Variance::of(kernel))?;
    Some(UsualVariation {
        variance: of_points.unwrap_or_default().max(of_kernel.value),
        occasions: kernel.len() as u32,
    })
}

/// Adds an occasion, or replaces the last one if it is the same, whose time remains.
fn add<T>(occasions: &mut Vec<T>, mut new: T, time: impl Fn(&mut T) -> &mut f64, most: usize) {
    let now = *time(&mut new);
    if let Some(last) = occasions.last_mut() {
        let start = *time(last);
        if now < start + OCCASION {
            *time(&mut new) = start;
            occasions.pop();
        }
    }
    occasions.push(new);
    let excess = occasions.len().saturating_sub(most);
    occasions.drain(..excess);
}

impl PastMeasurements {
    /// What another day would find at a point that was just measured. `None` without a history, or if the point has no mean above the
    /// clock's resolution.
    pub fn another_day(&self, request: &Request, point: &Point) -> Option<AnotherDay> {
        let measured = point.measured()?;
        let (mean, kernel) = levels(measured)?;
        let earlier = self.history.points.get(&point_key(&self.build, request, point));
        let earlier: Vec<PointOccasion> =
            earlier.into_iter().flatten().copied().filter(|occasion| occasion.0 <= self.now - OCCASION).collect();
        let all = || earlier.iter().copied().chain([PointOccasion(self.now, mean, kernel)]);
        let ln_means: Vec<f64> = all().map(|occasion| occasion.1.ln()).collect();
        let mut kernels = self.kernel.clone();
        kernels.extend(kernel.map(f64::ln));
        let usual = usual_variation(&kernels, self.of_points)?;
        let interval = hull(later_mean(&ln_means, &usual)?, measured.summary.mean_interval);
        let relative: Vec<f64> = all().filter_map(|occasion| Some((occasion.1 / occasion.2?).ln())).collect();
        let at_usual_speed = kernel.filter(|_| is_explained(&ln_means, &relative)).and_then(|kernel| {
            let usual_kernel = median(&kernels)?.exp();
            let Interval { low, high } = prediction(&relative, Variance::of(&relative));
            let interval = Interval { low: low * usual_kernel, high: high * usual_kernel };
            Some(UsualSpeed { mean: mean / kernel * usual_kernel, interval })
        });
        let first = self.history.kernel.first().map_or(self.now, |occasion| occasion.0);
        let hours = (self.now - first) / 3_600.0;
        Some(AnotherDay { mean: interval, occasions: ln_means.len() as u32, hours, at_usual_speed })
    }

    /// Adds to a point what another day would find.
    pub fn add_to(&self, request: &Request, point: &mut Point) {
        let another_day = self.another_day(request, point);
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.another_day = another_day;
        }
    }
}

/// The narrowest interval that contains both.
fn hull(one: Interval, other: Option<Interval>) -> Interval {
    other.map_or(one, |other| Interval { low: one.low.min(other.low), high: one.high.max(other.high) })
}

/// The mean of a point and the time of the reference kernel during it. `None` without a mean above the clock's resolution.
fn levels(measured: &MeasuredPoint) -> Option<(f64, Option<f64>)> {
    let mean = measured.summary.mean;
    let kernels: Vec<f64> = measured.runs.iter().filter_map(|run| run.reference).collect();
    (mean > 0.0 && measured.upper_bound().is_none()).then(|| (mean, median(&kernels).filter(|kernel| *kernel > 0.0)))
}

/// Identifies a point: the build, the function, the generator and the arguments, with the axis value in place of the axis. A hash, since the storage
/// of a browser is small.
fn point_key(build: &str, request: &Request, point: &Point) -> String {
    let mut arguments = request.arguments.clone();
    if let (Some(axis), Some(value)) =
        (arguments.values_mut().find(|argument| argument.is_varied()), Argument::at(&point.x))
    {
        *axis = value;
    }
    let identity = (build, &point.function, &request.generator, arguments);
    let text = serde_json::to_string(&identity).expect("arguments serialize to JSON");
    fingerprint(text.as_bytes())[..KEY_DIGITS].to_owned()
}
