//! Builds the suites whenever their sources change, and gives them to the runner.

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use benchbook_build::progress::BuildStep;
use benchbook_build::suite_build::BuiltSuite;
use benchbook_build::suite_target::SuiteTarget;
use benchbook_host::api::{BuildProblem, BuildSeverity};
use benchbook_server::service::suite_updates::{BuiltFiles, SuiteUpdates};

use super::sources::WatchedSources;
use crate::project::Project;
use crate::project::build::{ProjectBuild, print_warning};
use crate::project::source_links::commits;
use crate::project::suite_options::SuiteOptions;
use crate::project::wasm_target;

/// Builds the suites whenever their sources change.
pub(super) struct BuildLoop {
    options: SuiteOptions,
    project: Project,
    updates: SuiteUpdates,
    /// Absent if there is only one build.
    sources: Option<WatchedSources>,
    builds_wasm: bool,
    /// The runner's stored results.
    database: PathBuf,
}

impl BuildLoop {
    /// `watches`: whether the suites are built again when their sources change.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub(super) fn new(options: SuiteOptions, project: Project, updates: SuiteUpdates, watches: bool) -> Result<Self> {
        let sources = if watches { Some(WatchedSources::new(&project)?) } else { None };
        let builds_wasm = wasm_target::ensure_installed()?;
        let database = project.database();
        Ok(Self { options, project, updates, sources, builds_wasm, database })
    }

    /// Builds until the program ends.
    pub(super) fn run(mut self) {
        loop {
            self.updates.start_build();
            let start = Instant::now();
            match self.build() {
                Ok(ProjectBuild { built, problems: mut known }) => {
                    // Already printed at startup.
                    known.extend((!self.builds_wasm).then(wasm_target::missing_library_problem));
                    let files: Vec<BuiltFiles> =
                        self.project.suites().map(|suite| self.files_of(suite, &built)).collect();
                    let reported = known.iter().cloned().chain(self.lost_results()).collect();
                    let step = BuildStep::start("Starting the suites");
                    let problems = self.updates.end_build(&files, commits(&self.project, &built), reported);
                    drop(step);
                    problems.iter().filter(|problem| !known.contains(problem)).for_each(print_warning);
                    report(&built, start);
                }
                Err(error) => {
                    anstream::eprintln!("error: {error:#}");
                    let summary = "The suites could not be built.".to_owned();
                    self.updates.fail_build(BuildProblem {
                        summary,
                        details: format!("{error:#}"),
                        severity: BuildSeverity::Failed,
                    });
                }
            }
            let Some(sources) = &mut self.sources else { return };
            // A build may complete it.
            for part in &self.project.parts {
                sources.accept(&part.original(part.metadata.workspace_root.join("Cargo.lock").as_std_path()));
            }
            sources.wait();
            println!("\nA source file has changed.");
        }
    }

    /// Reports that the stored results were deleted, for example by `cargo clean`: the runner has opened them once.
    fn lost_results(&self) -> Option<BuildProblem> {
        (!self.database.exists()).then(|| BuildProblem {
            summary:
                "The stored results were deleted, so the runner cannot store new ones. Start `cargo benchbook` again."
                    .to_owned(),
            details: format!("They were in {}.", self.database.display()),
            severity: BuildSeverity::Problem,
        })
    }

    /// The files of a suite, if it was built.
    fn files_of(&self, suite: &SuiteTarget, built: &[BuiltSuite]) -> BuiltFiles {
        let built = built.iter().find(|built| built.target == *suite);
        BuiltFiles {
            target: format!("{}/{}", suite.package, suite.name),
            program: built.and_then(|built| built.program.clone()),
            module: built.and_then(|built| built.module.clone()),
            environment: self.project.environment_of(suite),
        }
    }

    /// Builds all suites of the project as it is now.
    fn build(&mut self) -> Result<ProjectBuild> {
        let root = &self.project.root;
        // If the folder was deleted and created again, the current folder is still the deleted one, in which no program starts.
        env::set_current_dir(root).with_context(|| {
            format!(
                "the folder {} cannot be opened. As soon as it exists again, the suites are built again",
                root.display()
            )
        })?;
        self.project = self.options.project()?;
        if let Some(sources) = &mut self.sources {
            sources.follow(&self.project)?;
        }
        ProjectBuild::run(&self.project, self.builds_wasm)
    }
}

fn report(built: &[BuiltSuite], start: Instant) {
    for suite in built {
        let targets = match (&suite.program, &suite.module) {
            (Some(_), Some(_)) => "for the runner and for browsers",
            (Some(_), None) => "for the runner only",
            _ => "for browsers only",
        };
        println!("Built {} {targets}: {}.", suite.target, suite.counts);
    }
    println!("The build took {:.1} s.", start.elapsed().as_secs_f64());
}
