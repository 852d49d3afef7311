//! Builds the suites whenever their sources change, and gives them to the runner.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use benchbook_build::suite_build::{BuiltSuite, PackageBuild, SuiteBuild};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::tool::ToolQuery;
use benchbook_host::api::BuildProblem;
use benchbook_server::suite_updates::{BuiltFiles, SuiteUpdates};

use super::sources::WatchedSources;
use super::wasm_target;
use crate::project::{Project, SuiteOptions};

/// The releases of wasm-opt that are used if one of them is installed: those tested with suites.
const WASM_OPT: &str = ">=120";

/// Builds the suites whenever their sources change.
pub(super) struct BuildLoop {
    options: SuiteOptions,
    project: Project,
    updates: SuiteUpdates,
    /// Absent if there is only one build.
    sources: Option<WatchedSources>,
    builds_wasm: bool,
}

impl BuildLoop {
    /// `watches`: whether the suites are built again when their sources change.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub(super) fn new(options: SuiteOptions, project: Project, updates: SuiteUpdates, watches: bool) -> Result<Self> {
        let sources = if watches { Some(WatchedSources::new(&project)?) } else { None };
        let builds_wasm = wasm_target::ensure_installed()?;
        Ok(Self { options, project, updates, sources, builds_wasm })
    }

    /// Builds until the program ends.
    pub(super) fn run(mut self) {
        loop {
            self.updates.start_build();
            let start = Instant::now();
            match self.build() {
                Ok((built, known)) => {
                    let files: Vec<BuiltFiles> = self.project.suites().map(|suite| files_of(suite, &built)).collect();
                    let problems = self.updates.end_build(&files, known.clone());
                    problems.iter().filter(|problem| !known.contains(problem)).for_each(print);
                    report(&built, start);
                }
                Err(error) => {
                    anstream::eprintln!("error: {error:#}");
                    let summary = "The suites could not be built.".to_owned();
                    self.updates.fail_build(BuildProblem { summary, details: format!("{error:#}") });
                }
            }
            let Some(sources) = &mut self.sources else { return };
            // A build may complete it.
            for part in &self.project.parts {
                sources.accept(part.metadata.workspace_root.join("Cargo.lock").as_std_path());
            }
            sources.wait();
            println!("\nA source file has changed.");
        }
    }

    /// Builds all suites of the project as it is now.
    fn build(&mut self) -> Result<(Vec<BuiltSuite>, Vec<BuildProblem>)> {
        self.project = self.options.project()?;
        if let Some(sources) = &mut self.sources {
            sources.follow(&self.project)?;
        }
        let (mut built, mut problems) = (Vec::new(), Vec::new());
        let packages =
            self.project.parts.iter().flat_map(|part| part.packages.iter().map(move |suites| (part, suites)));
        for (part, suites) in packages {
            let outcome = self.build_package(part.metadata.workspace_root.as_std_path(), suites)?;
            built.extend(outcome.built);
            for error in outcome.errors.into_iter().map(problem) {
                // Cargo has printed the details.
                anstream::eprintln!("error: {}", error.summary);
                problems.push(error);
            }
            for warning in outcome.warnings.into_iter().map(problem) {
                print(&warning);
                problems.push(warning);
            }
        }
        Ok((built, problems))
    }

    fn build_package(&self, root: &Path, suites: &[SuiteTarget]) -> Result<PackageBuild> {
        let package = suites.first().map(|suite| suite.package.clone()).unwrap_or_default();
        let version = WASM_OPT.parse().expect("a valid requirement");
        let build = SuiteBuild {
            root: root.to_owned(),
            // Suites of different packages may have the same name.
            folder: self.project.output.join("suites").join(package),
            wasm_opt: ToolQuery { names: &["wasm-opt"], version, cached: None }.find(),
            builds_wasm: self.builds_wasm,
            options: self.project.build.clone(),
        };
        build.package(suites)
    }
}

/// The files of a suite, if it was built.
fn files_of(suite: &SuiteTarget, built: &[BuiltSuite]) -> BuiltFiles {
    let built = built.iter().find(|built| built.target == *suite);
    BuiltFiles {
        target: format!("{}/{}", suite.package, suite.name),
        program: built.and_then(|built| built.program.clone()),
        module: built.and_then(|built| built.module.clone()),
    }
}

/// A problem whose first line is its summary.
fn problem(text: String) -> BuildProblem {
    let (summary, details) = text.split_once('\n').unwrap_or((&text, ""));
    BuildProblem { summary: summary.to_owned(), details: details.to_owned() }
}

fn print(problem: &BuildProblem) {
    anstream::eprintln!("warning: {}\n{}", problem.summary, problem.details);
}

fn report(built: &[BuiltSuite], start: Instant) {
    for suite in built {
        let targets = match (&suite.program, &suite.module) {
            (Some(_), Some(_)) => "for the runner and for browsers",
            (Some(_), None) => "for the runner only",
            _ => "for browsers only",
        };
        println!("Built {} {targets}: {}.", suite.target.name, suite.counts);
    }
    println!("The build took {:.1} s.", start.elapsed().as_secs_f64());
}
