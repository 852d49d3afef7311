//! Which of several commits changed the counts. These are exact, so each commit is built and counted once.

use anyhow::{Context, Result, bail, ensure};
use benchbook_count::Rounds;

use super::search::{Commits, FoundCommits};
use crate::check::measure::BaselineRevision;
use crate::commands::pinpoint::counted::{CountedBuild, Counting, Target};
use crate::project::Project;
use crate::project::suite_options::SuiteOptions;

/// Both ends of a range of commits, counted.
pub(crate) struct CountedEnds<'a> {
    project: &'a Project,
    options: &'a SuiteOptions,
    target: &'a Target,
    builds: [CountedBuild; 2],
    /// The wasm instructions per call.
    pub(crate) instructions: [f64; 2],
}

const NOTHING_SHARED: &str = "the builds have counted no axis value in common";

impl<'a> CountedEnds<'a> {
    /// Counts a revision and a project.
    ///
    /// # Errors
    /// If one of them cannot be counted.
    pub(crate) fn count(
        first: &BaselineRevision,
        project: &'a Project,
        options: &'a SuiteOptions,
        target: &'a Target,
    ) -> Result<Self> {
        let before = count(project, options, target, first.hash()).context("the first commit")?;
        let after = Counting::of(project, target)?.count(target, Rounds::One)?;
        let instructions = [before.instructions(target, &after), after.instructions(target, &before)];
        let [Some(of_before), Some(of_after)] = instructions else { bail!(NOTHING_SHARED) };
        Ok(Self { project, options, target, builds: [before, after], instructions: [of_before, of_after] })
    }

    /// How many more instructions the project executes per call, relative to the first commit.
    pub(crate) fn growth(&self) -> f64 {
        self.instructions[1] / self.instructions[0] - 1.0
    }

    /// Finds the first commit that counts like the project rather than like the first one. Returns also the builds before and after it. `names`: of both ends.
    ///
    /// # Errors
    /// If both count the same, or if the difference is not committed.
    pub(crate) fn search(
        mut self,
        commits: &Commits<'_>,
        names: [&str; 2],
    ) -> Result<(FoundCommits, [CountedBuild; 2])> {
        let [first, last] = self.instructions;
        ensure!(first != last, "both builds execute as many instructions, so there is nothing to find");
        let is_like_last = |count: f64| (count - last).abs() < (count - first).abs();
        if self.project.commit.dirty {
            let (head, instructions) = self.counted("HEAD").context("the last commit")?;
            ensure!(
                is_like_last(instructions),
                "the difference is not committed: compare with the last commit, by `--baseline HEAD` without `--bisect`"
            );
            self.builds[1] = head;
        }
        let found = commits.search(names, |hash| {
            let (build, instructions) = self.counted(hash)?;
            let is_like_last = is_like_last(instructions);
            self.builds[usize::from(is_like_last)] = build;
            Ok(Some(is_like_last))
        });
        Ok((found, self.builds))
    }

    fn counted(&self, revision: &str) -> Result<(CountedBuild, f64)> {
        let build = count(self.project, self.options, self.target, revision)?;
        let instructions = build.instructions(self.target, &self.builds[0]).context(NOTHING_SHARED)?;
        Ok((build, instructions))
    }
}

fn count(project: &Project, options: &SuiteOptions, target: &Target, revision: &str) -> Result<CountedBuild> {
    let (commit, _lock) = BaselineRevision::find(project, revision)?.project(project, options)?;
    Counting::of_commit(&commit, target)?.count(target, Rounds::One)
}
