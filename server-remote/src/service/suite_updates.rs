//! Replaces the suites of a runner while it serves clients.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use benchbook_host::api::{BuildProblem, BuildSeverity};
use benchbook_host::child::PackageEnvironment;
use benchbook_host::fingerprint::fingerprint;

use crate::config::{Config, SuiteFiles};
use crate::measure::runner::Runner;
use crate::suites::Protections;
use crate::suites::build_feed::BuildFeed;
use crate::suites::table::{HostedSuite, HostedSuites, PageSuite, SuiteModules};
use crate::suites::{check_name, open};

/// Replaces the suites of a runner, and notifies its clients of builds.
pub struct SuiteUpdates {
    runner: Arc<Runner>,
    config: Config,
    protections: Protections,
    /// What each target has become.
    hosted: Mutex<BTreeMap<String, UpdatedSuite>>,
}

/// What a target has become.
#[derive(Clone)]
enum UpdatedSuite {
    Hosted(Arc<HostedSuite>),
    OfPage(PageSuite),
}

/// The files of a suite after a build. Without any, the suite does not compile, and remains as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltFiles {
    /// Its cargo target: the package and the name. The suite itself has a name too.
    pub target: String,
    /// The executable; absent if the suite compiles for wasm only.
    pub program: Option<PathBuf>,
    /// The wasm module; absent if the suite compiles natively only.
    pub module: Option<PathBuf>,
    /// The environment of its processes.
    pub environment: PackageEnvironment,
}

impl SuiteUpdates {
    pub(crate) fn new(runner: Arc<Runner>, config: Config, protections: Protections) -> Self {
        Self { runner, config, protections, hosted: Mutex::default() }
    }

    /// Reports that a build has started.
    pub fn start_build(&self) {
        self.feed().inspect(|feed| feed.start());
    }

    /// Replaces the suites by those that were built, and reports `problems` and those that occur here. Suites that have not changed
    /// stay as they are; measurements in progress continue with the executables that they have started with. `commits`: those that the files
    /// were built from, by their fingerprint. Returns all problems.
    pub fn end_build(
        &self,
        built: &[BuiltFiles],
        commits: BTreeMap<String, String>,
        mut problems: Vec<BuildProblem>,
    ) -> Vec<BuildProblem> {
        let mut hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = BTreeMap::new();
        let mut list = HostedSuites { commits, ..HostedSuites::default() };
        for files in built {
            let old = hosted.get(&files.target);
            let updated = self.update(files, old).unwrap_or_else(|error| {
                problems.push(unusable(files, &error));
                old.cloned()
            });
            let Some(updated) = updated else { continue };
            if let Err(error) = list.add(updated.clone()) {
                problems.push(unusable(files, &error));
            }
            new.insert(files.target.clone(), updated);
        }
        *hosted = new;
        let current = self.runner.setup.suites.current();
        let is_replaced = !list.is_same(&current);
        if is_replaced {
            list.retain_from(&current);
            self.runner.setup.suites.replace(list);
        }
        self.feed().inspect(|feed| feed.end(is_replaced, problems.clone()));
        problems
    }

    /// Reports that the build has failed as a whole: the suites stay as they are.
    pub fn fail_build(&self, problem: BuildProblem) {
        self.feed().inspect(|feed| feed.end(false, vec![problem]));
    }

    fn feed(&self) -> Option<&BuildFeed> {
        self.runner.setup.builds.as_ref()
    }

    /// What a target becomes by a build; `None` if it has never compiled.
    fn update(&self, files: &BuiltFiles, old: Option<&UpdatedSuite>) -> Result<Option<UpdatedSuite>> {
        let read = |path: &PathBuf| fs::read(path).with_context(|| format!("failed to read {}", path.display()));
        let module = files.module.as_deref().map(SuiteModules::read).transpose()?;
        let Some(program) = &files.program else {
            // The name of the suite is inside the module, which only the page runs.
            let of_page = module.map(|wasm| UpdatedSuite::OfPage(PageSuite { name: files.target.clone(), wasm }));
            return Ok(of_page.or_else(|| old.cloned()));
        };
        let fingerprint = fingerprint(&read(program)?);
        if let Some(UpdatedSuite::Hosted(old)) = old
            && old.entry.card.fingerprint == fingerprint
            && old.wasm == module
        {
            return Ok(Some(UpdatedSuite::Hosted(Arc::clone(old))));
        }
        let BuiltFiles { module, environment, .. } = files.clone();
        let files = SuiteFiles { executable: program.clone(), wasm: module, environment };
        Ok(Some(UpdatedSuite::Hosted(Arc::new(open(&files, &self.config, &self.protections)?))))
    }
}

fn unusable(files: &BuiltFiles, error: &anyhow::Error) -> BuildProblem {
    let summary = format!("The suite `{}` cannot be used.", files.target);
    BuildProblem { summary, details: format!("{error:#}"), severity: BuildSeverity::Failed }
}

impl HostedSuites {
    fn add(&mut self, suite: UpdatedSuite) -> Result<()> {
        match suite {
            UpdatedSuite::Hosted(suite) => {
                check_name(suite.name(), self.hosted.iter().map(|suite| suite.name()))?;
                self.hosted.push(suite);
            }
            UpdatedSuite::OfPage(suite) => self.of_page.push(suite),
        }
        Ok(())
    }
}
