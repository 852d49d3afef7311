//! Builds the programs of all harnesses, and measures with one of them in a child process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::Target;
use benchbook_build::compile;
use xtask::workspace::Workspace;

use super::browser_programs::BrowserPrograms;
use super::environment::{WORKSPACE, remove_package_variables};
use super::figures::PeerFigures;
use super::harness::Harness;
use super::records::Repeat;
use super::{benchbook, criterion, divan, tango};

/// The packages of the harnesses' workspace with an executable of the same name. All are built like suites, with aligned loops.
const PACKAGES: [&str; 5] = ["peer-benchbook", "peer-criterion", "peer-divan", "peer-suite", "peer-tango"];

/// The file of the machine's history, in the folder of the results.
pub(super) const HISTORY: &str = "history.json";

/// The time of a reference in seconds.
const REFERENCE_SECONDS: u32 = 20;

/// The time of Benchbook's priority 4, for divan.
const DIVAN_LONG_SECONDS: f64 = 1.5;

/// The programs of the harnesses, and where and how they run.
#[derive(Debug)]
pub(crate) struct PeerPrograms {
    /// Those that measure natively.
    native: Option<NativePrograms>,
    /// Those that measure in Chromium.
    browser: Option<BrowserPrograms>,
    /// A folder for what the harnesses write.
    scratch: PathBuf,
}

#[derive(Debug)]
struct NativePrograms {
    executables: compile::Executables,
    taskset: PathBuf,
    core: usize,
    /// The file of the machine's history, for Benchbook's interval of another day.
    history: PathBuf,
}

impl PeerPrograms {
    /// Builds the programs for some targets. `folder`: that of the results. `core`: the index of the core for each harness that measures
    /// on one core.
    pub(crate) fn build(workspace: &Workspace, targets: &[Target], folder: &Path, core: usize) -> Result<Self> {
        let has = |target| targets.contains(&target);
        let history = folder.join(HISTORY);
        let native = has(Target::Native).then(|| NativePrograms::build(workspace.root(), core, history)).transpose()?;
        let browser = has(Target::Wasm).then(|| BrowserPrograms::build(workspace)).transpose()?;
        Ok(Self { native, browser, scratch: folder.join("scratch") })
    }

    /// Measures a function, or a comparison, once. Returns its figures and the wall time in seconds: of the process, or of the
    /// measurement if the process starts a browser.
    pub(crate) fn measure(&self, function: &str, harness: Harness, repeat: Repeat) -> Result<(PeerFigures, f64)> {
        let is_reference = repeat == Repeat::Reference;
        let command = if Harness::BROWSER.contains(&harness) {
            let programs =
                self.browser.as_ref().context("the programs for the browser were not built (this is a bug)")?;
            programs.command(function, harness, is_reference)?
        } else {
            let programs = self.native.as_ref().context("the native programs were not built (this is a bug)")?;
            programs.command(function, harness, is_reference)?
        };
        let (stdout, wall_seconds) = self.run(command, harness)?;
        let figures = match harness {
            Harness::BenchbookThird | Harness::BenchbookFourth | Harness::BenchbookPercent | Harness::BenchbookPair => {
                benchbook::parse(&stdout)
            }
            Harness::Criterion => criterion::read(&self.scratch, function),
            Harness::Divan | Harness::DivanLong => divan::parse(&stdout, function),
            Harness::BrowserTinybenchTime | Harness::BrowserMitataTime | Harness::Tinybench | Harness::Mitata => {
                benchbook::parse(&stdout)
            }
            Harness::Tango | Harness::TangoSensitive => tango::parse(&stdout),
        }?;
        let wall_seconds = figures.wall_seconds.unwrap_or(wall_seconds);
        Ok((figures, wall_seconds))
    }

    /// Runs a program and returns its output and its wall time in seconds. The scratch folder is empty at the start, because
    /// criterion would also compare with an earlier result.
    fn run(&self, mut command: Command, harness: Harness) -> Result<(String, f64)> {
        if self.scratch.exists() {
            fs::remove_dir_all(&self.scratch)
                .with_context(|| format!("failed to delete {}", self.scratch.display()))?;
        }
        fs::create_dir_all(&self.scratch).with_context(|| format!("failed to create {}", self.scratch.display()))?;
        command.env(criterion::FOLDER, &self.scratch);
        remove_package_variables(&mut command);
        let start = Instant::now();
        let output = command.output().with_context(|| format!("failed to start {command:?}"))?;
        let wall_seconds = start.elapsed().as_secs_f64();
        // tango's exit status reports a slower function.
        ensure!(
            is_tango(harness) || output.status.success(),
            "{command:?} failed. {}{}",
            if Harness::BROWSER.contains(&harness) {
                ""
            } else {
                "If the core does not exist, choose another one with --core.\n"
            },
            String::from_utf8_lossy(&output.stderr)
        );
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), wall_seconds))
    }
}

impl NativePrograms {
    fn build(root: &Path, core: usize, history: PathBuf) -> Result<Self> {
        let taskset = which::which("taskset").context(
            "`taskset` is missing. Install util-linux; on other systems than Linux, this benchmark cannot run.",
        )?;
        let mut executables = compile::Executables::new();
        for package in PACKAGES {
            executables.extend(compile::executables(&root.join(WORKSPACE), package, Target::Native, &[])?);
        }
        Ok(Self { executables, taskset, core, history })
    }

    /// The command that measures a function, or a comparison.
    fn command(&self, function: &str, harness: Harness, is_reference: bool) -> Result<Command> {
        let suite = self.program("peer-suite")?.to_string_lossy();
        let history = self.history.to_string_lossy();
        let benchbook_point = |mode| ("peer-benchbook", benchbook::point_arguments(&suite, function, mode, &history));
        let (program, arguments) = match harness {
            Harness::BenchbookThird => benchbook_point("3"),
            Harness::BenchbookFourth => benchbook_point(if is_reference { benchbook::REFERENCE } else { "4" }),
            Harness::BenchbookPercent => benchbook_point("one-percent"),
            Harness::Criterion => {
                ("peer-criterion", criterion::arguments(function, is_reference.then_some(REFERENCE_SECONDS)))
            }
            Harness::Divan => {
                ("peer-divan", divan::arguments(function, is_reference.then_some(f64::from(REFERENCE_SECONDS))))
            }
            Harness::DivanLong => ("peer-divan", divan::arguments(function, Some(DIVAN_LONG_SECONDS))),
            Harness::BenchbookPair => ("peer-benchbook", benchbook::pair_arguments(&suite, function)),
            Harness::Tango => ("peer-tango", tango::arguments(function, None)),
            Harness::TangoSensitive => ("peer-tango", tango::arguments(function, Some(tango::SENSITIVE_PER_CENT))),
            other => bail!("{} does not run natively", other.title()),
        };
        let program = self.program(program)?;
        let mut command = if is_tango(harness) { Command::new(program) } else { Command::new(&self.taskset) };
        if !is_tango(harness) {
            command.args(["--cpu-list", &self.core.to_string()]).arg(program);
        }
        command.args(arguments);
        Ok(command)
    }

    fn program(&self, name: &str) -> Result<&Path> {
        self.executables
            .get(name)
            .map(PathBuf::as_path)
            .with_context(|| format!("{WORKSPACE} has no executable `{name}`"))
    }
}

/// tango's two processes wait for each other in loops, so they need a core each.
fn is_tango(harness: Harness) -> bool {
    matches!(harness, Harness::Tango | Harness::TangoSensitive)
}
