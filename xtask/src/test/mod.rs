//! Every test, stage by stage.

mod report;

use std::cell::Cell;
use std::time::Instant;
use std::{fmt, fs};

use anyhow::{Context, Result};
use cargo_metadata::TargetKind;
use clap::ValueEnum;
use xshell::{Shell, cmd};
use xtask::compile::WASM;
use xtask::workspace::{Workspace, as_if_by_hand};

use crate::page;
use crate::tools::{self, Need};
use report::Report;

/// Run every test, stage by stage, up to the first stage that fails
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test                 everything; this is what continuous integration runs
  cargo xtask test --quick         without the browser
  cargo xtask test --only suites   one stage, and what it builds on")]
pub(crate) struct Options {
    /// Leave out the stage `browser`, and nothing else
    #[arg(long)]
    quick: bool,
    /// Run this stage alone; `suites` and `browser` build the page first
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
    /// The page and the suites, as they are shipped, are built
    Page,
    /// End to end: both faces of suites, shipped and misbehaving ones, what README says, what a visitor downloads
    Suites,
    /// End to end: the page, in Chromium
    Browser,
}

impl Stage {
    fn needs(self) -> &'static [Need] {
        match self {
            Self::Format => &[Need::Format],
            Self::Lints => &[Need::Lints],
            Self::Docs | Self::Unit => &[],
            Self::Page | Self::Suites => &[Need::Page],
            Self::Browser => &[Need::Page, Need::Browser, Need::Accessibility],
        }
    }
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let stages = chosen(options);
    let tests = Tests::prepare(workspace, &stages)?;
    let mut report = Report::new(stages);
    while let Some(stage) = report.next() {
        println!("\n== {stage} ==");
        let start = Instant::now();
        let result = tests.run(stage);
        report.add(start.elapsed(), result.is_ok());
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
    page_is_built: Cell<bool>,
}

impl<'w> Tests<'w> {
    fn prepare(workspace: &'w Workspace, stages: &[Stage]) -> Result<Self> {
        let needs: Vec<Need> = stages.iter().flat_map(|stage| stage.needs()).copied().collect();
        tools::ensure(workspace, &needs)?;
        let shell = if needs.contains(&Need::Page) {
            tools::environment(workspace)?.shell(workspace)?
        } else {
            workspace.shell()?
        };
        // Where the end-to-end tests find the page.
        shell.set_var("BENCHBOOK_DIST", workspace.dist());
        Ok(Self { workspace, shell, page_is_built: Cell::new(false) })
    }

    fn run(&self, stage: Stage) -> Result<()> {
        match stage {
            Stage::Format => Ok(cmd!(self.shell, "cargo fmt --all --check").run()?),
            Stage::Lints => self.lints(),
            Stage::Docs => self.docs(),
            Stage::Unit => self.unit(),
            Stage::Page => {
                self.page()?;
                page::print_sizes(self.workspace)
            }
            Stage::Suites => self.suites(),
            Stage::Browser => self.browser(),
        }
    }

    fn lints(&self) -> Result<()> {
        as_if_by_hand(cmd!(self.shell, "cargo clippy --workspace --all-targets -- -D warnings")).run()?;
        // Apart from each other, since together they would share the page's features of `benchbook`.
        let mut packages = vec!["benchbook-app"];
        let suites = self.workspace.suites();
        packages.extend(suites.iter().map(|suite| suite.name.as_str()));
        for package in packages {
            as_if_by_hand(cmd!(self.shell, "cargo clippy --package {package} --target {WASM} -- -D warnings")).run()?;
        }
        Ok(())
    }

    fn docs(&self) -> Result<()> {
        let _flags = self.shell.push_env("RUSTDOCFLAGS", "-D warnings");
        Ok(as_if_by_hand(cmd!(self.shell, "cargo doc --no-deps --workspace")).run()?)
    }

    fn unit(&self) -> Result<()> {
        let shell = &self.shell;
        Ok(as_if_by_hand(cmd!(shell, "cargo test --workspace --exclude benchbook-tests")).run()?)
    }

    /// Once a run: what later stages test is what the sources say now.
    fn page(&self) -> Result<()> {
        if !self.page_is_built.get() {
            page::build(&self.shell)?;
            self.page_is_built.set(true);
        }
        Ok(())
    }

    fn suites(&self) -> Result<()> {
        self.page()?;
        let targets = end_to_end(self.workspace, false)?;
        Ok(as_if_by_hand(cmd!(self.shell, "cargo test --package {END_TO_END} --lib --bins {targets...}")).run()?)
    }

    fn browser(&self) -> Result<()> {
        self.page()?;
        let browser = tools::browser()?;
        let _browser = browser.variables(&self.shell);
        let _axe = tools::axe()?.variable(&self.shell);
        let targets = end_to_end(self.workspace, true)?;
        Ok(as_if_by_hand(cmd!(self.shell, "cargo test --package {END_TO_END} {targets...}")).run()?)
    }
}

/// The package of the end-to-end tests.
const END_TO_END: &str = "benchbook-tests";

/// What a test names that drives a browser.
const DRIVES: &str = "benchbook_tests::browser";

/// The arguments that name the end-to-end tests which drive a browser, or all others.
fn end_to_end(workspace: &Workspace, in_browser: bool) -> Result<Vec<&str>> {
    let mut arguments = Vec::new();
    for target in workspace.package(END_TO_END)?.targets.iter().filter(|target| target.is_kind(TargetKind::Test)) {
        let source = fs::read_to_string(&target.src_path).with_context(|| format!("reading {}", target.src_path))?;
        if source.contains(DRIVES) == in_browser {
            arguments.extend(["--test", target.name.as_str()]);
        }
    }
    Ok(arguments)
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
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
        assert_eq!(names(false, None), "format lints docs unit page suites browser");
        assert_eq!(names(true, None), "format lints docs unit page suites");
        assert_eq!(names(false, Some(Stage::Browser)), "browser");
    }

    #[test]
    fn what_drives_a_browser_has_a_stage_of_its_own() {
        let workspace = Workspace::find().unwrap();
        let (suites, browser) = (end_to_end(&workspace, false).unwrap(), end_to_end(&workspace, true).unwrap());
        for test in ["contract", "demo", "ladder", "library", "misbehaving", "readme", "scratch", "shipped", "weight"] {
            assert!(suites.contains(&test) && !browser.contains(&test), "{test}");
        }
        for test in ["accessibility", "browser", "isolation"] {
            assert!(browser.contains(&test) && !suites.contains(&test), "{test}");
        }
    }
}
