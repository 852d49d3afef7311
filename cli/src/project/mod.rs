//! The suites of a workspace: how they are found, selected and built.

pub(crate) mod benchbook_toml;
pub(crate) mod build;
pub(crate) mod commit;
pub(crate) mod counting_modules;
pub(crate) mod deliberate;
pub(crate) mod library;
pub(crate) mod mirror;
pub(crate) mod native_functions;
pub(crate) mod selection;
pub(crate) mod source_links;
pub(crate) mod suite_options;
pub(crate) mod trial;
pub(crate) mod wasm_target;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::compile::{self, BuildOptions, PrintedErrors};
use benchbook_build::progress::{BuildStep, print_line};
use benchbook_build::run_environment::RunEnvironment;
use benchbook_build::source_folders::{Dependencies, source_folders};
use benchbook_build::suite_target::SuiteTarget;
use benchbook_build::{FailedBuild, Target};
use benchbook_host::child::{ChildSettings, NativeSuite, PackageEnvironment};
use benchbook_terminal::child_settings::child_settings;
use cargo_metadata::{Metadata, Package};

use crate::project::benchbook_toml::BenchbookToml;
use crate::project::commit::Commit;
use crate::project::trial::Trial;

/// A workspace with suites: its own, and those of the packages `benchbook/` next to its crates, which are workspaces of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    /// The folder of the workspace.
    pub(crate) root: PathBuf,
    /// The folder of results and builds, in cargo's output folder of the workspace.
    pub(crate) output: PathBuf,
    /// The workspaces with at least one suite.
    pub(crate) parts: Vec<ProjectPart>,
    pub(crate) build: BuildOptions,
    /// The commit in its root, as it is before the suites are built.
    pub(crate) commit: Commit,
    /// Why targets are left out.
    pub(crate) left_out: Vec<String>,
    /// Whether notes are errors.
    pub(crate) is_strict: bool,
}

/// A workspace as cargo knows it.
#[derive(Clone, Debug)]
pub(crate) struct ProjectPart {
    pub(crate) metadata: Metadata,
    /// The selected suites of each package that has any.
    pub(crate) packages: Vec<Vec<SuiteTarget>>,
    /// Present if this is a copy of the user's workspace, in which our crates replace a harness.
    pub(crate) trial: Option<Trial>,
    /// The commit of the user's own workspace, as it is before the suites are built.
    pub(crate) commit: Commit,
}

/// A suite of the workspace, started once.
#[derive(Debug)]
pub(crate) struct OpenedSuite {
    pub(crate) target: SuiteTarget,
    pub(crate) suite: NativeSuite,
}

impl ProjectPart {
    /// The selected suites.
    pub(crate) fn suites(&self) -> impl Iterator<Item = &SuiteTarget> {
        self.packages.iter().flatten()
    }

    /// The file or folder of the user's own workspace that corresponds to one of this workspace.
    pub(crate) fn original(&self, path: &Path) -> PathBuf {
        self.trial.as_ref().map_or_else(|| path.to_owned(), |trial| trial.original(path))
    }

    /// The folders of the workspace's packages and of their local dependencies, inside and outside of the workspace.
    ///
    /// # Errors
    /// If cargo rejects the Cargo.toml of a dependency.
    pub(crate) fn source_folders(&self) -> Result<BTreeSet<PathBuf>> {
        let members: Vec<Package> = self.metadata.workspace_packages().into_iter().cloned().collect();
        let folders = source_folders(&members, members.clone(), Dependencies::Development)?;
        Ok(folders.iter().map(|folder| self.original(folder)).collect())
    }
}

impl Project {
    /// Reads the commits of the workspaces. A build takes a while, and a commit made meanwhile is not what it compiles.
    pub(crate) fn with_commits(mut self) -> Self {
        self.commit = Commit::in_folder(&self.root);
        for part in &mut self.parts {
            part.commit = Commit::in_folder(&part.original(part.metadata.workspace_root.as_std_path()));
        }
        self
    }

    /// The stored results of the runner.
    pub(crate) fn database(&self) -> PathBuf {
        self.output.join("results.sqlite")
    }

    /// The selected suites.
    pub(crate) fn suites(&self) -> impl Iterator<Item = &SuiteTarget> {
        self.parts.iter().flat_map(ProjectPart::suites)
    }

    /// The folders whose settings apply: that of the workspace, and those of the packages with suites.
    pub(crate) fn settings_folders(&self) -> impl Iterator<Item = &Path> {
        let packages = self.parts.iter().flat_map(|part| &part.metadata.packages);
        let with_suites = packages.filter(|package| self.suites().any(|suite| package.name == suite.package));
        [self.root.as_path()].into_iter().chain(with_suites.map(folder_of))
    }

    /// The location of accepted results that `benchbook.toml` names: a folder, or the address of a runner.
    ///
    /// # Errors
    /// If a `benchbook.toml` is invalid.
    pub(crate) fn history_setting(&self) -> Result<Option<PathBuf>> {
        for folder in self.settings_folders() {
            if let Some(history) = BenchbookToml::in_folder(folder)?.history {
                let is_address = history.to_str().is_some_and(|text| text.contains("://"));
                return Ok(Some(if is_address { history } else { folder.join(history) }));
            }
        }
        Ok(None)
    }

