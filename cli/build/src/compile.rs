//! Compiles suites and other programs with cargo.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{slice, thread};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, ensure};
use cargo_metadata::{Artifact, Message, Package, TargetKind};
use xshell::{Shell, cmd};

use crate::failed_build::FailedBuild;
use crate::features::ChosenFeatures;
use crate::member;
use crate::own_allocator;
use crate::profile::{self, SUITE_PROFILE};
use crate::progress::{BuildStep, print_line};
use crate::rustflags;
use crate::suite_target::SuiteTarget;
use crate::target::Target;
use crate::without_package_variables;

/// How to build suites.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The cargo profile.
    pub profile: String,
    /// Further arguments of `cargo build`, such as `--offline`.
    pub arguments: Vec<String>,
    /// The enabled features.
    pub features: ChosenFeatures,
    /// Whether executables have line numbers, for profilers and listings.
    pub has_line_numbers: bool,
    /// Whether executables have frame pointers, for profilers.
    pub has_frame_pointers: bool,
    /// Whether each crate is compiled as a single unit, unless the user has chosen a number of units, so that commits can be compared.
    pub has_one_unit: bool,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            profile: SUITE_PROFILE.to_owned(),
            arguments: Vec::new(),
            features: ChosenFeatures::default(),
            has_line_numbers: false,
            has_frame_pointers: false,
            has_one_unit: false,
        }
    }
}

/// What cargo has built of some suites.
#[derive(Debug, Default)]
pub struct CompiledSuites {
    /// The executables or modules of the suites that were built.
    pub files: BTreeMap<SuiteTarget, PathBuf>,
    /// Why the others were not built.
    pub failure: Option<FailedBuild>,
}

/// A build of a suite's executable, with cargo's complete output.
#[derive(Clone, Debug)]
pub struct LoggedBuild {
    /// The executable; absent if it does not compile.
    pub program: Option<PathBuf>,
    /// Cargo's output.
    pub log: String,
}

/// Whether cargo's errors are printed as they occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedErrors {
    /// They are printed.
    All,
    /// The caller reports them. Everything before the first error is printed.
    None,
    /// The caller reports all output.
    NoOutput,
}

/// Executables by the name of their cargo target.
pub type Executables = BTreeMap<String, PathBuf>;

/// Builds the executables of a package with the profile of suites; `root` is the folder of its workspace. `more`: further arguments of cargo.
///
/// Build the packages separately: in one build cargo would unify the features of their dependencies.
///
/// # Errors
/// If the package does not compile; cargo has printed the reason.
pub fn executables(root: &Path, package: &str, target: Target, more: &[&str]) -> Result<Executables> {
    let arguments = ["build", "--package", package, "--bins"].into_iter().chain(more.iter().copied());
    let mut arguments: Vec<String> = arguments.map(str::to_owned).collect();
    arguments.extend(profile::arguments(root, SUITE_PROFILE, target, false));
    arguments.extend(rustflags::arguments(root, target, false)?);
    let own_allocators = own_allocator::crates_of(&member::package(root, package)?);
    binaries(cargo_for_suites(root, &arguments, target, &BuildOptions::default(), &own_allocators)?)
}

/// Builds executables that are not suites, with one of cargo's profiles. `selection`: the options of cargo that select them.
///
/// # Errors
/// If one of them does not compile; cargo has printed the reason.
pub fn programs(root: &Path, selection: &[&str], profile: &str) -> Result<Executables> {
    let arguments = [&["build", "--profile", profile], selection].concat();
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    binaries(cargo(root, &arguments)?)
}

/// Builds suites of one package; `root` is the folder of its workspace. Suites that do not compile do not prevent others from
/// being built.
///
/// # Errors
/// If cargo cannot be started.
pub fn suites(
    root: &Path,
    suites: &[SuiteTarget],
    target: Target,
    options: &BuildOptions,
    errors: PrintedErrors,
) -> Result<CompiledSuites> {
    let mut arguments = vec!["build".to_owned(), "--keep-going".to_owned()];
    let package = member::package(root, &suites.first().context("no suite to build")?.package)?;
    arguments.extend(selection(&package, suites, options));
    arguments.extend(settings(root, target, options)?);
    let own_allocators = own_allocator::crates_of(&package);
    let names: Vec<String> = suites.iter().map(SuiteTarget::to_string).collect();
    let noun = if names.len() == 1 { "suite" } else { "suites" };
    let step = BuildStep::start(format!("Building {noun} {} for {}", names.join(", "), target.hosts()));
    let mut cargo = cargo_for_suites(root, &arguments, target, options, &own_allocators)?;
    set_qualified(&mut cargo, suites);
    let output = run(cargo, errors)?;
    drop(step);
    let files = suites.iter().filter_map(|suite| Some((suite.clone(), output.executable(suite)?)));
    Ok(CompiledSuites { files: files.collect(), failure: output.failure() })
}

/// Builds a suite for this machine with further flags for rustc, which apply to the suite's own target and not to its dependencies. Cargo keeps the
/// executable of each list of flags, so that none is built twice. `step`: what the terminal shows meanwhile.
///
/// # Errors
/// If cargo cannot be started.
pub fn suite_with_flags(
    root: &Path,
    suite: &SuiteTarget,
    options: &BuildOptions,
    flags: &[String],
    step: String,
) -> Result<LoggedBuild> {
    let mut arguments = vec!["rustc".to_owned()];
    let package = member::package(root, &suite.package)?;
    arguments.extend(selection(&package, slice::from_ref(suite), options));
    arguments.extend(settings(root, Target::Native, options)?);
    let step = BuildStep::start(step);
    let own_allocators = own_allocator::crates_of(&package);
    let mut cargo = cargo_for_suites(root, &arguments, Target::Native, options, &own_allocators)?;
    set_qualified(&mut cargo, slice::from_ref(suite));
    cargo.arg("--").args(flags);
    let output = run(cargo, PrintedErrors::NoOutput)?;
    drop(step);
    Ok(LoggedBuild { program: output.executable(suite), log: output.log })
}

