//! The self-test: whether this machine, at this moment, yields the figures that functions with known times must have.

use std::fmt::Write as _;

use anyhow::Result;
use benchbook_host::analyze::interval::Interval;

use super::interference_tally::InterferenceTally;
use super::ladder::{self, RecoveredRatio, measure_ratios};
use super::nothing::{self, EMPTY};
use super::percent::{self, IDENTICAL};
use super::{LadderSuite, at_most};

/// The usual time of a point of the ladder in milliseconds.
pub const RUNG_MS: f64 = 200.0;

/// The probability that an interval does not contain the true value.
const OUTSIDE: f64 = 0.05;

/// The share of the time that interruptions may take. Beyond it, figures depend on the other programs.
const MAX_LOST: f64 = 0.02;

/// The variation of the processor's speed that is common on a quiet machine.
const MAX_SPEED_VARIATION: f64 = 0.1;

/// The measurements of functions with known times.
#[derive(Clone, Debug, Default)]
pub struct SelfTest {
    /// The intervals of the ratio of two equal functions.
    pub equal: Vec<Interval>,
    /// The intervals of the time of functions that do nothing, in nanoseconds.
    pub empty: Vec<Interval>,
    /// The ratios of functions with known numbers of steps.
    pub ladder: Vec<RecoveredRatio>,
    /// The interference with all of them.
    pub interference: InterferenceTally,
    /// What could not be measured, with the reasons: on a busy machine, there may be too few samples for an interval.
    pub problems: Vec<String>,
}

/// A check with its result as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The result, with the number of tries.
    pub result: String,
    /// What to do; absent if the check is passed.
    pub advice: Option<&'static str>,
}

const CLOSE_PROGRAMS: &str = "Close other programs, or wait until they are done; then repeat the test.";

const UNEXPLAINED: &str = "Repeat the test. If the check fails again without interference, this machine's figures are not \
                           reliable: please report it.";

impl SelfTest {
    /// Measures for about `tries` seconds, and then the ladder: 28 points of `rung_ms` milliseconds.
    pub async fn measure(suite: &mut LadderSuite, tries: usize, rung_ms: f64) -> Self {
        let mut test = Self::default();
        eprintln!("equal functions: about {tries} s");
        test.equal = test.recorded("equal functions", percent::tries(suite, IDENTICAL, tries).await);
        for function in EMPTY {
            eprintln!("{function}: about {} s", tries.div_ceil(25));
            let empty = nothing::tries(suite, function, tries.div_ceil(5)).await;
            let empty = test.recorded(function, empty);
            test.empty.extend(empty);
        }
        eprintln!("the ladder: about {:.0} s", 0.028 * rung_ms);
        test.ladder = test.recorded("known ratios", measure_ratios(suite, &ladder::UP_TO_A_MILLISECOND, rung_ms).await);
        test.interference = suite.interference().clone();
        test
    }

    /// The results, or none if they could not be measured, which is recorded.
    fn recorded<T>(&mut self, subject: &str, results: Result<Vec<T>>) -> Vec<T> {
        results.unwrap_or_else(|error| {
            self.problems.push(format!("{subject} could not be measured: {error:#}"));
            Vec::new()
        })
    }

    /// All checks.
    pub fn checks(&self) -> Vec<Check> {
        let InterferenceTally { samples, interrupted, .. } = self.interference;
        let (lost, variation) = (self.interference.lost_share(), self.interference.speed_variation());
        let is_disturbed = lost > MAX_LOST;
        let different = self.equal.iter().filter(|interval| !interval.contains(1.0)).count();
        let above_zero = self.empty.iter().filter(|interval| !interval.contains(0.0)).count();
        let missed = self.ladder.iter().filter(|ratio| !ratio.interval.contains(ratio.truth)).count();
        let rare = |result: String, failed: usize, count: usize| {
            let is_passed = failed as f64 <= at_most(OUTSIDE, count.max(1)) * count as f64;
            let advice = if is_disturbed { CLOSE_PROGRAMS } else { UNEXPLAINED };
            Check { result, advice: (!is_passed).then_some(advice) }
        };
        let mut checks = vec![
            Check {
                result: format!(
                    "interference: {interrupted} of {samples} samples were preempted, {:.1} % of the time was lost",
                    100.0 * lost
                ),
                advice: is_disturbed.then_some(CLOSE_PROGRAMS),
            },
            Check {
                result: format!("processor: its speed varied by {:.1} %", 100.0 * variation),
                advice: (variation > MAX_SPEED_VARIATION)
                    .then_some("Switch off power saving and turbo, or connect the power supply; then repeat the test."),
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
                    "known ratios: {missed} of {} intervals exclude the true ratio, the largest error is {:.1} %",
                    self.ladder.len(),
                    100.0 * self.ladder.iter().map(|ratio| ratio.error().abs()).fold(0.0, f64::max)
                ),
                missed,
                self.ladder.len(),
            ),
        ];
        let advice = Some(if is_disturbed { CLOSE_PROGRAMS } else { UNEXPLAINED });
        checks.extend(self.problems.iter().map(|problem| Check { result: problem.clone(), advice }));
        checks
    }
}

/// The checks as lines, the failed ones with advice.
pub fn report(checks: &[Check]) -> String {
    let mut text = String::new();
    for Check { result, advice } in checks {
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
        assert!(
            report(&self_test().checks())
                .starts_with("ok     interference: 3 of 1000 samples were preempted, 0.1 % of")
        );
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
            ["known ratios: 12 of 48 intervals exclude the true ratio, the largest error is 33.3 %"]
        );
        let mut busy = self_test();
        busy.interference.lost = 3e7;
        assert_eq!(failed(&busy), ["interference: 3 of 1000 samples were preempted, 3.0 % of the time was lost"]);
        assert_eq!(busy.checks()[0].advice, Some(CLOSE_PROGRAMS));
        let unmeasured = SelfTest { problems: vec!["known ratios could not be measured: x".to_owned()], ..self_test() };
        assert_eq!(failed(&unmeasured), unmeasured.problems);
        let mut throttled = self_test();
        throttled.interference.references = vec![800.0, 800.0, 1_000.0];
        assert_eq!(failed(&throttled), ["processor: its speed varied by 20.0 %"]);
    }
}
