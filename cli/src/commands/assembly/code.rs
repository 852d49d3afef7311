//! Finds the code of a function in what is measured.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use benchbook_assembly::{Executable, Listing, SourceLines, WasmModule};
use benchbook_build::Target;
use benchbook_build::compile::{self, PrintedErrors};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};

use crate::project::Project;
use crate::project::selection::{named, target_of};
use crate::project::timed_loop::{function_symbol, timed_loop};

/// Which code to show.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// A path or a name.
    pub(super) function: String,
    pub(super) generator: Option<String>,
    pub(super) is_wasm: bool,
    /// Whether to find the lines of the source.
    pub(super) has_source: bool,
}

/// The code of a function.
#[derive(Debug)]
pub(super) struct FunctionCode {
    /// The function's path.
    pub(super) path: String,
    pub(super) listing: Listing,
    /// Whether it is that of the timed loop, into which the function was inlined.
    pub(super) is_inlined: bool,
}

/// A function as a suite declares it.
struct Declared {
    path: String,
    generator: String,
    target: SuiteTarget,
    /// The executable as it was opened, and its path.
    program: Vec<u8>,
    file: PathBuf,
}

impl FunctionCode {
    /// Builds the suites and finds the code.
    ///
    /// # Errors
    /// If there is no such function, or if it has no code of its own.
    pub(super) fn find(project: &Project, wanted: &Wanted) -> Result<Self> {
        let declared = Declared::find(project, wanted)?;
        if wanted.is_wasm {
            return Self::in_module(project, &declared, wanted.has_source);
        }
        let mut code = declared.native(None)?;
        if wanted.has_source {
            let mut with_lines = project.clone();
            with_lines.build.has_line_numbers = true;
            let again = Declared::find(&with_lines, wanted)?;
            let lines = SourceLines::of_executable(&again.program, &root(project, &again.target));
            let with_places = again.native(lines.as_ref())?;
            if !code.listing.add_places(&with_places.listing) {
                anstream::eprintln!(
                    "note: with line numbers, the compiler makes other code of `{}`, so the lines of this code are unknown",
                    code.path
                );
            }
        }
        Ok(code)
    }

    fn in_module(project: &Project, declared: &Declared, has_source: bool) -> Result<Self> {
        ensure!(
            wasm_library::is_installed()?,
            "`--wasm` needs Rust's standard library for wasm. Run `rustup {}`",
            RUSTUP_ARGUMENTS.join(" ")
        );
        let Declared { path, generator, target, .. } = declared;
        let folder = project.root_of(target).context("the suite has no workspace (this is a bug)")?;
        let suites = std::slice::from_ref(target);
        let compiled = compile::suites(folder, suites, Target::Wasm, &project.build, PrintedErrors::All)?;
        let file =
            compiled.files.get(target).context("the suite does not compile for wasm. Cargo has printed the errors")?;
        let bytes = fs::read(file).with_context(|| format!("failed to read {}", file.display()))?;
        let module = WasmModule::read(&bytes, &root(project, target))?;
        let own = function_symbol(module.functions(), path);
        let start = own.or_else(|| timed_loop(module.functions(), path, generator));
        let start = start.with_context(|| no_code(path, "the module"))?;
        let listing = module.listing(start, has_source)?.context("the function has no body (this is a bug)")?;
        Ok(Self { path: path.clone(), listing, is_inlined: own.is_none() })
    }
}

impl Declared {
    fn find(project: &Project, wanted: &Wanted) -> Result<Self> {
        let suites = project.open()?;
        let selected = named(&suites, &wanted.function)?;
        let generator = selected.generator(wanted.generator.as_deref())?.path.clone();
        let target = target_of(&suites, selected.suite).context("the function has no suite (this is a bug)")?.clone();
        let file = selected.suite.program().path().to_owned();
        let program = selected.suite.read_program().with_context(|| format!("failed to read {}", file.display()))?;
        Ok(Self { path: selected.function.path.clone(), generator, target, program, file })
    }

    /// The machine code, with the places of its instructions in the source if lines are given.
    fn native(&self, lines: Option<&SourceLines<'_>>) -> Result<FunctionCode> {
        let file = self.file.display();
        let executable = Executable::read(&self.program).with_context(|| {
            format!("use `--wasm`, which works on every machine, or disassemble {file} with objdump")
        })?;
        ensure!(
            executable.functions().next().is_some(),
            "{file} has no symbols, so no function can be found in it. Keep them with `strip = \"debuginfo\"` in the profile of Cargo.toml"
        );
        let symbols = || executable.functions().map(|function| (function.name.as_str(), function.address));
        let own = function_symbol(symbols(), &self.path);
        let Some(address) = own.or_else(|| timed_loop(symbols(), &self.path, &self.generator)) else {
            bail!("{}. `objdump -d {file}` shows all of it", no_code(&self.path, "the executable"));
        };
        let function = executable.functions_at(address).last().context("the symbol has no function (this is a bug)")?;
        let listing = Listing::of(&executable, function, lines).context("the symbol has no code")?;
        Ok(FunctionCode { path: self.path.clone(), listing, is_inlined: own.is_none() })
    }
}

/// The folder to which files of the source are relative.
fn root(project: &Project, target: &SuiteTarget) -> String {
    project.root_of(target).unwrap_or(&project.root).to_string_lossy().into_owned()
}

fn no_code(path: &str, holder: &str) -> String {
    format!(
        "{holder} has neither a symbol of `{path}` nor a timed loop of `#[measured]` for it: benches of other harnesses are closures, which the compiler inlines. Annotate a function with `#[measured]`"
    )
}
