//! The measurements of the self-test, in order.

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::{Argument, Range};

use crate::quality::{BatchBounds, BatchCounts, Priority, Quality};
use crate::request::Request;
use crate::self_test::rungs::{self, EQUAL, Rung, UP_TO_A_MILLISECOND};

/// The usual number of comparisons of equal functions.
pub const TRIES: u32 = 20;

/// The usual time of a point of known ratios in milliseconds.
pub const RUNG_MS: f64 = 200.0;

/// The time of each of two compared functions in milliseconds, including warm-up and calibration.
const PAIR_MS: f64 = 500.0;

/// The time of a function that does nothing in milliseconds.
const EMPTY_MS: f64 = 200.0;

/// Functions that do nothing, with each kind of parameter.
pub const EMPTY: [&str; 6] = [
    "nothing::empty_shared",
    "nothing::empty_own",
    "nothing::empty_value",
    "nothing::empty_mut",
    "nothing::empty_several",
    "nothing::empty_owned",
];

/// The axis values of each measurement: the lowest two of the default range.
const POINTS: u32 = 2;

/// The property that a measurement tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelfTestPart {
    /// Two equal functions, whose ratio is 1.
    Equal,
    /// A function that does nothing and takes no time.
    Empty,
    /// Functions whose ratios are known.
    Ratios(&'static [Rung]),
}

impl SelfTestPart {
    /// The name on the page and in messages.
    pub fn title(self) -> &'static str {
        match self {
            Self::Equal => "equal functions",
            Self::Empty => "empty functions",
            Self::Ratios(_) => "known ratios",
        }
    }
}

/// One measurement of the self-test.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTestStep {
    /// The tested property.
    pub part: SelfTestPart,
    /// The paths of the functions, which have one generator.
    pub functions: Vec<String>,
    /// The time and the samples of each point.
    pub quality: Quality,
}

impl SelfTestStep {
    fn ratios(part: SelfTestPart, rungs: &[Rung], quality: Quality) -> Self {
        Self { part, functions: rungs.iter().copied().map(rungs::path).collect(), quality }
    }

    fn empty(function: &str) -> Self {
        Self { part: SelfTestPart::Empty, functions: vec![function.to_owned()], quality: empty_quality(1) }
    }

    /// The longest time in milliseconds.
    pub fn ms(&self) -> f64 {
        f64::from(POINTS) * self.functions.len() as f64 * self.quality.point_ms
    }

    /// The request to the suite `ladder`. `None` if the suite has other functions.
    pub fn request(&self, suite: &Suite, client: &str) -> Option<Request> {
        let path = suite.function(&self.functions[0])?.generators.first()?;
        let generator = suite.generators.iter().find(|generator| generator.path == *path)?;
        let axis = generator.default_axis()?;
        let numeric = axis.numeric()?;
        let low = numeric.default_range().low;
        let range = Range { low, high: low + numeric.step.unwrap_or(1.0) };
        let argument = |name: &str| (name == axis.name).then_some(Argument::Range(range));
        let arguments = generator.parameters.iter().map(|parameter| {
            let argument = argument(&parameter.name).unwrap_or_else(|| parameter.default_argument(false));
            (parameter.name.clone(), argument)
        });
        Some(Request {
            client: client.to_owned(),
            ..Request::new(
                suite.name.clone(),
                self.functions.clone(),
                generator.path.clone(),
                arguments.collect(),
                Priority::FIRST,
            )
        })
    }
}

/// All measurements. `tries`: how many times to compare equal functions, which takes a second each; `rung_ms`: the time of each
/// point of known ratios.
pub fn steps(tries: u32, rung_ms: f64) -> Vec<SelfTestStep> {
    let equal = SelfTestStep::ratios(SelfTestPart::Equal, EQUAL, pair_quality());
    let mut steps = vec![equal; tries.div_ceil(POINTS) as usize];
    // Each function that does nothing yields a fifth of the intervals.
    let repeats = tries.div_ceil(5).div_ceil(POINTS);
    steps.extend((0..repeats).flat_map(|_| EMPTY.map(SelfTestStep::empty)));
    steps.extend(
        UP_TO_A_MILLISECOND
            .map(|rungs| SelfTestStep::ratios(SelfTestPart::Ratios(rungs), rungs, ladder_quality(rung_ms))),
    );
    steps
}

/// The quality of a comparison of two functions in a second.
pub fn pair_quality() -> Quality {
    Quality { precision: 0.002, samples: BatchCounts { at_least: 20, at_most: 5_000 }, ..ladder_quality(PAIR_MS) }
}

/// The quality for a function that does nothing.
pub fn empty_quality(processes: u32) -> Quality {
    Quality {
        precision: 0.01,
        samples: BatchCounts { at_least: 20, at_most: 5_000 },
        processes,
        ..ladder_quality(EMPTY_MS)
    }
}

/// The quality of known ratios. The precision target is out of reach, so the measurement takes all of its time.
pub fn ladder_quality(point_ms: f64) -> Quality {
    Quality {
        points: POINTS,
        precision: 0.001,
        point_ms,
        warm_up: BatchBounds { at_least: 10, at_most: 500, ms: point_ms / 5.0 },
        samples: BatchCounts { at_least: 30, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_test_takes_half_a_minute() {
        let steps = steps(TRIES, RUNG_MS);
        let of = |part: SelfTestPart| steps.iter().filter(|step| step.part == part).count();
        assert_eq!((of(SelfTestPart::Equal), of(SelfTestPart::Empty)), (10, 12));
        assert_eq!(steps.len(), 10 + 12 + 4);
        let ms: f64 = steps.iter().map(SelfTestStep::ms).sum();
        assert!((25e3..35e3).contains(&ms), "{ms}");
    }
}
