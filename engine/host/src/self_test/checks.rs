//! The checks of the self-test, with advice for the failed ones.

use std::fmt::Write as _;

use serde::Serialize;

use crate::analyze::interval::Interval;
use crate::response::{Outcome, Point};
use crate::self_test::interference_tally::InterferenceTally;
use crate::self_test::resolution::MeansOfRuns;
use crate::self_test::rungs::{self, EQUAL, RecoveredRatio, paired, recovered_ratios, single_ratios};
use crate::self_test::steps::{SelfTestPart, SelfTestStep};

/// The probability that an interval does not contain the true value.
const OUTSIDE: f64 = 0.05;

/// The share of the time that interruptions may take. Beyond it, figures depend on the other programs.
const MAX_LOST: f64 = 0.02;

/// The variation of the processor's speed that is common on a quiet machine.
const MAX_SPEED_VARIATION: f64 = 0.1;

/// The measurements of functions with known times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfTest {
    /// The intervals of the ratio of two equal functions.
    pub equal: Vec<Interval>,
    /// The mean times of these functions in each run.
    pub means: MeansOfRuns,
    /// The intervals of the time of functions that do nothing, in nanoseconds.
    pub empty: Vec<Interval>,
    /// The ratios of functions with known numbers of steps.
    pub ladder: Vec<RecoveredRatio>,
    /// The share of the processors' time that other virtual machines took; absent if it is unknown.
    pub stolen: Option<f64>,
    /// The interference with all of them.
    pub interference: InterferenceTally,
    /// Failed measurements, with the reasons: on a busy machine, there may be too few samples for an interval.
    pub problems: Vec<String>,
}

/// A check with its result as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfTestCheck {
    /// The result, with the number of tries.
    pub result: String,
    /// What to do; absent if the check is passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<&'static str>,
}

const CLOSE_PROGRAMS: &str = "Close other programs, or wait until they are done; then repeat the test.";

const MOVE_AWAY: &str = "Repeat the test at another time, or measure on a physical machine.";

const STEADY_SPEED: &str = "Switch off power saving and turbo, or connect the power supply; then repeat the test.";

const UNEXPLAINED: &str = "Repeat the test. If the check fails again without interference, this machine's figures are not \
                           reliable: please report it.";

impl SelfTest {
    /// Adds the points of a completed measurement. Records missing results as problems.
    pub fn add(&mut self, step: &SelfTestStep, points: &[Point]) {
        for point in points {
            match &point.outcome {
                Outcome::Measured(measured) => self.interference.add(measured),
                Outcome::Failed(failure) => {
                    self.add_problem(step, &format!("{} failed at {}: {}", point.function, point.x, failure.reason));
                }
            }
        }
        if let Err(reason) = self.add_results(step, points) {
            self.add_problem(step, &reason);
        }
    }

    /// Adds a measurement that failed for this reason.
    pub fn add_problem(&mut self, step: &SelfTestStep, reason: &str) {
        self.problems.push(format!("{} could not be measured: {reason}", step.part.title()));
    }

    fn add_results(&mut self, step: &SelfTestStep, points: &[Point]) -> Result<(), String> {
        match step.part {
            SelfTestPart::Equal => {
                self.means.add(points);
                let paths = [EQUAL[0], EQUAL[1]].map(rungs::path);
                for at in single_ratios(&paired(points, [&paths[0], &paths[1]])) {
                    self.equal.push(at.interval.ok_or_else(|| format!("the ratio at {} is unavailable", at.x))?);
                }
            }
            SelfTestPart::Empty => {
                for measured in points.iter().filter_map(Point::measured) {
                    let interval = measured.summary.mean_interval;
                    self.empty.push(interval.ok_or_else(|| format!("{} has no interval", step.functions[0]))?);
                }
            }
            SelfTestPart::Ratios(rungs) => self.ladder.extend(recovered_ratios(points, rungs)?),
        }
        Ok(())
    }

    /// All checks.
    pub fn checks(&self) -> Vec<SelfTestCheck> {
        let InterferenceTally { samples, interrupted, .. } = self.interference;
        let (lost, variation) = (self.interference.lost_share(), self.interference.speed_variation());
        let has_interference = lost > MAX_LOST;
        let different = self.equal.iter().filter(|interval| !interval.contains(1.0)).count();
        let above_zero = self.empty.iter().filter(|interval| !interval.contains(0.0)).count();
        let missed = self.ladder.iter().filter(|ratio| !ratio.interval.contains(ratio.truth)).count();
        let rare = |result: String, failed: usize, count: usize| {
            let is_passed = failed as f64 <= at_most(OUTSIDE, count.max(1)) * count as f64;
            let advice = if has_interference { CLOSE_PROGRAMS } else { UNEXPLAINED };
            SelfTestCheck { result, advice: (!is_passed).then_some(advice) }
        };
        let mut checks = vec![
            SelfTestCheck {
                result: format!(
                    "interference: {interrupted} of {samples} samples were interrupted, {:.1}% of the time was lost",
                    100.0 * lost
                ),
                advice: has_interference.then_some(CLOSE_PROGRAMS),
            },
            SelfTestCheck {
                result: variation.map_or_else(
                    || "processor: its speed could not be measured".to_owned(),
                    |variation| format!("processor: its speed varied by {:.1}%", 100.0 * variation),
                ),
                advice: variation.is_some_and(|variation| variation > MAX_SPEED_VARIATION).then_some(STEADY_SPEED),
            },
            rare(
                format!("equal functions: {different} of {} comparisons report a difference", self.equal.len()),
                different,
                self.equal.len(),
            ),
            rare(
                format!("empty functions: {above_zero} of {} intervals exclude zero", self.empty.len()),
                above_zero,
                self.empty.len(),
            ),
            rare(
                format!(
                    "known ratios: {missed} of {} intervals exclude the true ratio, the largest error is {:.1}%",
                    self.ladder.len(),
                    100.0 * self.ladder.iter().map(|ratio| ratio.error().abs()).fold(0.0, f64::max)
                ),
                missed,
                self.ladder.len(),
            ),
        ];
        checks.extend(self.stolen.map(|stolen| SelfTestCheck {
            result: format!("other virtual machines: they took {:.1}% of the processors' time", 100.0 * stolen),
            advice: (stolen > MAX_LOST).then_some(MOVE_AWAY),
        }));
        let advice = Some(if has_interference { CLOSE_PROGRAMS } else { UNEXPLAINED });
        checks.extend(self.problems.iter().map(|problem| SelfTestCheck { result: problem.clone(), advice }));
        checks
    }
}

