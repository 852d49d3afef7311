//! Tests Chromium on this machine at this moment, on functions with known times. Run it with `cargo xtask self-test wasm`. The arguments are
//! the number of comparisons of equal functions, and the target `wasm`. It fails if a check fails.

use std::env;

use anyhow::{Context, Result, ensure};
use benchbook_host::self_test::checks::{SelfTest, report};
use benchbook_host::self_test::steps::{RUNG_MS, SelfTestStep, steps};
use benchbook_programs::conditions::Conditions;
use benchbook_tests::method::LadderSuite;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let tries = env::args().nth(1).context("the number of comparisons is missing")?;
    let tries = tries.parse().context("failed to parse the number of comparisons")?;
    let mut suite = LadderSuite::chromium().await?;
    let conditions = Conditions::now(suite.browser());
    let checks = self_test(&mut suite, tries).await.checks();
    suite.close().await?;
    print!("\n## WebAssembly in Chromium, isolated\n\n{}", report(&checks));
    conditions.print();
    ensure!(checks.iter().all(|check| check.advice.is_none()), "this machine failed the self-test at this moment");
    Ok(())
}

/// Measures for about `tries` seconds, and then the known ratios.
async fn self_test(suite: &mut LadderSuite, tries: u32) -> SelfTest {
    let steps = steps(tries, RUNG_MS);
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
