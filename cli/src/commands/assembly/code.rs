//! Finds the code of a function in what is measured.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use benchbook_assembly::{Executable, Listing, Program, SourceFiles, SourceLines, WasmModule, called, measured_code};
use benchbook_build::Target;
use benchbook_build::compile::{self, PrintedErrors};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::wasm_library::{self, RUSTUP_ARGUMENTS};

use crate::project::Project;
use crate::project::selection::{named, target_of};

/// Which code to show.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// A path or a name.
    pub(super) function: String,
    pub(super) generator: Option<String>,
    /// A part of the name of a called function, whose code is wanted instead.
    pub(super) callee: Option<String>,
    pub(super) is_wasm: bool,
    /// Whether to find the lines of the source.
    pub(super) has_source: bool,
}

/// The code of a function.
#[derive(Debug)]
pub(super) struct FunctionCode {
    /// The function's path, or the name of the called function.
    pub(super) path: String,
    pub(super) listing: Listing,
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
            return declared.in_module(project, wanted);
        }
        let mut code = declared.native(wanted, None)?;
        if wanted.has_source {
            let mut with_lines = project.clone();
            with_lines.build.has_line_numbers = true;
            let again = Declared::find(&with_lines, wanted)?;
            let workspace = root(project, &again.target);
            let lines = SourceLines::of_executable(&again.program, source_files(&workspace));
            let with_places = again.native(wanted, lines.as_ref())?;
            if !code.listing.add_places(&with_places.listing) {
                anstream::eprintln!(
                    "note: with line numbers, the compiler makes other code of `{}`, so the lines of this code are unknown",
                    code.path
                );
            }
        }
        Ok(code)
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
    fn native(&self, wanted: &Wanted, lines: Option<&SourceLines<'_>>) -> Result<FunctionCode> {
        let file = self.file.display();
        let executable = Executable::read(&self.program).with_context(|| {
            format!("use `--wasm`, which works on every machine, or disassemble {file} with objdump")
        })?;
        ensure!(
            executable.functions().next().is_some(),
            "{file} has no symbols, so no function can be found in it. Keep them with `strip = \"debuginfo\"` in the profile of Cargo.toml"
        );
        let program = executable.program(lines);
        self.code(&program, wanted, "the executable", &format!(". `objdump -d {file}` shows all of it"))
    }

    /// The code in the module that the compiler makes.
    fn in_module(&self, project: &Project, wanted: &Wanted) -> Result<FunctionCode> {
        ensure!(
            wasm_library::is_installed()?,
            "`--wasm` needs Rust's standard library for wasm. Run `rustup {}`",
            RUSTUP_ARGUMENTS.join(" ")
        );
        let target = &self.target;
        let folder = project.root_of(target).context("the suite has no workspace (this is a bug)")?;
        let suites = std::slice::from_ref(target);
        let compiled = compile::suites(folder, suites, Target::Wasm, &project.build, PrintedErrors::All)?;
        let file =
            compiled.files.get(target).context("the suite does not compile for wasm. Cargo has printed the errors")?;
        let bytes = fs::read(file).with_context(|| format!("failed to read {}", file.display()))?;
        let workspace = root(project, target);
        let module = WasmModule::read(&bytes, wanted.has_source.then(|| source_files(&workspace)))?;
        self.code(&module, wanted, "the module", "")
    }

    /// `holder`: what the program is. `advice`: what else shows its code.
    fn code(&self, program: &impl Program, wanted: &Wanted, holder: &str, advice: &str) -> Result<FunctionCode> {
        let path = &self.path;
        let Some(listing) = measured_code(program, path, &self.generator) else {
            bail!(
                "{holder} has neither a symbol of `{path}` nor a timed loop of `#[measured]` for it: benches of other harnesses are closures, which the compiler inlines. Annotate a function with `#[measured]`{advice}"
            );
        };
        let Some(callee) = &wanted.callee else { return Ok(FunctionCode { path: path.clone(), listing }) };
        let all = called(program, &listing);
        // The whole name, rather than others that contain it.
        let exact = all.iter().find(|(name, _)| name == callee).copied();
        let found: Vec<(&str, u64)> = match exact {
            Some(exact) => vec![exact],
            None => all.iter().filter(|(name, _)| name.contains(callee)).copied().collect(),
        };
        match &found[..] {
            [] => bail!("`{path}` calls no function with `{callee}` in its name. It calls {}", names(&all)),
            [(name, address)] => {
                let listing = program.listing(*address).context("the called function has no code")?;
                Ok(FunctionCode { path: (*name).to_owned(), listing })
            }
            several => bail!("`{path}` calls several functions with `{callee}` in their names: {}", names(several)),
        }
    }
}

/// Names of functions, a line each.
fn names(functions: &[(&str, u64)]) -> String {
    let lines: String = functions.iter().map(|(name, _)| format!("\n  {name}")).collect();
    if lines.is_empty() { "none".to_owned() } else { lines }
}

/// The folder to which files of the source are relative.
fn root(project: &Project, target: &SuiteTarget) -> String {
    project.root_of(target).unwrap_or(&project.root).to_string_lossy().into_owned()
}

fn source_files(workspace: &str) -> SourceFiles<'_> {
    SourceFiles { workspace, read: |path| fs::read_to_string(path).ok() }
}