    /// Prints why targets are left out, and notes of the suites.
    ///
    /// # Errors
    /// If there is one, and the user wants none.
    pub(crate) fn report_notes<'n>(&'n self, notes: impl IntoIterator<Item = &'n String>) -> Result<()> {
        let mut has_notes = false;
        for note in self.left_out.iter().chain(notes) {
            let trials = self.parts.iter().filter_map(|part| part.trial.as_ref());
            let note = trials.fold(note.clone(), |note, trial| trial.in_terms_of_original(&note));
            anstream::eprintln!("note: {note}");
            has_notes = true;
        }
        ensure!(!(has_notes && self.is_strict), "there are notes, which `--strict` does not allow");
        Ok(())
    }

    /// The same project with one of its suites only.
    pub(crate) fn only(&self, suite: &SuiteTarget) -> Self {
        let mut only = self.clone();
        for packages in only.parts.iter_mut().flat_map(|part| &mut part.packages) {
            packages.retain(|target| target == suite);
        }
        for part in &mut only.parts {
            part.packages.retain(|suites| !suites.is_empty());
        }
        only.parts.retain(|part| !part.packages.is_empty());
        only
    }

    /// The root of the workspace with this suite.
    pub(crate) fn root_of(&self, suite: &SuiteTarget) -> Option<&Path> {
        let part = self.parts.iter().find(|part| part.suites().any(|target| target == suite))?;
        Some(part.metadata.workspace_root.as_std_path())
    }

    /// The environment in which cargo runs a suite.
    pub(crate) fn environment_of(&self, suite: &SuiteTarget) -> PackageEnvironment {
        let package = |part: &ProjectPart| {
            let package = part.metadata.packages.iter().find(|package| *package.name == suite.package)?;
            Some(RunEnvironment::of(package, part.metadata.workspace_root.as_std_path()))
        };
        let part = self.parts.iter().find(|part| part.suites().any(|target| target == suite));
        part.and_then(package).map_or_else(PackageEnvironment::default, |RunEnvironment { folder, variables }| {
            PackageEnvironment { folder: Some(folder), variables: variables.into_iter().collect() }
        })
    }

    /// Explains why the next build takes longer than later ones, if it does.
    pub(crate) fn announce_first_build(&self) {
        if self.is_first_build() {
            print_line(
                "The first build compiles Benchbook's library and all other dependencies, too. Later builds are faster.",
            );
        }
    }

    /// Whether suites were never built with this profile. A suite next to its crate has an output folder of its own.
    pub(crate) fn is_first_build(&self) -> bool {
        // The folders of cargo's own profiles have other names.
        let folder = match self.build.profile.as_str() {
            "dev" | "test" => "debug",
            "bench" => "release",
            profile => profile,
        };
        let own_target = self.build.arguments.iter().skip_while(|argument| *argument != "--target-dir").nth(1);
        let target = |part: &ProjectPart| match own_target {
            Some(folder) => PathBuf::from(folder),
            None => part.metadata.target_directory.clone().into_std_path_buf(),
        };
        let mut with_suites = self.parts.iter().filter(|part| part.suites().next().is_some());
        with_suites.any(|part| !target(part).join(folder).exists())
    }

    /// Builds the suites for this machine and opens them. A suite that fails is reported; the others remain usable.
    ///
    /// # Errors
    /// If all fail.
    pub(crate) fn open(&self) -> Result<Vec<OpenedSuite>> {
        self.announce_first_build();
        let mut opened: Vec<OpenedSuite> = Vec::new();
        for part in &self.parts {
            let root = part.metadata.workspace_root.as_std_path();
            for targets in &part.packages {
                let built = compile::suites(root, targets, Target::Native, &self.build, PrintedErrors::All)?;
                for target in targets {
                    let advice = built.failure.as_ref().and_then(FailedBuild::advice);
                    match open_suite(built.files.get(target), advice, self.environment_of(target)) {
                        Ok(suite) if opened.iter().any(|other| other.suite.suite().name == suite.suite().name) => {
                            let name = &suite.suite().name;
                            anstream::eprintln!(
                                "warning: the suite `{target}` is omitted: another suite is also named `{name}`. Rename the target, or change the name in its `suite!`"
                            );
                        }
                        Ok(suite) => {
                            opened.push(OpenedSuite { target: target.clone(), suite });
                        }
                        Err(error) => anstream::eprintln!("warning: the suite `{target}` is omitted: {error:#}"),
                    }
                }
            }
        }
        self.report_notes(opened.iter().flat_map(|one| &one.suite.suite().notes))?;
        if opened.is_empty() {
            bail!("no suite can be used, for the reasons above");
        }
        Ok(opened)
    }
}

/// * `advice`: what to do if it does not compile.
fn open_suite(program: Option<&PathBuf>, advice: Option<&str>, environment: PackageEnvironment) -> Result<NativeSuite> {
    let advice = advice.unwrap_or("cargo has printed the errors above");
    start_suite(program.with_context(|| format!("it does not compile: {advice}"))?, environment)
}

/// Opens an executable.
///
/// # Errors
/// If it is not a suite.
pub(crate) fn start_suite(program: &Path, environment: PackageEnvironment) -> Result<NativeSuite> {
    let _step = BuildStep::start(format!("Starting {}", program.file_name().unwrap_or_default().to_string_lossy()));
    NativeSuite::open_with(program, ChildSettings { environment, ..child_settings() }).context("failed to start it")
}

pub(crate) fn folder_of(package: &Package) -> &Path {
    package.manifest_path.parent().map_or(Path::new(""), |folder| folder.as_std_path())
}
