//! The search for the commit that made a difference.

use anyhow::{Context, Result, ensure};
use benchbook_pinpoint::{FoundCommit, short_hash};
use std::path::Path;

use crate::project::Project;
use crate::project::commit::{commits_between, git};

/// A range of commits, the oldest first: the difference is between both ends.
#[derive(Debug)]
pub(crate) struct Commits<'p> {
    root: &'p Path,
    hashes: Vec<String>,
}

/// Two commits with the difference between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundCommits {
    /// The number of the last one that is like the first of the range.
    pub(crate) before: usize,
    /// The number of the first one that is like the last of the range. All between both are undecided.
    pub(crate) after: usize,
}

impl<'p> Commits<'p> {
    /// The commits from one to that of a project, both included, along first parents.
    ///
    /// # Errors
    /// If the project's commit is not based on the first one, or is the same.
    pub(crate) fn since(first: &str, project: &'p Project) -> Result<Self> {
        let last = project.commit.hash.as_deref().context("the project has no commit")?;
        let hashes = commits_between(&project.root, first, last)?;
        ensure!(hashes.len() > 1, "there is no commit after {}", short_hash(first));
        Ok(Self { root: &project.root, hashes })
    }

    /// The number of commits after the first one.
    pub(crate) fn count(&self) -> usize {
        self.hashes.len() - 1
    }

    /// Searches, and prints each step. `names`: of both ends. `is_like_last`: whether a commit is like the last one rather than like the first one; `None` if
    /// that is undecided. If it fails, the commit is skipped.
    pub(crate) fn search(
        &self,
        names: [&str; 2],
        mut is_like_last: impl FnMut(&str) -> Result<Option<bool>>,
    ) -> FoundCommits {
        let between = self.count() - 1;
        first_different(self.count(), |index| {
            let hash = &self.hashes[index];
            let step = format!("{}, commit {index} of {between}", short_hash(hash));
            let is_different = is_like_last(hash);
            match &is_different {
                Ok(Some(is_different)) => anstream::eprintln!("{step}: like {}", names[usize::from(*is_different)]),
                Ok(None) => anstream::eprintln!("{step}: undecided, since its times vary too much"),
                Err(error) => anstream::eprintln!("{step}, is skipped: {error:#}"),
            }
            is_different.ok().flatten()
        })
    }

    /// The first line of the message of a commit.
    pub(crate) fn subject(&self, index: usize) -> String {
        git(self.root, &["show", "--no-patch", "--format=%s", &self.hashes[index]]).unwrap_or_default()
    }

    /// A commit as in `77c0a41f Validate the input`.
    pub(crate) fn name(&self, index: usize) -> String {
        format!("{} {}", short_hash(&self.hashes[index]), self.subject(index))
    }

    /// What was found.
    pub(crate) fn found(&self, FoundCommits { before, after }: FoundCommits) -> FoundCommit {
        let [parent, commit] = [before, after].map(|index| self.hashes[index].clone());
        FoundCommit { commit, subject: self.subject(after), parent, skipped: after - before - 1 }
    }
}

/// Finds two commits with a difference between them, and only undecided ones: the first one is like commit 0, and the second one like the `last` one.
pub(super) fn first_different(last: usize, mut is_different: impl FnMut(usize) -> Option<bool>) -> FoundCommits {
    let [mut same, mut different] = [0, last];
    let mut left: Vec<usize> = (1..last).collect();
    while let Some(middle) = left.iter().copied().min_by_key(|index| (2 * index).abs_diff(same + different)) {
        match is_different(middle) {
            Some(true) => different = middle,
            Some(false) => same = middle,
            None => {}
        }
        left.retain(|index| *index != middle && (same + 1..different).contains(index));
    }
    FoundCommits { before: same, after: different }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_found_in_few_steps_unless_it_is_undecided() {
        for last in 1..40_usize {
            for first in 1..=last {
                let mut steps = 0;
                let found = first_different(last, |index| {
                    steps += 1;
                    Some(index >= first)
                });
                assert_eq!(found, FoundCommits { before: first - 1, after: first });
                assert!(steps <= last.ilog2() + 1, "{steps} steps for {last} commits");
                let is_decided = |index: usize| !index.is_multiple_of(3) || index == first;
                let FoundCommits { before, after } =
                    first_different(last, |index| is_decided(index).then_some(index >= first));
                assert!(before < first && after >= first);
                assert!((before + 1..after).all(|index| !is_decided(index)), "{before} to {after}");
            }
        }
    }
}
