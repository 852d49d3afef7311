//! The unedited benches of five crates from crates.io, with `benchbook-criterion` in place of criterion.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::packages::run;
use cargo_metadata::{MetadataCommand, Package};
use xtask::workspace::Workspace;

/// Dependencies of this workspace with their versions, each with a bench target and the number of its functions: benchmarks that differ
/// only in their inputs are one.
const CRATES: [(&str, &str, &str, usize); 5] = [
    ("base64", "0.22.1", "benchmarks", 22),
    ("bytecount", "0.6.9", "bench", 5),
    ("hex", "0.4.3", "hex", 9),
    ("httparse", "1.10.1", "parse", 66),
    ("httpdate", "1.0.3", "benchmarks", 4),
];

/// The folder to which cargo has downloaded a dependency of this workspace.
fn sources(name: &str, version: &str) -> Result<PathBuf> {
    let manifest = Workspace::find()?.root().join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).other_options(["--locked".to_owned()]).exec()?;
    let is_named = |package: &&Package| package.name.as_str() == name && package.version.to_string() == version;
    let package = metadata.packages.iter().find(is_named).with_context(|| format!("no dependency {name} {version}"))?;
    Ok(package.manifest_path.parent().context("a manifest is in a folder")?.into())
}

#[test]
fn the_benches_of_five_crates_run_without_editing_them() -> Result<()> {
    let own = OwnCrate::empty()?;
    let criterion = Workspace::find()?.root().join("engine/criterion");
    let criterion = criterion.to_str().context("a path in Unicode")?;
    for (name, version, bench, count) in CRATES {
        own.copy(&sources(name, version)?, name)?;
        let cargo = |arguments: &[&str]| {
            let mut cargo = Command::new("cargo");
            // The other dependencies are downloaded. With the same profile, the crates share the builds of common ones.
            cargo.env("CARGO_NET_OFFLINE", "false").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
            run(cargo.current_dir(own.path().join(name)).args(arguments))
        };
        cargo(&["remove", "--dev", "criterion"])?;
        cargo(&["add", "--dev", "benchbook-criterion", "--path", criterion, "--rename", "criterion"])?;
        let listed = cargo(&["test", "--bench", bench, "--", "--list"])?;
        assert!(listed.contains(&format!("0 tests, {count} benchmarks")), "{name}: {listed}");
        // Calls each routine once.
        let tested = cargo(&["test", "--bench", bench])?;
        assert!(tested.contains(&format!("test result: ok. {count} passed; 0 failed;")), "{name}: {tested}");
    }
    Ok(())
}
