//! Compiles suites and other programs with cargo.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};
use cargo_metadata::Message;
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::without_package_variables;

/// The target triple of the page and of the suites' modules.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The cargo profile of suites: a suite without optimisation measures something else.
const SUITE_PROFILE: &str = "suite";

/// Aligns innermost loops to cache lines (64 bytes). A loop of a few instructions can take a few cycles more per iteration
/// at one address than at another, which the empty loop does not cancel. See docs/decisions/0036-aligned-loops.md.
///
/// A configuration of cargo, since flags from configurations add up, while those from the environment replace the user's.
const ALIGNED_LOOPS: &str = "target.'cfg(target_arch = \"x86_64\")'.rustflags = \
    [\"-Cllvm-args=-x86-experimental-pref-innermost-loop-alignment=6\"]";

/// The platform that a suite is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// The executable
    Native,
    /// WebAssembly in Chromium
    Wasm,
}

impl Target {
    /// A command line of cargo and its environment.
    fn cargo(self, root: &Path) -> Result<(Shell, &'static [&'static str])> {
        let shell = Shell::new()?;
        shell.change_dir(root);
        Ok(match self {
            Self::Native => (shell, &["--config", ALIGNED_LOOPS]),
            Self::Wasm => {
                // This variable overrides every other setting of the flags, the user's included.
                shell.set_var("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
                (shell, &["--target", WASM])
            }
        })
    }
}

/// The kind of a cargo target that may be a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteTargetKind {
    /// A binary.
    Bin,
    /// An example.
    Example,
    /// A bench target with `harness = false`.
    Bench,
}

/// A cargo target that is a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteTarget {
    /// The name of the package.
    pub package: String,
    /// The name of the target.
    pub name: String,
    /// The kind of the target.
    pub kind: SuiteTargetKind,
}

/// The profile of suites, as configuration, so that it applies without a line in the user's Cargo.toml. Registration by
/// `inventory` requires link-time optimisation.
const PROFILE_SETTINGS: [&str; 4] = [
    "profile.suite.inherits = \"release\"",
    "profile.suite.opt-level = 3",
    "profile.suite.lto = \"thin\"",
    "profile.suite.codegen-units = 1",
];

/// Builds a suite for this machine; `root` is the folder of its workspace. The workspace needs no profile for it.
///
/// # Errors
/// If the suite does not compile; cargo has printed the reason.
pub fn native_suite(root: &Path, target: &SuiteTarget) -> Result<PathBuf> {
    let (shell, target_arguments) = Target::Native.cargo(root)?;
    let kind = match target.kind {
        SuiteTargetKind::Bin => "--bin",
        SuiteTargetKind::Example => "--example",
        SuiteTargetKind::Bench => "--bench",
    };
    let mut arguments = vec!["--package", &target.package, kind, &target.name, "--profile", SUITE_PROFILE];
    arguments.extend(PROFILE_SETTINGS.iter().flat_map(|setting| ["--config", setting]));
    arguments.extend(target_arguments);
    let failed = || format!("cannot build the suite `{}`: cargo has printed the errors above", target.name);
    let mut executables = build(&shell, &arguments).with_context(failed)?;
    executables.remove(&target.name).with_context(|| format!("cargo built no executable `{}`", target.name))
}

/// Executables by the name of their cargo target.
pub type Executables = BTreeMap<String, PathBuf>;

/// Builds the executables of a package with the profile of suites; `root` is the folder of its workspace.
///
/// Build the packages separately: in one build cargo would unify the features of their dependencies.
///
/// # Errors
/// If the package does not compile; cargo has printed the reason.
pub fn executables(root: &Path, package: &str, target: Target) -> Result<Executables> {
    let (shell, arguments) = target.cargo(root)?;
    build(&shell, &[&["--package", package, "--bins", "--profile", SUITE_PROFILE], arguments].concat())
}

/// Builds the executables of a package that is not a suite, with one of cargo's profiles.
///
/// # Errors
/// If the package does not compile; cargo has printed the reason.
pub fn programs(root: &Path, package: &str, profile: &str) -> Result<Executables> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    build(&shell, &["--package", package, "--bins", "--profile", profile])
}

/// Builds suites of a package for this machine; see [`executables`].
///
/// # Errors
/// If the package does not compile; cargo has printed the reason.
pub fn native_suites(root: &Path, package: &str, suites: &[String]) -> Result<Executables> {
    let (shell, arguments) = Target::Native.cargo(root)?;
    build(&shell, &[&suite_arguments(package, suites), arguments].concat())
}

