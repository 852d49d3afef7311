//! Runs all tests, stage by stage.

mod durations;
mod early_build;
mod early_fixtures;
mod report;
mod stage;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use benchbook_build::WASM;
use benchbook_build::without_package_variables;
use cargo_metadata::TargetKind;
use xshell::{Cmd, Shell, cmd};
use xtask::BROWSERS;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};
use durations::Durations;
use early_build::EarlyBuild;
use early_fixtures::EarlyFixtures;
use report::Report;
use stage::Stage;

/// Run the tests, stage by stage, up to the first stage that fails
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test                  all stages except install
  cargo xtask test --quick          all but the stage `browser`
  cargo xtask test --only suites    one stage, and the build that it requires
  cargo xtask test --only install   the page in Firefox and WebKit, installed programs, and crates outside the workspace")]
pub(crate) struct TestOptions {
    /// Skip the stage `browser`
    #[arg(long)]
    quick: bool,
    /// Run only this stage; `suites`, `browser` and `install` build the page first
    #[arg(long, value_name = "STAGE", conflicts_with = "quick")]
    only: Option<Stage>,
}

pub(crate) fn run(workspace: &Workspace, options: &TestOptions) -> Result<()> {
    let stages = Stage::chosen(options.quick, options.only);
    let tests = TestRun::prepare(workspace, &stages)?;
    let mut report = Report::new(stages);
    while let Some(stage) = report.next() {
        println!("\n== {stage} ==");
        let start = Instant::now();
        let result = tests.run(stage);
        report.add(start.elapsed(), result.is_ok());
        if let Err(error) = result {
            println!("{}\n{report}", tests.durations.borrow());
            return Err(error.context(format!(
                "stage `{stage}` failed. Repeat only this stage with:\n  cargo xtask test --only {stage}\n"
            )));
        }
    }
    println!("{}\n{report}", tests.durations.borrow());
    Ok(())
}

/// The environment of the stages. Tools are installed at the start, so that a missing one is reported before minutes of tests.
struct TestRun<'w> {
    workspace: &'w Workspace,
    shell: Shell,
    stages: Vec<Stage>,
    /// Runs during the stages before the one that builds the page.
    early_page: RefCell<Option<EarlyBuild>>,
    page_is_built: Cell<bool>,
    /// Runs from the first unit test until the page is built.
    early_fixtures: RefCell<Option<EarlyFixtures>>,
    durations: RefCell<Durations>,
}

impl<'w> TestRun<'w> {
    fn prepare(workspace: &'w Workspace, stages: &[Stage]) -> Result<Self> {
        let needs: Vec<Need> = stages.iter().flat_map(|stage| stage.needs()).copied().collect();
        tools::ensure(workspace, &needs)?;
        let shell = if needs.contains(&Need::Page) {
            tools::environment(workspace)?.shell(workspace)?
        } else {
            workspace.shell()?
        };
        // The end-to-end tests find the page in this folder.
        shell.set_var("BENCHBOOK_DIST", workspace.dist());
        // A failed test reports its error with the context, which a backtrace of the asynchronous runtime would only hide.
        shell.set_var("RUST_LIB_BACKTRACE", "0");
        let durations = RefCell::new(Durations::default());
        let early_page = if stages.contains(&Stage::Lints) && stages.contains(&Stage::Page) {
            Some(EarlyBuild::page(&shell)?)
        } else {
            None
        };
        let stages = stages.to_vec();
        Ok(Self {
            workspace,
            shell,
            stages,
            early_page: RefCell::new(early_page),
            page_is_built: Cell::new(false),
            early_fixtures: RefCell::new(None),
            durations,
        })
    }

    fn run(&self, stage: Stage) -> Result<()> {
        match stage {
            Stage::Format => Ok(cmd!(self.shell, "cargo fmt --all --check").run()?),
            Stage::Lints => self.lints(),
            Stage::Docs => self.docs(),
            Stage::Unit => self.unit(),
            Stage::Page => self.page(),
            Stage::Suites => self.suites(),
            Stage::Browser => self.browser(),
            Stage::Install => self.install(),
        }
    }

    fn lints(&self) -> Result<()> {
        without_package_variables(cmd!(self.shell, "cargo clippy --workspace --all-targets -- -D warnings")).run()?;
        let suites = self.workspace.suites()?;
        let packages = ["benchbook-app"].into_iter().chain(suites.iter().flatten().map(|suite| suite.package.as_str()));
        let packages: BTreeSet<&str> = packages.collect();
        let packages: Vec<&str> = packages.into_iter().flat_map(|package| ["--package", package]).collect();
        Ok(without_package_variables(cmd!(self.shell, "cargo clippy {packages...} --target {WASM} -- -D warnings"))
            .run()?)
    }

