//! Replaces the suites of a runner while it serves clients.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::body::Bytes;
use benchbook_host::api::BuildProblem;
use benchbook_host::fingerprint::fingerprint;

use crate::build_feed::BuildFeed;
use crate::config::{Config, SuiteFiles};
use crate::protections::Protections;
use crate::runner::Runner;
use crate::suite_table::{HostedSuite, PageSuite, SuiteList};
use crate::suites::{check_name, open};

/// Replaces the suites of a runner, and tells its clients about builds.
pub struct SuiteUpdates {
    runner: Arc<Runner>,
    config: Config,
    protections: Protections,
}

/// The files of a suite after a build, at least one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltFiles {
    /// The name of its cargo target, for messages; the suite itself has a name too.
    pub target: String,
    /// The executable; absent if the suite compiles for wasm only.
    pub program: Option<PathBuf>,
    /// The wasm module; absent if the suite compiles natively only.
    pub module: Option<PathBuf>,
}

impl SuiteUpdates {
    pub(crate) fn new(runner: Arc<Runner>, config: Config, protections: Protections) -> Self {
        Self { runner, config, protections }
    }

    /// Reports that a build has started.
    pub fn start_build(&self) {
        self.feed().inspect(|feed| feed.start());
    }

    /// Replaces the suites by those that were built, and reports `problems` and those that occur here. Suites that have not changed
    /// stay as they are; measurements in progress continue with the executables that they have started with. Returns all problems.
    pub fn end_build(&self, built: &[BuiltFiles], mut problems: Vec<BuildProblem>) -> Vec<BuildProblem> {
        let old = self.runner.setup.suites.current();
        let mut new = SuiteList::default();
        for files in built {
            if let Err(error) = self.add(files, &old, &mut new) {
                let summary = format!("The suite `{}` cannot be used.", files.target);
                problems.push(BuildProblem { summary, details: format!("{error:#}") });
            }
        }
        let is_replaced = !new.is_same(&old);
        if is_replaced {
            self.runner.setup.suites.replace(new);
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

    fn add(&self, files: &BuiltFiles, old: &SuiteList, new: &mut SuiteList) -> Result<()> {
        let read = |path: &PathBuf| fs::read(path).with_context(|| format!("reading {}", path.display()));
        let module = files.module.as_ref().map(read).transpose()?.map(Bytes::from);
        let Some(program) = &files.program else {
            if let Some(wasm) = module {
                // Its own name is inside the module, which only the page runs.
                new.of_page.push(PageSuite { name: files.target.clone(), wasm });
            }
            return Ok(());
        };
        let print = fingerprint(&read(program)?);
        let is_same = |suite: &&Arc<HostedSuite>| suite.entry.card.fingerprint == print && suite.wasm == module;
        let suite = match old.hosted.iter().find(is_same) {
            Some(suite) => Arc::clone(suite),
            None => {
                let wasm = files.module.clone();
                let files = SuiteFiles { executable: program.clone(), wasm };
                Arc::new(open(&files, &self.config, &self.protections)?)
            }
        };
        check_name(suite.name(), new.hosted.iter().map(|suite| suite.name()))?;
        new.hosted.push(suite);
        Ok(())
    }
}
