//! The unedited benches of five crates from crates.io, with `benchbook-criterion` in place of criterion; and `cargo bench` with such
//! benches, and with those written for divan.

use std::process::Command;

use anyhow::Result;
use benchbook_tests::criterion_crates::CRATES;
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::packages::run;

#[test]
fn the_benches_of_five_crates_run_without_editing_them() -> Result<()> {
    let own = OwnCrate::empty()?;
    for one in CRATES {
        one.copy(&own)?;
        one.migrate(&own)?;
        // With the same profile, the crates share the builds of common dependencies.
        let test = |arguments: &[&str]| {
            let mut cargo = one.cargo(&own);
            cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "0").args(["test", "--bench", one.bench]);
            run(cargo.args(arguments))
        };
        let (name, functions) = (one.name, one.functions);
        let listed = test(&["--", "--list"])?;
        assert!(listed.contains(&format!("0 tests, {functions} benchmarks")), "{name}: {listed}");
        // Calls each routine once.
        let tested = test(&[])?;
        assert!(tested.contains(&format!("test result: ok. {functions} passed; 0 failed;")), "{name}: {tested}");
    }
    Ok(())
}

#[test]
fn cargo_bench_measures_benches_of_other_harnesses() -> Result<()> {
    let own = OwnCrate::with_benches_of_others()?;
    for (bench, filter, function, others, count) in
        [("criterion_bench", "mix", "mixing::mix", "words", 302), ("divan_bench", "fold", "fold", "split", 2)]
    {
        // With the profile of the crates above.
        let arguments = ["bench", "--profile", "test", "--bench", bench, "--", filter];
        let output = run(Command::new("cargo").current_dir(own.path()).args(arguments))?;
        let head = format!("{bench} 0.1.0: 1 of {count} functions; profile `dev`");
        assert!(output.contains(&head) && output.contains(&format!("\n{function}\n")), "{output}");
        for expected in ["  median", "  100  ", "1\u{202f}000  "] {
            assert!(output.contains(expected), "{expected}: {output}");
        }
        assert!(!output.contains(others), "{output}");
    }
    Ok(())
}
