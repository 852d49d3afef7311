//! Builds suites as they are used: from the same sources an executable for a runner and a wasm module for the page, which must
//! list the same functions.

use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;
use std::thread;

use anyhow::{Context, Result, anyhow};
use benchbook_instrument::{COUNTING_MODULE, Options, range_module};

use crate::catalog::{self, CatalogCounts, CatalogSummary};
use crate::compile::{self, BuildOptions, CompiledSuites, PrintedErrors};
use crate::counted::{counted_module, timed_module};
use crate::failed_build::FailedBuild;
use crate::files::{copy, write};
use crate::run_environment::RunEnvironment;
use crate::suite_target::SuiteTarget;
use crate::target::Target;
use crate::tool::Tool;
use crate::{member, native, optimise, wasm, without_wasm};

/// The folders and tools of a build.
#[derive(Debug)]
pub struct SuiteBuild {
    /// The folder of the workspace.
    pub root: PathBuf,
    /// The output folder: for each suite an executable, and next to it its wasm module and the counting module.
    pub folder: PathBuf,
    /// Optimises the modules; absent if it is not installed.
    pub wasm_opt: Option<Tool>,
    /// Whether to build the modules, and those that count.
    pub builds_wasm: bool,
    /// How cargo builds the suites.
    pub options: BuildOptions,
}

/// A suite that was built for at least one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltSuite {
    /// The suite's cargo target.
    pub target: SuiteTarget,
    /// The name in its catalog.
    pub name: String,
    /// The executable; absent if the suite compiles for wasm only.
    pub program: Option<PathBuf>,
    /// The wasm module; absent if the suite compiles natively only.
    pub module: Option<PathBuf>,
    /// The size of the module in bytes; 0 without one.
    pub module_bytes: u64,
    /// The counting module; absent if it could not be made.
    pub counted: Option<PathBuf>,
    /// What the suite contains.
    pub counts: CatalogCounts,
    /// The notes in its catalog, for the suite's author.
    pub notes: Vec<String>,
}

/// The outcome of building the suites of a package.
#[derive(Debug, Default)]
pub struct PackageBuild {
    /// The suites that can be used.
    pub built: Vec<BuiltSuite>,
    /// Why suites cannot be used at all: a line, then details.
    pub errors: Vec<String>,
    /// Why suites can be used on one target only: a line, then details.
    pub warnings: Vec<String>,
}

impl SuiteBuild {
    /// Builds suites of one package for both targets, as far as they compile. Cargo's progress is printed, and so are the errors
    /// of the native build.
    ///
    /// # Errors
    /// If cargo cannot be started, or if a file cannot be written.
    pub fn package(&self, suites: &[SuiteTarget]) -> Result<PackageBuild> {
        let build = |target, errors| compile::suites(&self.root, suites, target, &self.options, errors);
        let modules = match self.builds_wasm {
            true => build(Target::Wasm, PrintedErrors::None)?,
            false => CompiledSuites::default(),
        };
        // wasm-opt takes about as long as the compiler, and uses one core.
        let (finished, programs) = thread::scope(|scope| {
            let finished = scope.spawn(|| self.finish(&modules.files));
            // An error in the suite itself fails this build too, and cargo prints it.
            let programs = build(Target::Native, PrintedErrors::All);
            (finished.join(), programs)
        });
        let (finished, programs) =
            (finished.map_err(|_| anyhow!("preparing the wasm modules panicked (this is a bug)"))??, programs?);
        let mut outcome = PackageBuild::default();
        let package = member::package(&self.root, &suites.first().context("no suite to build")?.package)?;
        let environment = RunEnvironment::of(&package, &self.root);
        for suite in suites {
            let files = CompiledSuite { program: programs.files.get(suite), modules: finished.get(suite) };
            match self.suite(suite, files, &environment, &mut outcome.warnings) {
                Ok(Some(built)) => outcome.built.push(built),
                Ok(None) => {}
                Err(error) => outcome.errors.push(format!("suite `{suite}`: {error:#}")),
            }
        }
        outcome.explain(self, suites, &programs, &modules)?;
        Ok(outcome)
    }

