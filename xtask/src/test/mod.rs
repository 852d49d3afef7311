//! Runs all tests, stage by stage.

mod early;
mod flaky;
mod report;
mod stage;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::env;
use std::thread;
use std::time::Instant;

use anyhow::Result;
use benchbook_build::WASM;
use benchbook_build::without_package_variables;
use cargo_metadata::TargetKind;
use xshell::{PushEnv, Shell, cmd};
use xtask::BROWSERS;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Emulator, Firefox, Need, OtherPlatform, WebKit};
use early::EarlyBuild;
use flaky::FlakyTests;
use report::Report;
use stage::{Stage, TestLane};

/// Run the tests, stage by stage, up to the first stage that fails
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test                  all deterministic tests
  cargo xtask test --quick          all but the stages `browser` and `outside`
  cargo xtask test --only suites    one stage, and the build that it needs
  cargo xtask test --nightly        the tests that take long or depend on a real clock: at most an hour

A test that fails runs once more, alone. If it passes then, it is listed as flaky at the end and in target/flaky.txt.")]
pub(crate) struct TestOptions {
    /// Skip the stages `browser` and `outside`
    #[arg(long)]
    quick: bool,
    /// Run only this stage; `suites`, `browser` and `outside` build the page first
    #[arg(long, value_name = "STAGE", conflicts_with = "quick")]
    only: Option<Stage>,
    /// Run the ignored tests instead, and the stage `browser` in every appearance of the page
    #[arg(long, conflicts_with = "quick")]
    nightly: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &TestOptions) -> Result<()> {
    let lane = if options.nightly { TestLane::Nightly } else { TestLane::Default };
    let stages = Stage::chosen(lane, options.quick, options.only);
    let tests = TestRun::prepare(workspace, lane, &stages)?;
    let mut report = Report::new(lane, stages);
    let mut result = Ok(());
    while let (Ok(()), Some(stage)) = (&result, report.next()) {
        println!("\n== {stage} ==");
        let start = Instant::now();
        result = tests.run(stage);
        report.add(start.elapsed(), result.is_ok());
        result = result.map_err(|error| {
            let nightly = if options.nightly { " --nightly" } else { "" };
            error.context(format!(
                "stage `{stage}` failed. Repeat only this stage with:\n  cargo xtask test{nightly} --only {stage}\n"
            ))
        });
    }
    println!("\n{}{report}", tests.flaky.borrow().report);
    result
}

/// The environment of the stages. Tools are installed at the start, so that a missing one is reported before minutes of tests.
struct TestRun<'w> {
    workspace: &'w Workspace,
    shell: Shell,
    lane: TestLane,
    stages: Vec<Stage>,
    /// Runs during the stages before the one that builds the page.
    early_page: RefCell<Option<EarlyBuild>>,
    page_is_built: Cell<bool>,
    firefox: Option<Firefox>,
    webkit: Option<WebKit>,
    other_platforms: Vec<OtherPlatform>,
    flaky: RefCell<FlakyTests>,
}