    fn docs(&self) -> Result<()> {
        let _flags = self.shell.push_env("RUSTDOCFLAGS", "-D warnings");
        // Examples need the dev-dependencies, as lints do: with the same features, dependencies are not checked once more.
        let targets = ["--lib", "--bins", "--examples"];
        Ok(without_package_variables(cmd!(self.shell, "cargo doc --no-deps --workspace {targets...}")).run()?)
    }

    fn unit(&self) -> Result<()> {
        let tests = &tests_of(self.workspace, Stage::Unit)?;
        without_package_variables(cmd!(self.shell, "cargo test --workspace --no-run --lib --bins {tests...}")).run()?;
        if self.stages.contains(&Stage::Suites) {
            self.early_fixtures.replace(Some(EarlyFixtures::start(self.workspace)));
        }
        self.test(cmd!(self.shell, "cargo test --workspace --no-fail-fast --lib --bins {tests...}"))?;
        self.test(cmd!(self.shell, "cargo test --workspace --doc"))
    }

    /// Builds the page, once per run, and compiles the test programs of the later stages meanwhile.
    fn page(&self) -> Result<()> {
        if !self.page_is_built.get() {
            if let Some(early_page) = self.early_page.take() {
                early_page.wait()?;
            }
            let tests = EarlyBuild::tests(&self.shell, &self.end_to_end_tests()?)?;
            page::build(&self.shell)?;
            tests.wait()?;
            if let Some(fixtures) = self.early_fixtures.take() {
                fixtures.wait();
            }
            self.page_is_built.set(true);
        }
        Ok(())
    }

    fn suites(&self) -> Result<()> {
        self.page()?;
        let _schemathesis = tools::schemathesis()?.set_variable(&self.shell);
        let all = self.end_to_end_tests()?;
        without_package_variables(cmd!(self.shell, "cargo test --workspace --no-run {all...}")).run()?;
        let tests = tests_of(self.workspace, Stage::Suites)?;
        self.test(cmd!(self.shell, "cargo test --workspace --no-fail-fast {tests...}"))
    }

    /// The test programs of the stages from `suites` on. They are compiled together, because the largest one keeps only one core busy.
    fn end_to_end_tests(&self) -> Result<Vec<&str>> {
        let stages = [Stage::Suites, Stage::Browser, Stage::Install];
        let of_run = stages.into_iter().filter(|stage| self.stages.contains(stage));
        let tests: Result<Vec<_>> = of_run.map(|stage| tests_of(self.workspace, stage)).collect();
        Ok(tests?.concat())
    }

    fn browser(&self) -> Result<()> {
        self.page()?;
        let chromium = tools::chromium()?;
        let _chromium = chromium.set_variables(&self.shell);
        let headless_shell = tools::headless_shell()?;
        let _headless_shell = headless_shell.map(|program| self.shell.push_env("HEADLESS_SHELL", program));
        let _axe = tools::axe()?.set_variable(&self.shell);
        let tests = tests_of(self.workspace, Stage::Browser)?;
        let threads = test_threads(BROWSERS as usize)?;
        self.test_with(threads, cmd!(self.shell, "cargo test --workspace --no-fail-fast {tests...}"))
    }

    fn install(&self) -> Result<()> {
        let (firefox, webkit) = (tools::firefox()?, tools::webkit()?);
        self.page()?;
        let chromium = tools::chromium()?;
        let _chromium = chromium.set_variables(&self.shell);
        let _axe = tools::axe()?.set_variable(&self.shell);
        let _firefox = firefox.as_ref().map(|firefox| firefox.set_variables(&self.shell));
        let _webkit = webkit.as_ref().map(|webkit| webkit.set_variables(&self.shell));
        let tests = tests_of(self.workspace, Stage::Install)?;
        // Without capture, so that a skipped test prints the reason.
        self.test(cmd!(self.shell, "cargo test --workspace --no-fail-fast {tests...} -- --nocapture"))
    }

    /// Runs `cargo test …`, prints its output, and records the durations of the tests.
    fn test(&self, cargo: Cmd<'_>) -> Result<()> {
        self.test_with(test_threads(thread::available_parallelism()?.get())?, cargo)
    }

