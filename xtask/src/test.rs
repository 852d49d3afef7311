//! Every test, stage by stage.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::page;
use crate::tools::browser::Browser;
use crate::tools::{self, WASM};
use crate::workspace::Workspace;

/// Run every test, stage by stage, up to the first stage that fails
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test               everything; this is what continuous integration runs
  cargo xtask test --quick       without the browser
  cargo xtask test --only docs   one stage")]
pub(crate) struct Options {
    /// Leave out the stage that needs a browser
    #[arg(long)]
    quick: bool,
    /// Run this stage alone
    #[arg(long, value_name = "STAGE", conflicts_with = "quick")]
    only: Option<Stage>,
}

/// In the order in which they run: what fails most often and soonest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// rustfmt
    Format,
    /// clippy, for this machine and for the browser
    Lints,
    /// rustdoc
    Docs,
    /// Unit, property and compile-fail tests
    Unit,
    /// The page and the suites, as they are shipped
    Page,
    /// End to end: what was built, in Chromium
    Browser,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let stages = chosen(options);
    let tests = Tests::prepare(workspace, &stages)?;
    let mut report = Report { stages, results: Vec::new() };
    while let Some(stage) = report.next() {
        println!("\n== {stage} ==");
        let start = Instant::now();
        let result = tests.run(stage);
        report.results.push((start.elapsed(), result.is_ok()));
        if let Err(error) = result {
            println!("\n{report}");
            return Err(error.context(format!(
                "stage `{stage}` failed. When it is mended, this repeats just it:\n  cargo xtask test --only {stage}\n"
            )));
        }
    }
    println!("\n{report}");
    Ok(())
}

fn chosen(options: &Options) -> Vec<Stage> {
    let wanted = |stage: &Stage| match options.only {
        Some(only) => *stage == only,
        None => !(options.quick && *stage == Stage::Browser),
    };
    Stage::value_variants().iter().copied().filter(wanted).collect()
}

/// The stages' surroundings. Tools are got at the start: what is missing is told before minutes of tests.
struct Tests<'w> {
    workspace: &'w Workspace,
    shell: Shell,
    browser: Option<Browser>,
}

impl<'w> Tests<'w> {
    fn prepare(workspace: &'w Workspace, stages: &[Stage]) -> Result<Self> {
        let shell = if stages.contains(&Stage::Page) {
            tools::for_page(workspace)?.shell(workspace)?
        } else {
            workspace.shell()?
        };
        if stages.contains(&Stage::Lints) {
            tools::for_wasm()?;
        }
        let browser = stages.contains(&Stage::Browser).then(Browser::get).transpose()?;
        Ok(Self { workspace, shell, browser })
    }

    fn run(&self, stage: Stage) -> Result<()> {
        match stage {
            Stage::Format => Ok(cmd!(self.shell, "cargo fmt --all --check").run()?),
            Stage::Lints => self.lints(),
            Stage::Docs => self.docs(),
            Stage::Unit => self.unit(),
            Stage::Page => page::build(self.workspace, &self.shell),
            Stage::Browser => self.browser(),
        }
    }

    fn lints(&self) -> Result<()> {
        cmd!(self.shell, "cargo clippy --workspace --all-targets -- -D warnings").run()?;
        // Apart from each other, since together they would share the page's features of `benchbook`.
        let mut packages = vec!["benchbook-app"];
        let suites = self.workspace.suites();
        packages.extend(suites.iter().map(|suite| suite.name.as_str()));
        for package in packages {
            cmd!(self.shell, "cargo clippy --package {package} --target {WASM} -- -D warnings").run()?;
        }
        Ok(())
    }

    fn docs(&self) -> Result<()> {
        let _flags = self.shell.push_env("RUSTDOCFLAGS", "-D warnings");
        Ok(cmd!(self.shell, "cargo doc --no-deps --workspace").run()?)
    }

    fn unit(&self) -> Result<()> {
        let shell = &self.shell;
        Ok(cmd!(shell, "cargo test --workspace --exclude benchbook-tests --features benchbook/host").run()?)
    }

    fn browser(&self) -> Result<()> {
        let dist = self.workspace.dist();
        ensure!(dist.join("index.html").is_file(), "there is no page to test: `cargo xtask build` makes it");
        let browser = self.browser.as_ref().context("the browser was got for this stage")?;
        let _variables = browser.variables(&self.shell, &dist);
        Ok(cmd!(self.shell, "cargo test --package benchbook-tests").run()?)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

/// What became of the stages so far: how long each took, and whether it passed.
struct Report {
    stages: Vec<Stage>,
    results: Vec<(Duration, bool)>,
}

impl Report {
    fn next(&self) -> Option<Stage> {
        self.stages.get(self.results.len()).copied()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages.iter().enumerate() {
            match self.results.get(index) {
                Some((took, true)) => writeln!(f, "{stage:<8} passed {:>8.1} s", took.as_secs_f64())?,
                Some((took, false)) => writeln!(f, "{stage:<8} FAILED {:>8.1} s", took.as_secs_f64())?,
                None => writeln!(f, "{stage:<8} not run")?,
            }
        }
        let seconds: f64 = self.results.iter().map(|(took, _)| took.as_secs_f64()).sum();
        let passed = self.results.iter().filter(|(_, passed)| *passed).count();
        write!(f, "{passed} of {} stages passed in {seconds:.1} s", self.stages.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(quick: bool, only: Option<Stage>) -> String {
        chosen(&Options { quick, only }).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn stages_are_chosen() {
        assert_eq!(names(false, None), "format lints docs unit page browser");
        assert_eq!(names(true, None), "format lints docs unit page");
        assert_eq!(names(false, Some(Stage::Browser)), "browser");
    }

    #[test]
    fn the_report_tells_every_stage() {
        let second = Duration::from_secs(1);
        let stages = vec![Stage::Format, Stage::Lints, Stage::Docs];
        let report = Report { stages, results: vec![(second, true), (second * 2, false)] };
        assert_eq!(report.next(), Some(Stage::Docs));
        let lines = report.to_string();
        assert_eq!(
            lines.lines().collect::<Vec<_>>(),
            [
                "format   passed      1.0 s",
                "lints    FAILED      2.0 s",
                "docs     not run",
                "1 of 3 stages passed in 3.0 s",
            ]
        );
    }
}