impl<'w> TestRun<'w> {
    fn prepare(workspace: &'w Workspace, lane: TestLane, stages: &[Stage]) -> Result<Self> {
        let needs: Vec<Need> = stages.iter().flat_map(|stage| stage.needs()).copied().collect();
        tools::ensure(workspace, &needs)?;
        let (firefox, webkit) =
            if stages.contains(&Stage::Outside) { (tools::firefox()?, tools::webkit()?) } else { (None, None) };
        let needs_compilers = |stage: &Stage| matches!(stage, Stage::Lints | Stage::Unit);
        let other_platforms = match lane == TestLane::Nightly && stages.iter().any(needs_compilers) {
            true => tools::other_platforms()?,
            false => Vec::new(),
        };
        let shell = if needs.contains(&Need::Page) {
            tools::environment(workspace)?.shell(workspace)?
        } else {
            workspace.shell()?
        };
        // The end-to-end tests find the page in this folder.
        shell.set_var("BENCHBOOK_DIST", workspace.dist());
        // A failed test reports its error with the context, which a backtrace of the asynchronous runtime would only hide.
        shell.set_var("RUST_LIB_BACKTRACE", "0");
        let early_page = if stages.contains(&Stage::Lints) && stages.contains(&Stage::Page) {
            Some(EarlyBuild::page(&shell)?)
        } else {
            None
        };
        Ok(Self {
            workspace,
            shell,
            lane,
            stages: stages.to_vec(),
            early_page: RefCell::new(early_page),
            page_is_built: Cell::new(false),
            firefox,
            webkit,
            other_platforms,
            flaky: RefCell::new(FlakyTests::new(workspace.target().join("flaky.txt"))),
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
            Stage::Outside => self.outside(),
        }
    }

    /// clippy for this machine, which also sees nearly all wasm code, and cargo-deny. Nightly: clippy for wasm, and `cargo check` of the tool and the
    /// runner for other platforms.
    fn lints(&self) -> Result<()> {
        let suites = self.workspace.suites()?;
        let packages: BTreeSet<&str> = suites.iter().flatten().map(|suite| suite.package.as_str()).collect();
        let packages = ["benchbook-app"].into_iter().chain(packages).flat_map(|package| ["--package", package]);
        let targets: Vec<&str> = match self.lane {
            TestLane::Default => vec!["--workspace", "--all-targets"],
            TestLane::Nightly => packages.chain(["--target", WASM]).collect(),
        };
        without_package_variables(cmd!(self.shell, "cargo clippy {targets...} -- -D warnings")).run()?;
        if self.lane == TestLane::Default {
            let deny = tools::cargo_deny()?.path;
            cmd!(self.shell, "{deny} --offline check bans licenses sources").run()?;
        }
        for OtherPlatform { target, .. } in &self.other_platforms {
            let packages = ["--package", "cargo-benchbook", "--package", "benchbook-server"];
            without_package_variables(cmd!(self.shell, "cargo check --target {target} {packages...}")).run()?;
        }
        Ok(())
    }

    fn docs(&self) -> Result<()> {
        let _flags = self.shell.push_env("RUSTDOCFLAGS", "-D warnings");
        // Examples need the dev-dependencies, as lints do: with the same features, dependencies are not checked once more.
        let targets = ["--lib", "--bins", "--examples"];
        Ok(without_package_variables(cmd!(self.shell, "cargo doc --no-deps --workspace {targets...}")).run()?)
    }

    fn unit(&self) -> Result<()> {
        let tests = &tests_of(self.workspace, Stage::Unit);
        self.test(tests, available_threads()?)?;
        match self.lane {
            TestLane::Default => self.test(&["--doc"], available_threads()?),
            // In documentation, `ignore` marks examples that cannot run.
            TestLane::Nightly => self.test_emulated(),
        }
    }

    /// Runs the tests of the crates in every suite on emulated processors.
    fn test_emulated(&self) -> Result<()> {
        for OtherPlatform { target, linker, emulator, .. } in &self.other_platforms {
            let Some(Emulator { program, libraries }) = emulator else { continue };
            let variable = |name| format!("CARGO_TARGET_{}_{name}", target.replace('-', "_").to_uppercase());
            let _linker = self.shell.push_env(variable("LINKER"), linker);
            let _runner = self.shell.push_env(variable("RUNNER"), format!("{program} -L {libraries}"));
            let packages = ["--package", "benchbook-contract", "--package", "benchbook-suite"];
            without_package_variables(cmd!(self.shell, "cargo test --target {target} {packages...}")).run()?;
        }
        Ok(())
    }

    /// Builds the page, once per run, and compiles the test programs of the later stages meanwhile.
    fn page(&self) -> Result<()> {
        if !self.page_is_built.get() {
            if let Some(early_page) = self.early_page.take() {
                early_page.wait()?;
            }
            let tests = EarlyBuild::tests(&self.shell, &self.end_to_end_tests())?;
            page::build(&self.shell)?;
            tests.wait()?;
            self.page_is_built.set(true);
        }
        Ok(())
    }

    fn suites(&self) -> Result<()> {
        self.page()?;
        let _schemathesis = tools::schemathesis()?.set_variable(&self.shell);
        self.test(&tests_of(self.workspace, Stage::Suites), available_threads()?)
    }

    /// The test programs of the stages from `suites` on. They are compiled together, because the largest one keeps only one core busy.
    fn end_to_end_tests(&self) -> Vec<&str> {
        let stages = [Stage::Suites, Stage::Browser, Stage::Outside];
        let of_run = stages.into_iter().filter(|stage| self.stages.contains(stage));
        of_run.flat_map(|stage| tests_of(self.workspace, stage)).collect()
    }

    fn browser(&self) -> Result<()> {
        self.page()?;
        let _chromium = self.chromium()?;
        let _appearances =
            (self.lane == TestLane::Nightly).then(|| self.shell.push_env("BENCHBOOK_ALL_APPEARANCES", "1"));
        self.test(&tests_of(self.workspace, Stage::Browser), BROWSERS as usize)
    }

    fn outside(&self) -> Result<()> {
        self.page()?;
        let _chromium = self.chromium()?;
        let _firefox = self.firefox.as_ref().map(|firefox| firefox.set_variables(&self.shell));
        let _webkit = self.webkit.as_ref().map(|webkit| webkit.set_variables(&self.shell));
        self.test(&tests_of(self.workspace, Stage::Outside), available_threads()?)
    }

    /// Names Chromium, its driver and axe to the tests, until the result is dropped.
    fn chromium(&self) -> Result<Vec<PushEnv<'_>>> {
        let chromium = tools::chromium()?.set_variables(&self.shell);
        let headless_shell = tools::headless_shell()?.map(|program| self.shell.push_env("HEADLESS_SHELL", program));
        Ok(chromium.into_iter().chain(headless_shell).chain([tools::axe()?.set_variable(&self.shell)]).collect())
    }