    /// As `test`, with this number of tests of a program at the same time.
    fn test_with(&self, threads: usize, cargo: Cmd<'_>) -> Result<()> {
        let cargo = without_package_variables(cargo).env(THREADS, threads.to_string());
        let line = cargo.to_string();
        eprintln!("$ {line}");
        self.durations.borrow_mut().set_threads(threads);
        let mut cargo: Command = cargo.into();
        let start = Instant::now();
        let mut child = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("starting cargo")?;
        let output = child.stdout.take().context("cargo's standard output is piped")?;
        for line in BufReader::new(output).split(b'\n') {
            let line = line.context("reading the output of the tests")?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            self.durations.borrow_mut().add_line(start.elapsed(), &line);
        }
        let status = child.wait().context("waiting for cargo")?;
        ensure!(status.success(), "`{line}` failed with {status}");
        Ok(())
    }
}

/// The variable with which the test harness chooses the number of tests at the same time.
const THREADS: &str = "RUST_TEST_THREADS";

/// The number of tests at the same time: the user's choice, or else `ours`. It is always set, since the durations are computed with it.
fn test_threads(ours: usize) -> Result<usize> {
    match env::var(THREADS) {
        Ok(threads) => threads.parse().with_context(|| format!("{THREADS} is {threads:?}, which is not a number")),
        Err(_) => Ok(ours),
    }
}

/// The package of the end-to-end tests.
const END_TO_END: &str = "benchbook-tests";

/// The modules that a test imports if it drives Chromium or another browser, installs our packages, or compiles our library
/// again for a crate outside the workspace.
const CHROMIUM_MODULE: &str = "benchbook_tests::browser";
const OTHER_BROWSERS_MODULE: &str = "benchbook_tests::other_browsers";
const PACKAGES_MODULE: &str = "benchbook_tests::packages";
const CHECKED_CRATE_MODULE: &str = "benchbook_tests::checked_crate";
const OWN_CRATE_MODULE: &str = "benchbook_tests::own_crate";

/// The arguments that select the integration tests of a stage.
///
/// All stages select them from the whole workspace. Selecting a package instead would build the dependencies again, with
/// only the features that this package needs.
fn tests_of(workspace: &Workspace, stage: Stage) -> Result<Vec<&str>> {
    let mut arguments = Vec::new();
    for package in workspace.packages() {
        for target in package.targets.iter().filter(|target| target.is_kind(TargetKind::Test)) {
            let of_target = if package.name.as_str() == END_TO_END {
                stage_of(&source_of(target.src_path.as_std_path())?)
            } else {
                Stage::Unit
            };
            if of_target == stage {
                arguments.extend(["--test", target.name.as_str()]);
            }
        }
    }
    Ok(arguments)
}

/// The source of a test program: its file, or all files in the folder of its `main.rs`.
fn source_of(path: &Path) -> Result<String> {
    let context = || format!("reading {}", path.display());
    let folder = path.parent().filter(|_| path.ends_with("main.rs"));
    let Some(folder) = folder else { return fs::read_to_string(path).with_context(context) };
    let files: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .with_context(context)?;
    let sources = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    sources.map(fs::read_to_string).collect::<io::Result<String>>().with_context(context)
}

fn stage_of(source: &str) -> Stage {
    let imports = |module| source.contains(module);
    if [OTHER_BROWSERS_MODULE, PACKAGES_MODULE, CHECKED_CRATE_MODULE, OWN_CRATE_MODULE].into_iter().any(imports) {
        Stage::Install
    } else if imports(CHROMIUM_MODULE) {
        Stage::Browser
    } else {
        Stage::Suites
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_to_end_test_has_one_stage() {
        let workspace = Workspace::find().unwrap();
        let [suites, browser, install] =
            [Stage::Suites, Stage::Browser, Stage::Install].map(|stage| tests_of(&workspace, stage).unwrap());
        for test in ["guarded", "ladder", "runner", "self_test", "suites"] {
            assert!(suites.contains(&test) && !browser.contains(&test) && !install.contains(&test), "{test}");
        }
        assert_eq!(browser, ["--test", "chromium"]);
        let expected = [
            "checks",
            "command_line",
            "criterion_results",
            "other_browsers",
            "outside",
            "published",
            "served_crate",
            "ten_commits",
        ];
        assert_eq!(install, expected.map(|test| ["--test", test]).as_flattened());
    }

    /// `--test` selects all tests with a name.
    #[test]
    fn names_of_tests_are_unique_and_each_test_has_a_stage() {
        let workspace = Workspace::find().unwrap();
        let stages = [Stage::Unit, Stage::Suites, Stage::Browser, Stage::Install];
        let mut names: Vec<&str> = stages.into_iter().flat_map(|stage| tests_of(&workspace, stage).unwrap()).collect();
        names.retain(|argument| *argument != "--test");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.contains(&"analysis") && names.contains(&"structure"), "{names:?}");
    }
}
