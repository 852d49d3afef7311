//! Tests this machine at this moment, on functions with known times. Run it with `cargo xtask self-test`. The arguments are the
//! number of comparisons of equal functions, and the targets: `native`, `wasm`, or both. It fails if a check fails.

use std::env;

use anyhow::{Context, Result, bail};
use benchbook_host::self_test::checks::report;
use benchbook_host::self_test::steps::RUNG_MS;
use benchbook_programs::conditions::Conditions;
use benchbook_tests::method::LadderSuite;
use benchbook_tests::method::self_test::self_test;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let tries = arguments.next().context("the number of comparisons is missing")?;
    let tries = tries.parse().context("failed to parse the number of comparisons")?;
    let mut is_passed = true;
    for target in arguments {
        let (title, mut suite) = match target.as_str() {
            "native" => ("Native", LadderSuite::native()?),
            "wasm" => ("WebAssembly in Chromium, isolated", LadderSuite::chromium().await?),
            _ => bail!("unknown target `{target}`; expected native or wasm"),
        };
        let conditions = Conditions::now(suite.browser());
        let checks = self_test(&mut suite, tries, RUNG_MS).await.checks();
        suite.close().await?;
        print!("\n## {title}\n\n{}", report(&checks));
        conditions.print();
        is_passed &= checks.iter().all(|check| check.advice.is_none());
    }
    if !is_passed {
        bail!("this machine failed the self-test at this moment");
    }
    Ok(())
}