    /// Builds the counting modules of a package's suites, and nothing else. Returns the module of each suite, or why it has none.
    ///
    /// # Errors
    /// If cargo cannot be started.
    pub fn counting_modules(&self, suites: &[SuiteTarget]) -> Result<BTreeMap<SuiteTarget, Result<PathBuf>>> {
        let compiled = compile::suites(&self.root, suites, Target::Wasm, &self.options, PrintedErrors::None)?;
        let module = |suite: &SuiteTarget| match (compiled.files.get(suite), &compiled.failure) {
            (Some(module), _) => counted_module(module, &self.folder, &suite.file_stem(), &self.root),
            (None, Some(failed)) => Err(anyhow!("it does not compile for wasm: {failed}\n{}", failed.log())),
            (None, None) => Err(anyhow!("cargo built no module of `{suite}` (this is a bug)")),
        };
        Ok(suites.iter().map(|suite| (suite.clone(), module(suite))).collect())
    }

    /// Builds the module of a suite that times ranges of the calls of a function. `is_measured`: whether this is the name of the function.
    ///
    /// # Errors
    /// If it cannot be built for wasm.
    pub fn range_module(&self, suite: &SuiteTarget, is_measured: &dyn Fn(&str) -> bool) -> Result<Vec<u8>> {
        let suites = slice::from_ref(suite);
        let compiled = compile::suites(&self.root, suites, Target::Wasm, &self.options, PrintedErrors::All)?;
        let module = compiled.files.get(suite).context("the suite does not compile for wasm")?;
        let module = fs::read(module).with_context(|| format!("failed to read {}", module.display()))?;
        Ok(range_module(&module, &Options::default(), is_measured)?)
    }

    /// Makes what is timed and what counts from the compiled modules.
    fn finish(&self, compiled: &BTreeMap<SuiteTarget, PathBuf>) -> Result<BTreeMap<SuiteTarget, Modules>> {
        let finish = |(suite, compiled): (&SuiteTarget, &PathBuf)| {
            let stem = suite.file_stem();
            let timed = || {
                let timed = timed_module(compiled, &self.folder, &stem)?;
                let Some(wasm_opt) = &self.wasm_opt else { return Ok(timed) };
                let folder = self.folder.join(format!("wasm-opt-{}", wasm_opt.version.major));
                optimise::module(wasm_opt, &timed, folder.join(format!("{stem}.wasm")))
            };
            let counting = || counted_module(compiled, &self.folder, &stem, &self.root);
            // Each takes about a second.
            let (timed, counted) = thread::scope(|scope| {
                let counted = scope.spawn(counting);
                let panicked = |_| Err(anyhow!("preparing the counting module panicked (this is a bug)"));
                (timed(), counted.join().unwrap_or_else(panicked))
            });
            Ok((suite.clone(), Modules { timed: timed?, counted }))
        };
        compiled.iter().map(finish).collect()
    }

