//! The unedited benches of crates from crates.io: five with `benchbook-criterion` in place of criterion, and five as their authors published them.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_tests::criterion_crates::{CRATES, CriterionCrate, UNEDITED};
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

/// Three of their bench targets have the same name.
#[test]
#[ignore = "nightly: compiles crates from a registry"]
fn the_tool_lists_measures_and_publishes_the_benches_of_five_others() -> Result<()> {
    let own = OwnCrate::empty()?;
    for one in UNEDITED {
        one.copy(&own)?;
    }
    let members = UNEDITED.map(|one| one.name);
    own.write("Cargo.toml", &format!("[workspace]\nresolver = \"2\"\nmembers = {members:?}\n"))?;
    let tool = |arguments: &[&str]| run(own.command(arguments)?.env("CARGO_NET_OFFLINE", "false"));
    let listed = tool(&["list"])?;
    for CriterionCrate { name, bench, functions, .. } in UNEDITED {
        let suite = if bench == "bench" { format!("{name}/{bench}") } else { bench.to_owned() };
        let lines = listed.lines().skip_while(|line| !line.starts_with(&format!("{suite} "))).skip(1);
        assert_eq!(lines.take_while(|line| line.starts_with("  ")).count(), functions, "{suite}: {listed}");
    }
    let measured = tool(&["measure", "--priority", "1", "--csv"])?;
    let functions: usize = UNEDITED.iter().map(|one| one.functions).sum();
    let mut reader = csv::Reader::from_reader(&measured.as_bytes()[measured.find("function,").context("headings")?..]);
    let paths: BTreeSet<String> = reader.records().map(|record| Ok(record?[0].to_owned())).collect::<Result<_>>()?;
    // Two benches of crc32fast and of others have the same path.
    assert!(paths.len() <= functions && paths.len() + 10 > functions, "{measured}");
    let published = tool(&["build", "--out", "site"])?;
    for one in UNEDITED {
        let module = if one.bench == "bench" { format!("{}--{}", one.name, one.bench) } else { one.bench.to_owned() };
        assert!(published.contains(&format!("{module}.wasm")), "{published}");
    }
    Ok(())
}