/// Sets which suites are named after package and target.
fn set_qualified(cargo: &mut Command, suites: &[SuiteTarget]) {
    let qualified: Vec<String> =
        suites.iter().filter(|suite| suite.is_qualified).map(SuiteTarget::crate_name).collect();
    match qualified.is_empty() {
        true => cargo.env_remove(SuiteTarget::QUALIFIED),
        false => cargo.env(SuiteTarget::QUALIFIED, qualified.join(",")),
    };
}

/// The arguments of cargo that select suites of one package, and its features.
fn selection(package: &Package, suites: &[SuiteTarget], options: &BuildOptions) -> Vec<String> {
    let targets = suites.iter().flat_map(|suite| [suite.kind.option().to_owned(), suite.name.clone()]);
    let features = options.features.arguments(package);
    // Its name alone is ambiguous if a dependency has the same one: users also measure crates on which Benchbook depends.
    ["--package".to_owned(), package.id.repr.clone()].into_iter().chain(targets).chain(features).collect()
}

/// The arguments of cargo for the target, the profile and the user's own options.
fn settings(root: &Path, target: Target, options: &BuildOptions) -> Result<Vec<String>> {
    let mut arguments = profile::arguments(root, &options.profile, target, options.has_line_numbers);
    let one_unit = profile::one_unit(root, &options.profile, target).filter(|_| options.has_one_unit);
    arguments.extend(one_unit.into_iter().flatten());
    arguments.extend(rustflags::arguments(root, target, options.has_frame_pointers)?);
    arguments.extend(options.arguments.iter().cloned());
    Ok(arguments)
}

/// What cargo has built and printed.
struct CargoOutput {
    artifacts: Vec<Artifact>,
    log: String,
    is_successful: bool,
}

impl CargoOutput {
    /// The executable or module of a suite.
    fn executable(&self, suite: &SuiteTarget) -> Option<PathBuf> {
        // Cargo builds the binaries of a package before its benches, and both may have the same name.
        let is_of = |artifact: &&Artifact| {
            artifact.target.name == suite.name && artifact.target.is_kind(suite.kind.in_metadata())
        };
        let artifact = self.artifacts.iter().find(is_of)?;
        artifact.executable.clone().map(PathBuf::from)
    }

    fn failure(self) -> Option<FailedBuild> {
        (!self.is_successful).then(|| FailedBuild::new(self.log))
    }
}

/// A command line of cargo: `build` or `rustc` with its arguments.
fn cargo(root: &Path, arguments: &[String]) -> Result<Command> {
    const JSON: &str = "--message-format=json-render-diagnostics";
    let shell = Shell::new()?;
    shell.change_dir(root);
    Ok(without_package_variables(cmd!(shell, "cargo {arguments...} {JSON}")).into())
}

/// A command line that builds suites, for a target that may not be this machine, with what their build cards say. `own_allocators`: the crates
/// that have one.
fn cargo_for_suites(
    root: &Path,
    arguments: &[String],
    target: Target,
    options: &BuildOptions,
    own_allocators: &str,
) -> Result<Command> {
    let mut cargo = cargo(root, arguments)?;
    cargo.env(own_allocator::VARIABLE, own_allocators);
    if target == Target::Wasm {
        for variable in rustflags::VARIABLES {
            cargo.env_remove(variable);
        }
    }
    for (name, value) in profile::variables(root, &options.profile, target, &options.arguments) {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    Ok(cargo)
}

/// Runs cargo. Prints its standard error as it appears, in colours if this program prints in colours; the log has none.
fn run(mut cargo: Command, errors: PrintedErrors) -> Result<CargoOutput> {
    let has_colours = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    cargo.env("CARGO_TERM_COLOR", if has_colours { "always" } else { "never" });
    cargo.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = cargo.spawn().context("failed to start cargo")?;
    let stderr = child.stderr.take().context("cargo's standard error is not piped (this is a bug)")?;
    let log = thread::spawn(move || {
        let (mut log, mut has_failed) = (String::new(), false);
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let plain = strip_str(&line).to_string();
            has_failed |= plain.starts_with("error");
            let is_printed = match errors {
                PrintedErrors::All => true,
                PrintedErrors::None => !has_failed,
                PrintedErrors::NoOutput => false,
            };
            if is_printed {
                print_line(&line);
            }
            log += &plain;
            log.push('\n');
        }
        log
    });
    let output = child.wait_with_output().context("failed to wait for cargo")?;
    let log = log.join().unwrap_or_default();
    let mut artifacts = Vec::new();
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::CompilerArtifact(artifact) = message.context("failed to read cargo's messages")? {
            artifacts.push(artifact);
        }
    }
    Ok(CargoOutput { artifacts, log, is_successful: output.status.success() })
}

/// The binaries that cargo has built.
fn binaries(cargo: Command) -> Result<Executables> {
    let command = format!("{cargo:?}");
    let output = run(cargo, PrintedErrors::All)?;
    ensure!(output.is_successful, "the build failed: {command}");
    let binaries = output.artifacts.into_iter().filter(|artifact| artifact.target.is_kind(TargetKind::Bin));
    Ok(binaries.filter_map(|artifact| Some((artifact.target.name, artifact.executable?.into()))).collect())
}
