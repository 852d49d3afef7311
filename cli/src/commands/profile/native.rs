//! Runs an installed profiler around native calls of a function.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::environment::{HOST_VARIABLE, SCRATCH_VARIABLE};
use benchbook_contract::protocol::{Collect, HostMessage, LaneTarget, PROTOCOL};
use benchbook_host::child::{ALLOCATOR_SETTINGS, NativeSuite, PackageEnvironment};
use benchbook_host::request::{Plan, Request};
use benchbook_profile::NativeInstructions;

use super::ProfileOptions;
use crate::project::Project;
use crate::project::native_functions::NativeFunctions;
use crate::project::selection::{named, target_of};
use benchbook_assembly::names::timed_loop_pattern;

/// A profiler that somebody else makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Profiler {
    /// A sampling profiler, whose results Firefox Profiler shows
    Samply,
    /// The sampling profiler of Linux
    Perf,
    /// Counts native instructions exactly, about 50 times as slowly
    Callgrind,
}

impl Profiler {
    fn program(self) -> &'static str {
        match self {
            Self::Samply => "samply",
            Self::Perf => "perf",
            Self::Callgrind => "valgrind",
        }
    }

    fn installation(self) -> &'static str {
        match self {
            Self::Samply => "`cargo install --locked samply`",
            Self::Perf => "the package of your distribution, on Debian `sudo apt-get install linux-perf`",
            Self::Callgrind => "the package of your distribution, on Debian `sudo apt-get install valgrind`",
        }
    }

    /// The file that it writes.
    fn file(self) -> &'static str {
        match self {
            Self::Samply => "profile.json.gz",
            Self::Perf => "perf.data",
            Self::Callgrind => "callgrind.out",
        }
    }

    /// Its arguments before the program. `timed_loop`: a pattern for the symbol of the loop around the calls; without one, callgrind counts the whole process.
    fn arguments(self, file: &Path, timed_loop: Option<&str>) -> Vec<String> {
        let file = file.display();
        match self {
            Self::Samply => ["record", "--save-only", "-o", &file.to_string(), "--"].map(str::to_owned).to_vec(),
            Self::Perf => ["record", "--call-graph", "fp", "-o", &file.to_string(), "--"].map(str::to_owned).to_vec(),
            Self::Callgrind => ["--tool=callgrind".to_owned(), format!("--callgrind-out-file={file}")]
                .into_iter()
                .chain(timed_loop.map(|pattern| format!("--toggle-collect={pattern}")))
                .collect(),
        }
    }

    /// The command that shows the file.
    fn viewer(self, file: &Path) -> String {
        let file = file.display();
        match self {
            Self::Samply => format!("samply load {file}"),
            Self::Perf => format!("perf report -i {file}"),
            Self::Callgrind => format!("callgrind_annotate {file}"),
        }
    }
}

/// Builds the suite with line information and frame pointers, and runs the profiler around calls of the function at one point.
///
/// # Errors
/// If the profiler is not installed or fails, or if the suite does not compile.
pub(super) fn run(profiler: Profiler, options: &ProfileOptions, project: &Project) -> Result<()> {
    ensure_installed(profiler)?;
    let mut project = project.clone();
    (project.build.has_line_numbers, project.build.has_frame_pointers) = (true, true);
    let suites = project.open()?;
    let selected = named(&suites, &options.function)?;
    let target = target_of(&suites, selected.suite).context("the function has no suite (this is a bug)")?;
    let generator = selected.generator(options.generator.as_deref())?;
    let plan = options.plan(&selected, None)?;
    // The largest value of the axis, as the suite's own option has it.
    let values = plan.axis_values(1);
    let x = values.last().context("the axis has no values (this is a bug)")?;
    let program = selected.suite.program().path();
    let file = project.output.join(profiler.file());
    fs::create_dir_all(&project.output).with_context(|| format!("failed to create {}", project.output.display()))?;
    let mut command = Command::new(profiler.program());
    let timed_loop = timed_loop(selected.suite, &selected.function.path, &generator.path);
    if profiler == Profiler::Callgrind && timed_loop.is_none() {
        anstream::eprintln!("note: the loop around the calls has no symbol, so callgrind counts the whole process");
    }
    command.args(profiler.arguments(&file, timed_loop.as_deref()));
    command.arg(program).arg("--profile-time").arg(format!("{}ms", options.time.as_millis()));
    command.arg(&selected.function.path).args(["--generator", &generator.path]);
    command.args(plan.arguments_at(x).iter().map(|(name, value)| format!("{name}={value}")));
    in_environment(&mut command, &project.environment_of(target));
    let status = command.status().with_context(|| format!("failed to start {}", profiler.program()))?;
    ensure!(status.success(), "{} failed ({status}). Its messages are above", profiler.program());
    anstream::println!("written to {}. Show it with\n  {}", file.display(), profiler.viewer(&file));
    Ok(())
}