    /// Checks the catalogs of a suite's files, and installs the files that are usable; `None` without any. A file that is not usable
    /// does not prevent the other one from being used: the reason is added to `warnings`.
    fn suite(
        &self,
        suite: &SuiteTarget,
        files: CompiledSuite<'_>,
        environment: &RunEnvironment,
        warnings: &mut Vec<String>,
    ) -> Result<Option<BuiltSuite>> {
        let program = files.program.map(|program| native::describe(program, environment));
        let timed = files.modules.map(|modules| &modules.timed);
        let bytes =
            timed.map(|module| fs::read(module).with_context(|| format!("failed to read {}", module.display())));
        let bytes = bytes.transpose()?;
        let module = bytes.as_deref().map(wasm::describe);
        let (catalog, program, module) = match (program, module) {
            (None, None) => return Ok(None),
            (Some(program), None) => (program?, files.program, None),
            (None, Some(module)) => (module?, None, timed),
            (Some(program), Some(module)) => match (program, module) {
                // If both files fail, the module's error is the better explanation for a crate that calls the browser.
                (Err(_), Err(module)) => return Err(module),
                (Err(reason), Ok(module)) => {
                    warnings.push(format!("only browsers can measure `{suite}`\n{reason:#}"));
                    (module, None, timed)
                }
                (Ok(program), module) => {
                    let usable = module.and_then(|module| catalog::compare(&program, &module, suite.harness));
                    match &usable {
                        Ok(None) => {}
                        Ok(Some(left_out)) => warnings.push(without_wasm::partial(suite, left_out)),
                        Err(reason) => warnings.push(without_wasm::rejection(&self.root, suite, reason)),
                    }
                    (program, files.program, timed.filter(|_| usable.is_ok()))
                }
            },
        };
        let counts = catalog::count(&catalog)?;
        // A runner looks for a suite's module next to its executable.
        let program = install(program, &self.folder.join(format!("{}{EXE_SUFFIX}", suite.file_stem())))?;
        let module = install(module, &self.folder.join(format!("{}.wasm", suite.file_stem())))?;
        let counted = match files.modules.filter(|_| module.is_some()).map(|modules| &modules.counted) {
            Some(Err(reason)) => {
                warnings.push(format!("the wasm instructions of `{suite}` cannot be counted\n{reason:#}"));
                None
            }
            counted => counted.and_then(|counted| counted.as_ref().ok()),
        };
        let counted = install(counted, &self.folder.join(format!("{}.{COUNTING_MODULE}", suite.file_stem())))?;
        let module_bytes = bytes.filter(|_| module.is_some()).map_or(0, |bytes| bytes.len() as u64);
        let CatalogSummary { name, notes, .. } = catalog;
        Ok(Some(BuiltSuite { target: suite.clone(), name, program, module, module_bytes, counted, counts, notes }))
    }
}

/// What was built of a suite.
#[derive(Clone, Copy)]
struct CompiledSuite<'f> {
    program: Option<&'f PathBuf>,
    modules: Option<&'f Modules>,
}

/// What was made of a compiled module.
struct Modules {
    /// Without debug information, and optimised if wasm-opt is installed.
    timed: PathBuf,
    /// The counting module, or why it could not be made.
    counted: Result<PathBuf>,
}

impl PackageBuild {
    /// Explains the suites that do not compile for a target.
    fn explain(
        &mut self,
        build: &SuiteBuild,
        suites: &[SuiteTarget],
        programs: &CompiledSuites,
        modules: &CompiledSuites,
    ) -> Result<()> {
        let lacking = |files: &CompiledSuites| -> Vec<&SuiteTarget> {
            suites.iter().filter(|suite| !files.files.contains_key(suite)).collect()
        };
        let (no_program, no_module) = (lacking(programs), lacking(modules));
        let mut nothing = no_program.iter().filter(|suite| no_module.contains(suite)).peekable();
        if nothing.peek().is_some() {
            let names: Vec<String> = nothing.map(|suite| format!("`{suite}`")).collect();
            let reason = programs.failure.as_ref().map(FailedBuild::log).unwrap_or_default();
            let advice = programs.failure.as_ref().and_then(FailedBuild::advice);
            let advice = advice.map_or_else(String::new, |advice| format!(": {advice}"));
            self.errors.push(format!("{} does not compile{advice}\n{reason}", names.join(", ")));
        }
        let native_only = no_module.iter().filter(|suite| programs.files.contains_key(suite));
        if let (Some(failed), true) = (&modules.failure, native_only.clone().next().is_some()) {
            for suite in native_only {
                let log = build.folder.join(format!("{}.wasm.log", suite.file_stem()));
                write(&log, failed.log())?;
                self.warnings.push(without_wasm::advice(suite, failed, &log));
            }
        }
        let wasm_only = no_program.iter().filter(|suite| modules.files.contains_key(suite));
        if let Some(failed) = &programs.failure {
            self.warnings.extend(wasm_only.map(|suite| {
                let log = failed.log();
                format!("`{suite}` does not compile natively, so only browsers can measure it: {failed}\n{log}")
            }));
        }
        Ok(())
    }
}

/// Copies a file to its place among the built suites; without one, removes the file of an earlier build, which has other
/// functions.
fn install(file: Option<&PathBuf>, to: &Path) -> Result<Option<PathBuf>> {
    match file {
        Some(file) => copy(file, to)?,
        None if to.exists() => fs::remove_file(to).with_context(|| format!("failed to delete {}", to.display()))?,
        None => {}
    }
    Ok(file.map(|_| to.to_owned()))
}