    /// Runs the tests of these targets that are in the lane. `threads`: how many tests of a program run at the same time, unless the user chooses
    /// another number.
    fn test(&self, targets: &[&str], threads: usize) -> Result<()> {
        let threads = env::var(THREADS).unwrap_or_else(|_| threads.to_string());
        let cargo = || {
            let cargo = cmd!(self.shell, "cargo test --workspace --no-fail-fast {targets...}");
            without_package_variables(cargo).env(THREADS, &threads).into()
        };
        let is_browser = targets.contains(&"chromium");
        let harness: &[&str] = match self.lane {
            TestLane::Default => &[],
            // In every appearance, so all of them.
            TestLane::Nightly if is_browser => &["--include-ignored"],
            TestLane::Nightly => &["--ignored"],
        };
        self.flaky.borrow_mut().run(cargo, harness)
    }
}

/// The variable with which the test harness chooses the number of tests at the same time.
const THREADS: &str = "RUST_TEST_THREADS";

fn available_threads() -> Result<usize> {
    Ok(thread::available_parallelism()?.get())
}

/// The package of the end-to-end tests.
const END_TO_END: &str = "benchbook-tests";

/// The arguments that select the test programs of a stage. Unit tests are those of libraries, and of binaries whose manifest does not exclude them:
/// `--bins` alone would select all.
///
/// All stages select them from the whole workspace. Selecting a package instead would build the dependencies again, with
/// only the features that this package needs.
fn tests_of(workspace: &Workspace, stage: Stage) -> Vec<&str> {
    let mut arguments = if stage == Stage::Unit { vec!["--lib"] } else { Vec::new() };
    for package in workspace.packages() {
        for target in &package.targets {
            let (option, of_target) = match target {
                target if target.is_kind(TargetKind::Bin) && target.test => ("--bin", Stage::Unit),
                target if !target.is_kind(TargetKind::Test) => continue,
                target if package.name.as_str() == END_TO_END => ("--test", Stage::of_end_to_end(&target.name)),
                _ => ("--test", Stage::Unit),
            };
            if of_target == stage {
                arguments.extend([option, target.name.as_str()]);
            }
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--test` selects all tests with a name. A misspelt name in `Stage::of_end_to_end` would move a program to another stage.
    #[test]
    fn names_of_tests_are_unique_and_each_stage_has_its_tests() {
        let workspace = Workspace::find().unwrap();
        let tests = |stage| tests_of(&workspace, stage);
        assert_eq!(tests(Stage::Browser), ["--test", "chromium"]);
        assert_eq!(tests(Stage::Outside), ["--test", "outside"]);
        let mut names: Vec<&str> = [Stage::Unit, Stage::Suites].into_iter().flat_map(tests).collect();
        names.retain(|argument| !argument.starts_with("--"));
        assert!(["host", "runner", "xtask"].iter().all(|test| names.contains(test)), "{names:?}");
        assert!(!names.contains(&"bench-page"), "it has no tests");
        assert!(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "{names:?}");
    }
}
