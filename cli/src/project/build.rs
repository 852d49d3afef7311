//! Builds of all suites of a project, for both targets.

use std::path::Path;

use anyhow::Result;
use benchbook_build::suite_build::{BuiltSuite, PackageBuild, SuiteBuild};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::tool::{Tool, ToolQuery};
use benchbook_host::api::{BuildProblem, BuildSeverity};

use crate::project::Project;

/// The releases of wasm-opt that are used if one of them is installed: those tested with suites.
const WASM_OPT: &str = ">=120";

/// The suites of a project that were built, and the problems of the others.
#[derive(Debug, Default)]
pub(crate) struct ProjectBuild {
    /// The suites that can be used on at least one target.
    pub(crate) built: Vec<BuiltSuite>,
    /// Why suites cannot be used on some targets, or on any.
    pub(crate) problems: Vec<BuildProblem>,
}

impl ProjectBuild {
    /// Builds the suites of a project, and prints the problems.
    ///
    /// # Errors
    /// If cargo cannot be started, or if a file cannot be written.
    pub(crate) fn run(project: &Project, builds_wasm: bool) -> Result<Self> {
        project.announce_first_build();
        let wasm_opt = wasm_opt();
        let mut outcome = Self::default();
        for part in &project.parts {
            for suites in &part.packages {
                let root = part.metadata.workspace_root.as_std_path();
                let build = suite_build(project, root, suites, builds_wasm, wasm_opt.clone());
                outcome.add(build.package(suites)?);
            }
        }
        project.report_notes(outcome.built.iter().flat_map(|suite| &suite.notes))?;
        Ok(outcome)
    }

    fn add(&mut self, package: PackageBuild) {
        self.built.extend(package.built);
        for error in package.errors.into_iter().map(|error| problem(&error, BuildSeverity::Failed)) {
            // Cargo has printed the details.
            anstream::eprintln!("error: {}", error.summary);
            self.problems.push(error);
        }
        for warning in package.warnings.into_iter().map(|warning| problem(&warning, BuildSeverity::Limit)) {
            print_warning(&warning);
            self.problems.push(warning);
        }
    }
}

/// How the suites of a package are built.
pub(crate) fn suite_build(
    project: &Project,
    root: &Path,
    suites: &[SuiteTarget],
    builds_wasm: bool,
    wasm_opt: Option<Tool>,
) -> SuiteBuild {
    let package = suites.first().map(|suite| suite.package.clone()).unwrap_or_default();
    SuiteBuild {
        root: root.to_owned(),
        // Suites of different packages may have the same name.
        folder: project.output.join("suites").join(package),
        wasm_opt,
        builds_wasm,
        options: project.build.clone(),
    }
}

fn wasm_opt() -> Option<Tool> {
    let version = WASM_OPT.parse().expect("a valid requirement");
    ToolQuery { names: &["wasm-opt"], version, cached: None }.find()
}

/// A problem whose first line is its summary.
fn problem(text: &str, severity: BuildSeverity) -> BuildProblem {
    let (summary, details) = text.split_once('\n').unwrap_or((text, ""));
    BuildProblem { summary: summary.to_owned(), details: details.to_owned(), severity }
}

/// Prints a problem that does not prevent all use of a suite.
pub(crate) fn print_warning(problem: &BuildProblem) {
    anstream::eprintln!("warning: {}\n{}", problem.summary, problem.details);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_leave_the_previous_build() {
        let mut outcome = ProjectBuild::default();
        let (errors, warnings) =
            (vec!["`a` does not compile\nerror".to_owned()], vec!["browsers cannot measure all of `b`".to_owned()]);
        outcome.add(PackageBuild { built: Vec::new(), errors, warnings });
        let problems: Vec<_> =
            outcome.problems.iter().map(|one| (one.summary.as_str(), one.details.as_str(), one.severity)).collect();
        assert_eq!(
            problems,
            [
                ("`a` does not compile", "error", BuildSeverity::Failed),
                ("browsers cannot measure all of `b`", "", BuildSeverity::Limit)
            ]
        );
    }
}