/// The greatest share that `count` tries may show if the probability is `share`: three binomial standard deviations more.
pub fn at_most(share: f64, count: usize) -> f64 {
    share + 3.0 * (share * (1.0 - share) / count as f64).sqrt()
}

/// The verdict of the self-test, as a sentence.
pub fn verdict(checks: &[SelfTestCheck]) -> String {
    match checks.iter().filter(|check| check.advice.is_some()).count() {
        0 => format!("All {} checks passed: this machine measured reliably just now.", checks.len()),
        failed => {
            format!("{failed} of {} checks failed: this machine's figures are unreliable at the moment.", checks.len())
        }
    }
}

/// The verdict, and the checks as lines, the failed ones with advice.
pub fn report(checks: &[SelfTestCheck]) -> String {
    let mut text = format!("{}\n\n", verdict(checks));
    for SelfTestCheck { result, advice } in checks {
        let mark = if advice.is_none() { "ok    " } else { "FAILED" };
        let _ = writeln!(text, "{mark} {result}");
        if let Some(advice) = advice {
            let _ = writeln!(text, "       {advice}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(outside: usize, count: usize, truth: f64) -> Vec<Interval> {
        let interval = |index| {
            let shift = if index < outside { 1.0 } else { 0.0 };
            Interval { low: truth - 0.5 + shift, high: truth + 0.5 + shift }
        };
        (0..count).map(interval).collect()
    }

    fn self_test() -> SelfTest {
        let interference =
            InterferenceTally { samples: 1_000, interrupted: 3, elapsed: 1e9, lost: 1e6, references: vec![800.0; 9] };
        let interval = Interval { low: 1.9, high: 2.1 };
        let ratio = RecoveredRatio { baseline: "one", other: "two", steps: 1.0, truth: 2.0, ratio: 2.0, interval };
        SelfTest {
            equal: intervals(1, 20, 1.0),
            means: MeansOfRuns::default(),
            stolen: Some(0.001),
            empty: intervals(2, 24, 0.0),
            ladder: vec![ratio; 48],
            interference,
            problems: Vec::new(),
        }
    }

    /// The failed checks.
    fn failed(test: &SelfTest) -> Vec<String> {
        test.checks().into_iter().filter(|check| check.advice.is_some()).map(|check| check.result).collect()
    }

    #[test]
    fn chance_alone_fails_no_check() {
        assert_eq!(failed(&self_test()), [""; 0]);
        let report = report(&self_test().checks());
        let (verdict, checks) = report.split_once("\n\n").expect("the verdict comes first");
        assert_eq!(verdict, "All 6 checks passed: this machine measured reliably just now.");
        assert!(checks.starts_with("ok     interference: 3 of 1000 samples were interrupted, 0.1% of"), "{checks}");
    }

    #[test]
    fn each_check_can_fail() {
        let equal = SelfTest { equal: intervals(5, 20, 1.0), ..self_test() };
        assert_eq!(failed(&equal), ["equal functions: 5 of 20 comparisons report a difference"]);
        let empty = SelfTest { empty: intervals(9, 24, 0.0), ..self_test() };
        assert_eq!(failed(&empty), ["empty functions: 9 of 24 intervals exclude zero"]);
        let mut ladder = self_test();
        ladder.ladder.iter_mut().take(12).for_each(|ratio| ratio.truth = 3.0);
        assert_eq!(
            failed(&ladder),
            ["known ratios: 12 of 48 intervals exclude the true ratio, the largest error is 33.3%"]
        );
        let mut busy = self_test();
        busy.interference.lost = 3e7;
        assert_eq!(failed(&busy), ["interference: 3 of 1000 samples were interrupted, 3.0% of the time was lost"]);
        assert_eq!(busy.checks()[0].advice, Some(CLOSE_PROGRAMS));
        let unmeasured = SelfTest { problems: vec!["known ratios could not be measured: x".to_owned()], ..self_test() };
        assert_eq!(failed(&unmeasured), unmeasured.problems);
        assert!(verdict(&unmeasured.checks()).starts_with("1 of 7 checks failed: "));
        let mut throttled = self_test();
        throttled.interference.references = vec![800.0, 800.0, 1_000.0];
        assert_eq!(failed(&throttled), ["processor: its speed varied by 20.0%"]);
        let stolen = SelfTest { stolen: Some(0.1), ..self_test() };
        assert_eq!(failed(&stolen), ["other virtual machines: they took 10.0% of the processors' time"]);
    }
}
