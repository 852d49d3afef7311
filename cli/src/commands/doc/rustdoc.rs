//! The documentation of a suite. `cargo rustdoc` cannot build it for bench targets: it passes no dev-dependencies to them. So cargo checks the
//! suite, with this program in place of the compiler, which starts the compiler, and rustdoc with the same arguments.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

/// The variable with the source file of the suite. If it is set, this program was started in place of the compiler.
const SOURCE: &str = "BENCHBOOK_RUSTDOC_SOURCE";

/// The variable with the folder of the documentation.
const OUTPUT: &str = "BENCHBOOK_RUSTDOC_OUTPUT";

/// A suite to document.
pub(super) struct SuiteDocs<'s> {
    /// The Cargo.toml of its workspace.
    pub(super) manifest: &'s Path,
    /// The specification of its package.
    pub(super) package: &'s str,
    /// The options that select its target, such as `--bench sorting`.
    pub(super) target: [&'s str; 2],
    /// The source file of its target.
    pub(super) source: &'s Path,
    /// The folder of intermediate files.
    pub(super) target_folder: &'s Path,
    /// The folder of the documentation.
    pub(super) output: &'s Path,
    /// Further options of cargo.
    pub(super) options: Vec<&'s str>,
}

impl SuiteDocs<'_> {
    /// Writes the documentation of the suite, with its private functions.
    ///
    /// # Errors
    /// If cargo or rustdoc fails; they print the reason.
    pub(super) fn write(&self) -> Result<()> {
        let cargo = |command: &str| {
            let mut cargo = Command::new("cargo");
            cargo.arg(command).arg("--manifest-path").arg(self.manifest).arg("--target-dir").arg(self.target_folder);
            cargo.args(["--package", self.package]);
            cargo
        };
        // Cargo would not start the compiler if nothing has changed since the last run.
        let offline = self.options.iter().filter(|option| matches!(**option, "--offline" | "--locked" | "--frozen"));
        // Fails if there is nothing to remove.
        let _ = cargo("clean").arg("--quiet").args(offline).output().context("failed to start cargo")?;
        let mut check = cargo("check");
        check.args(self.target).args(&self.options);
        check.env("RUSTC_WORKSPACE_WRAPPER", env::current_exe().context("failed to find the path of this program")?);
        check.env(SOURCE, self.source).env(OUTPUT, self.output);
        match check.status().context("failed to start cargo")?.success() {
            true => Ok(()),
            false => bail!("the documentation of {} could not be built, for the reasons above", self.target[1]),
        }
    }
}

/// Compiles, and documents if the source file is that of the suite, if cargo has started this program in place of the compiler.
pub(crate) fn run_as_compiler_if_requested() -> Option<ExitCode> {
    let (source, output) = (env::var_os(SOURCE)?, env::var_os(OUTPUT)?);
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    Some(match compile_and_document(&arguments, Path::new(&source), &output) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    })
}

/// Returns whether everything has succeeded. `arguments`: the compiler and its arguments.
fn compile_and_document(arguments: &[OsString], source: &Path, output: &OsStr) -> Result<bool> {
    let (compiler, arguments) = arguments.split_first().context("cargo passed no compiler (this is a bug)")?;
    let succeeds = |command: &mut Command| command.status().map(|status| status.success());
    if !succeeds(Command::new(compiler).args(arguments))
        .with_context(|| format!("failed to start {}", compiler.display()))?
    {
        return Ok(false);
    }
    let is_source = |argument: &&OsString| is_same_file(Path::new(argument), source);
    let Some(argument) = arguments.iter().find(is_source) else { return Ok(true) };
    let mut rustdoc = Command::new(env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    rustdoc.arg(argument).args(shared_with_rustdoc(arguments)).arg("--document-private-items").arg("-o").arg(output);
    succeeds(&mut rustdoc).context("starting rustdoc")
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let is_rust = one.extension().is_some_and(|extension| extension == "rs");
    is_rust && one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The arguments of the compiler that rustdoc needs: those that decide what the source means and where other crates are.
fn shared_with_rustdoc(arguments: &[OsString]) -> Vec<OsString> {
    const SHARED: [&str; 9] = [
        "--crate-name",
        "--crate-type",
        "--edition",
        "--cfg",
        "--check-cfg",
        "--extern",
        "-L",
        "--cap-lints",
        "--target",
    ];
    let mut shared = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if text == "-C" {
            let value = arguments.next();
            if value.is_some_and(|value| decides_cfg(&value.to_string_lossy())) {
                shared.extend([Some(argument), value].into_iter().flatten().cloned());
            }
        } else if text.strip_prefix("-C").is_some_and(decides_cfg) {
            shared.push(argument.clone());
        } else if SHARED.contains(&text.as_ref()) {
            shared.push(argument.clone());
            shared.extend(arguments.next().cloned());
        } else if SHARED.iter().any(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))) {
            shared.push(argument.clone());
        }
    }
    shared
}

/// Whether a codegen option decides which code is compiled.
fn decides_cfg(option: &str) -> bool {
    ["target-cpu", "target-feature", "panic", "debug-assertions"].iter().any(|name| option.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rustdoc_gets_the_arguments_that_decide_what_the_source_means() {
        let given = "--crate-name mixing --edition=2021 benches/mixing.rs --error-format=json --json=artifacts --crate-type bin \
                     --emit=dep-info,metadata -C embed-bitcode=no --cfg test --check-cfg cfg(docsrs,test) -C metadata=1 -Ctarget-cpu=native -C panic=abort \
                     --out-dir /target -L dependency=/target/deps --extern own=/target/libown.rmeta";
        let given: Vec<OsString> = given.split_whitespace().map(OsString::from).collect();
        let expected = "--crate-name mixing --edition=2021 --crate-type bin --cfg test --check-cfg cfg(docsrs,test) \
                        -Ctarget-cpu=native -C panic=abort -L dependency=/target/deps --extern own=/target/libown.rmeta";
        assert_eq!(shared_with_rustdoc(&given), expected.split_whitespace().map(OsString::from).collect::<Vec<_>>());
    }
}
