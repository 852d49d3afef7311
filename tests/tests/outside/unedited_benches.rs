//! The unedited benches of five crates from crates.io, with `benchbook-criterion` in place of criterion.

use std::process::Command;

use anyhow::Result;
use benchbook_tests::criterion_crates::{CRATES, CriterionCrate};
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::packages::run;

#[test]
#[ignore = "nightly: compiles crates from a registry"]
fn the_benches_of_five_crates_run_without_editing_them() -> Result<()> {
    let own = OwnCrate::empty()?;
    for one in CRATES {
        one.copy(&own)?;
        one.migrate(&own)?;
    }
    // In one workspace, their dependencies have the same features, and are compiled once.
    let members = CRATES.map(|one| one.name);
    own.write("Cargo.toml", &format!("[workspace]\nresolver = \"2\"\nmembers = {members:?}\n"))?;
    let test = |arguments: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(own.path()).env("CARGO_NET_OFFLINE", "false").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
        cargo.args(["test", "--workspace"]).args(CRATES.iter().flat_map(|one| ["--bench", one.bench]));
        run(cargo.arg("--").args(arguments))
    };
    let listed = test(&["--list"])?;
    // Calls each routine once.
    let tested = test(&[])?;
    for CriterionCrate { name, functions, .. } in CRATES {
        assert!(listed.contains(&format!("\n0 tests, {functions} benchmarks\n")), "{name}: {listed}");
        assert!(tested.contains(&format!("test result: ok. {functions} passed; 0 failed;")), "{name}: {tested}");
    }
    Ok(())
}