/// The native instructions of as many calls of the only function of a plan, by callgrind; `None` if it is not installed, or if the timed loop cannot be told
/// from what is around it.
///
/// # Errors
/// If callgrind or the suite fails.
pub(super) fn instructions(
    suite: &NativeSuite,
    plan: &Plan,
    x: &AxisValue,
    calls: u64,
    environment: &PackageEnvironment,
) -> Result<Option<NativeInstructions>> {
    let Request { functions, generator, .. } = plan.request();
    let Some(timed_loop) = timed_loop(suite, &functions[0], generator) else { return Ok(None) };
    if ensure_installed(Profiler::Callgrind).is_err() {
        return Ok(None);
    }
    let _step = BuildStep::start("Counting native instructions".to_owned());
    let folder = tempfile::tempdir().context("failed to create a temporary folder")?;
    let file = folder.path().join(Profiler::Callgrind.file());
    let mut command = Command::new(Profiler::Callgrind.program());
    command.args(Profiler::Callgrind.arguments(&file, Some(&timed_loop))).arg(suite.program().path());
    in_environment(&mut command, environment);
    command.env(HOST_VARIABLE, PROTOCOL.to_string()).env(SCRATCH_VARIABLE, folder.path()).envs(ALLOCATOR_SETTINGS);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("failed to start valgrind")?;
    let mut input = child.stdin.take().context("standard input is not piped (this is a bug)")?;
    let (slot, target) = (0, LaneTarget::Function(0));
    let collect = Collect { slot, target, calls, batches: 1, input_set: 0 };
    for message in [HostMessage::Open(plan.open(slot, functions.clone(), x)), HostMessage::Collect(collect)] {
        // Both are shorter than the pipe, so neither process waits for the other.
        writeln!(input, "{}", serde_json::to_string(&message)?).context("failed to write to the suite")?;
    }
    drop(input);
    let output = child.wait_with_output().context("failed to wait for valgrind")?;
    ensure!(output.status.success(), "valgrind failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    let text = fs::read_to_string(&file).context("callgrind wrote no file")?;
    let counted = NativeInstructions::read(&text);
    Ok((!counted.is_empty()).then_some(counted))
}

/// A pattern for the symbol of the timed loop of a function; `None` if the executable has no such symbol.
fn timed_loop(suite: &NativeSuite, function: &str, generator: &str) -> Option<String> {
    let functions = NativeFunctions::read(&suite.read_program().ok()?)?;
    functions.reached(function, generator).map(|_| timed_loop_pattern(function, generator))
}

fn in_environment(command: &mut Command, environment: &PackageEnvironment) {
    command.envs(environment.variables.iter().cloned());
    if let Some(folder) = &environment.folder {
        command.current_dir(folder);
    }
}

fn ensure_installed(profiler: Profiler) -> Result<()> {
    let program = profiler.program();
    let started = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match started {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            bail!("{program} does not start ({status}). Install it again with {}", profiler.installation())
        }
        Err(_) => bail!("{program} is not installed. Install it with {}", profiler.installation()),
    }
}
