//! Carries out the self-test.

use benchbook_host::self_test::checks::SelfTest;
use benchbook_host::self_test::steps::{SelfTestStep, steps};

use super::LadderSuite;

/// Measures for about `tries` seconds, and then the ladder: 28 points of `rung_ms` milliseconds.
pub async fn self_test(suite: &mut LadderSuite, tries: u32, rung_ms: f64) -> SelfTest {
    let steps = steps(tries, rung_ms);
    let total_ms: f64 = steps.iter().map(SelfTestStep::ms).sum();
    let (mut test, mut done_ms) = (SelfTest::default(), 0.0);
    for step in steps {
        eprintln!("{}: about {:.0} s left", step.part.title(), (total_ms - done_ms) / 1_000.0);
        let functions: Vec<&str> = step.functions.iter().map(String::as_str).collect();
        match suite.measure(&functions, step.quality.clone()).await {
            Ok(response) => test.add(&step, &response.points),
            Err(error) => test.add_problem(&step, &format!("{error:#}")),
        }
        done_ms += step.ms();
    }
    test
}
