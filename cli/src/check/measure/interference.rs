//! What other programs took from the measurements of a check.

use benchbook_host::response::{Point, Run};
use benchbook_host::units::percent;
use serde::Serialize;

/// The least share of the time that is worth a sentence.
const NOTABLE: f64 = 0.01;

/// The time that other programs took from the measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Interference {
    /// The time of all samples, in nanoseconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    time: f64,
    /// The part of it in which the system interrupted the samples to run other programs, in nanoseconds. Comparisons with accepted results exclude it.
    #[cfg_attr(test, schemars(range(min = 0)))]
    interrupted: f64,
    /// The share of the processors' time that other virtual machines took meanwhile: 0.01 is 1%. Absent if it is unknown, and on a runner. Nothing excludes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub(crate) stolen: Option<f64>,
}

impl Interference {
    /// That of some measured points.
    pub(super) fn of(points: &[Point]) -> Self {
        let runs = points.iter().filter_map(Point::measured).flat_map(|measured| &measured.runs);
        let mut all = Self::default();
        for [interrupted, time] in runs.map(Run::disturbed_time) {
            all.add(Self { time, interrupted, stolen: None });
        }
        all
    }

    /// Adds that of other measurements.
    pub(super) fn add(&mut self, other: Self) {
        self.time += other.time;
        self.interrupted += other.interrupted;
    }

    /// Whether it is that of no measurement.
    pub(crate) fn is_empty(&self) -> bool {
        self.time == 0.0
    }

    /// A sentence about a busy machine; `None` unless it was one.
    pub(crate) fn sentence(&self) -> Option<String> {
        let interrupted = (self.interrupted / self.time.max(1.0)).clamp(0.0, 1.0);
        let interrupted = (interrupted >= NOTABLE)
            .then(|| format!("other programs took {} of the measured time", percent(interrupted)));
        let stolen = self.stolen.filter(|stolen| *stolen >= NOTABLE);
        let stolen =
            stolen.map(|stolen| format!("other virtual machines took {} of the processors' time", percent(stolen)));
        let parts: Vec<String> = interrupted.into_iter().chain(stolen).collect();
        (!parts.is_empty()).then(|| format!("The machine was busy: {}.", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_named() {
        let sentence = |interrupted: f64, stolen| Interference { time: 1e9, interrupted, stolen }.sentence();
        assert_eq!(sentence(9e6, Some(0.009)), None);
        assert_eq!(Interference::default().sentence(), None);
        let expected = "The machine was busy: other programs took 12% of the measured time.";
        assert_eq!(sentence(1.2e8, None).as_deref(), Some(expected));
        let expected = "The machine was busy: other programs took 12% of the measured time, other virtual machines took 3.0% of the processors' time.";
        assert_eq!(sentence(1.2e8, Some(0.03)).as_deref(), Some(expected));
    }
}
