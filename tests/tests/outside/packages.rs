//! The packages, installed outside of the checkout and without a network, as a user installs them from crates.io.

use std::fs;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use benchbook_tests::packages::{PackageFolder, run};
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::{builds, workspace};

use crate::tutorial::{Reader, steps};

/// Prints how long a step takes that users wait for.
fn seconds<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = work()?;
    println!("{what}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(result)
}

/// The configuration in the runner's README.
fn readme_config() -> Result<String> {
    let readme = fs::read_to_string(workspace()?.root().join("server-remote/README.md"))?;
    let (_, after) = readme.split_once("```toml\n").context("a configuration")?;
    let (config, _) = after.split_once("```").context("its end")?;
    ensure!(config.lines().count() == 5, "expected five lines:\n{config}");
    Ok(config.to_owned())
}

#[tokio::test(flavor = "current_thread")]
#[ignore = "nightly: installs whole programs"]
async fn the_tutorial_works_offline_with_the_programs_installed_from_packages() -> Result<()> {
    let packages = PackageFolder::new()?;
    let programs = seconds("cargo install cargo-benchbook", || packages.install("cargo-benchbook"))?;

    let mut own = Reader::new(packages.path(), &programs)?;
    let printed = own.follow(&steps("## Your own crate"));
    assert_eq!(printed.len(), 2, "{printed:?}");
    own.assert_on_both_targets("wordcount/benchbook", "wordcount-benchbook", &printed[1]);

    let site = own.run("cargo benchbook build --out site");
    assert!(site.contains("Wrote the page with wordcount-benchbook.wasm to site."), "{site}");
    let folder = packages.path().join("wordcount");
    assert!(folder.join("site/index.html").is_file() && folder.join("site/suites/wordcount-benchbook.wasm").is_file());

    // The library alone, as a dependency of a bench target.
    own.run("cargo benchbook init --bench");
    let tested = seconds("cargo test with the library as a dev-dependency", || {
        run(Command::new("cargo").current_dir(&folder).args(["test", "--all-targets"]))
    })?;
    assert!(tested.contains("test count_hashed ... ok"), "{tested}");
    let bench = own.run("cargo bench --bench benchbook -- count_hashed");
    assert!(bench.contains("profile `bench`, opt-level 3") && bench.contains("Number of words"), "{bench}");

    let mut other = Reader::new(packages.path(), &programs)?;
    let printed = other.follow(&steps("## A crate from crates.io"));
    assert_eq!(printed.len(), 1, "{printed:?}");
    other.assert_on_both_targets("find-bytes", "find-bytes", &printed[0]);

    let programs = seconds("cargo install benchbook-server afterwards", || packages.install("benchbook-server"))?;
    let suite = builds(&folder.join("benchbook"), "wordcount-benchbook")?.program;
    let config = readme_config()?
        .replace("0.0.0.0", "127.0.0.1")
        .replace("/opt/benchbook/sorting", suite.to_str().context("a path in Unicode")?);
    packages.write("benchbook.toml", &config)?;
    let mut server = Command::new(programs.join("benchbook-server"));
    server.arg("--config").arg(packages.path().join("benchbook.toml"));
    let runner = RunnerProgram::start_command(server, &packages.path().join("results.sqlite"), &[], &[])?;
    let page = reqwest::get(runner.url()).await?.error_for_status()?.text().await?;
    assert!(page.contains("<title>Benchbook</title>"), "{page}");
    Ok(())
}