/// Builds suites of a package for the page; see [`executables`]. A compilation that fails is the inner error: cargo's
/// warnings and progress are printed, its errors are not.
///
/// # Errors
/// If cargo cannot be started.
pub fn wasm_suites(root: &Path, package: &str, suites: &[String]) -> Result<Result<Executables, FailedBuild>> {
    let (shell, arguments) = Target::Wasm.cargo(root)?;
    let mut cargo: Command = without_package_variables(cmd!(shell, "cargo build {arguments...} {JSON}")).into();
    cargo.args(suite_arguments(package, suites)).stdin(Stdio::null());
    let mut child = cargo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("starting cargo")?;
    let stderr = child.stderr.take().context("cargo's standard error is piped")?;
    let log = thread::spawn(move || {
        let (mut log, mut has_failed) = (String::new(), false);
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            has_failed |= line.starts_with("error");
            if !has_failed {
                eprintln!("{line}");
            }
            log += &line;
            log.push('\n');
        }
        log
    });
    let output = child.wait_with_output().context("waiting for cargo")?;
    let log = log.join().unwrap_or_default();
    if !output.status.success() {
        return Ok(Err(FailedBuild { log }));
    }
    executables_in(&output.stdout).map(Ok)
}

fn suite_arguments<'a>(package: &'a str, suites: &'a [String]) -> Vec<&'a str> {
    let binaries = suites.iter().flat_map(|suite| ["--bin", suite]);
    ["--package", package, "--profile", SUITE_PROFILE].into_iter().chain(binaries).collect()
}

/// Why cargo could not build a suite.
#[derive(Debug)]
pub struct FailedBuild {
    /// Cargo's standard error.
    log: String,
}

impl FailedBuild {
    /// Cargo's complete output.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// The package that does not compile, if cargo reported one.
    pub fn package(&self) -> Option<&str> {
        self.log.lines().find_map(|line| {
            let (_, after) =
                line.split_once("could not compile `").or_else(|| line.split_once("custom build command for `"))?;
            after.split(['`', ' ']).next()
        })
    }
}

impl fmt::Display for FailedBuild {
    /// The first error, without its location.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Build scripts of C libraries print the reason after cargo's own error.
        let errors = || self.log.lines().map(str::trim_start).filter(|line| line.starts_with("error"));
        let is_general = |line: &&str| line.contains("custom build command for");
        f.write_str(errors().find(|line| !is_general(line)).or_else(|| errors().next()).unwrap_or("cargo failed"))
    }
}

const JSON: &str = "--message-format=json-render-diagnostics";

fn build(shell: &Shell, arguments: &[&str]) -> Result<Executables> {
    let cargo = without_package_variables(cmd!(shell, "cargo build {arguments...}"));
    let failed = || format!("the build failed: cargo build {}", arguments.join(" "));
    let messages = cargo.arg(JSON).quiet().read().with_context(failed)?;
    executables_in(messages.as_bytes())
}

fn executables_in(messages: &[u8]) -> Result<Executables> {
    let mut executables = Executables::new();
    for message in Message::parse_stream(messages) {
        if let Message::CompilerArtifact(artifact) = message.context("reading cargo's messages")?
            && let Some(executable) = artifact.executable
        {
            executables.insert(artifact.target.name, executable.into());
        }
    }
    Ok(executables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_build_names_the_package_and_the_first_error() {
        let table = [
            (
                "   Compiling getrandom v0.2.16\n\
                 error: the wasm*-unknown-unknown targets are not supported by default\n   --> src/lib.rs:346:9\n\
                 error[E0433]: failed to resolve: use of unresolved module `imp`\n\
                 error: could not compile `getrandom` (lib) due to 2 previous errors",
                Some("getrandom"),
                "error: the wasm*-unknown-unknown targets are not supported by default",
            ),
            (
                "error: failed to run custom build command for `zstd-sys v2.0.16+zstd.1.5.7`\n\
                 Caused by:\n  process didn't exit successfully\n  --- stderr\n\n\
                 \x20 error occurred in cc-rs: failed to find tool \"clang\": No such file or directory",
                Some("zstd-sys"),
                "error occurred in cc-rs: failed to find tool \"clang\": No such file or directory",
            ),
            (
                "error: failed to run custom build command for `openssl-sys v0.9.109`\n  --- stderr\n  not found",
                Some("openssl-sys"),
                "error: failed to run custom build command for `openssl-sys v0.9.109`",
            ),
            ("", None, "cargo failed"),
        ];
        for (log, package, error) in table {
            let failed = FailedBuild { log: log.to_owned() };
            assert_eq!((failed.package(), failed.to_string().as_str()), (package, error));
            assert_eq!(failed.log(), log);
        }
    }
}
