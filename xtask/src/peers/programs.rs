//! Builds the programs of all harnesses, and measures with one of them in a child process.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use xtask::compile::{self, Target};

use super::figures::PeerFigures;
use super::harness::Harness;
use super::records::Repeat;
use super::{benchbook, criterion, divan, tango};

/// The workspace of the harnesses, below the root of the checkout.
pub(super) const WORKSPACE: &str = "tests/peers";

/// The packages of that workspace with an executable of the same name. All are built like suites, with aligned loops.
const PACKAGES: [&str; 5] = ["peer-benchbook", "peer-criterion", "peer-divan", "peer-suite", "peer-tango"];

/// The time of a reference in seconds.
const REFERENCE_SECONDS: u32 = 20;

/// The time of Benchbook's priority 4, for divan.
const DIVAN_LONG_SECONDS: f64 = 1.5;

/// The programs of the harnesses, and where and how they run.
#[derive(Debug)]
pub(crate) struct PeerPrograms {
    executables: compile::Executables,
    /// A folder for what the harnesses write.
    scratch: PathBuf,
    taskset: PathBuf,
    core: usize,
}

impl PeerPrograms {
    /// Builds all programs. `scratch`: a folder for what the harnesses write. `core`: the index of the core for each harness
    /// that measures on one core.
    pub(crate) fn build(root: &Path, scratch: PathBuf, core: usize) -> Result<Self> {
        let taskset = which::which("taskset").context(
            "`taskset` is missing. Install util-linux; on other systems than Linux, this benchmark cannot run.",
        )?;
        let mut executables = compile::Executables::new();
        for package in PACKAGES {
            executables.extend(compile::executables(&root.join(WORKSPACE), package, Target::Native)?);
        }
        Ok(Self { executables, scratch, taskset, core })
    }

    /// Measures a function, or a comparison, once. Returns its figures and the wall time of the process in seconds.
    pub(crate) fn measure(&self, function: &str, harness: Harness, repeat: Repeat) -> Result<(PeerFigures, f64)> {
        let is_reference = repeat == Repeat::Reference;
        let suite = self.program("peer-suite")?.to_string_lossy();
        let (program, arguments) = match harness {
            Harness::BenchbookThird => ("peer-benchbook", benchbook::point_arguments(&suite, function, "3")),
            Harness::BenchbookFourth => {
                let mode = if is_reference { "reference" } else { "4" };
                ("peer-benchbook", benchbook::point_arguments(&suite, function, mode))
            }
            Harness::BenchbookPercent => {
                ("peer-benchbook", benchbook::point_arguments(&suite, function, "one-percent"))
            }
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
        };
        let (stdout, wall_seconds) = self.run(program, &arguments, harness)?;
        let figures = match harness {
            Harness::BenchbookThird | Harness::BenchbookFourth | Harness::BenchbookPercent | Harness::BenchbookPair => {
                benchbook::parse(&stdout)
            }
            Harness::Criterion => criterion::read(&self.scratch, function),
            Harness::Divan | Harness::DivanLong => divan::parse(&stdout, function),
            Harness::Tango | Harness::TangoSensitive => tango::parse(&stdout),
        };
        Ok((figures?, wall_seconds))
    }

    fn program(&self, name: &str) -> Result<&Path> {
        self.executables
            .get(name)
            .map(PathBuf::as_path)
            .with_context(|| format!("{WORKSPACE} has no executable `{name}`"))
    }

    /// Runs a program and returns its output and its wall time in seconds. The scratch folder is empty at the start, because
    /// criterion would also compare with an earlier result.
    fn run(&self, name: &str, arguments: &[String], harness: Harness) -> Result<(String, f64)> {
        let program = self.program(name)?;
        if self.scratch.exists() {
            fs::remove_dir_all(&self.scratch).with_context(|| format!("deleting {}", self.scratch.display()))?;
        }
        fs::create_dir_all(&self.scratch).with_context(|| format!("creating {}", self.scratch.display()))?;
        // tango's two processes wait for each other in loops, so they need a core each.
        let is_tango = matches!(harness, Harness::Tango | Harness::TangoSensitive);
        let mut command = if is_tango { Command::new(program) } else { Command::new(&self.taskset) };
        if !is_tango {
            command.args(["--cpu-list", &self.core.to_string()]).arg(program);
        }
        command.args(arguments).env(criterion::FOLDER, &self.scratch);
        remove_package_variables(&mut command);
        let start = Instant::now();
        let output = command.output().with_context(|| format!("starting {command:?}"))?;
        let wall_seconds = start.elapsed().as_secs_f64();
        // tango's exit status reports a slower function.
        ensure!(
            is_tango || output.status.success(),
            "{command:?} failed. If the core does not exist, choose another one with --core.\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), wall_seconds))
    }
}

/// Removes cargo's variables, which describe this command's package. A harness would use them as its own.
pub(super) fn remove_package_variables(command: &mut Command) {
    for (variable, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_")) {
        command.env_remove(variable);
    }
}
