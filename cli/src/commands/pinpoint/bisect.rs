//! Which of several commits made the difference. Counts are exact, so each commit is built and counted once.

use anyhow::{Context, Result, ensure};
use benchbook_count::Rounds;
use benchbook_pinpoint::{FoundCommit, short_hash};

use super::PinpointOptions;
use super::counted::{CountedBuild, Counting, Target};
use crate::check::measure::BaselineRevision;
use crate::project::Project;
use crate::project::commit::{commits_between, git};

/// Finds the first commit after the baseline that counts like the current code rather than like the baseline. Returns the builds before and after it.
///
/// # Errors
/// If the baseline is no ancestor, if both count the same, or if the difference is not committed.
pub(super) fn bisect(
    project: &Project,
    options: &PinpointOptions,
    baseline: &BaselineRevision,
    target: &Target,
) -> Result<(FoundCommit, [CountedBuild; 2])> {
    let head = project.commit.hash.as_deref().context("the project has no commit")?;
    let commits = commits_between(&project.root, baseline.hash(), head)?;
    ensure!(commits.len() > 1, "there is no commit after the baseline");
    let count = |hash: &str| -> Result<CountedBuild> {
        let (commit, _lock) = BaselineRevision::find(project, hash)?.project(project, &options.suites)?;
        Counting::of_commit(&commit, target)?.count(target, Rounds::One)
    };
    let before = count(baseline.hash()).context("the baseline")?;
    let after = Counting::of(project, target)?.count(target, Rounds::One)?;
    let none = "the builds have counted no axis value in common";
    let ends = [before.instructions(target, &after).context(none)?, after.instructions(target, &before).context(none)?];
    ensure!(ends[0] != ends[1], "both builds execute as many instructions, so there is nothing to find");
    let is_like_current = |count: f64| (count - ends[1]).abs() < (count - ends[0]).abs();
    let mut builds = [before, after];
    if project.commit.dirty {
        let head = count("HEAD").context("the last commit")?;
        let of_head = head.instructions(target, &builds[0]).context(none)?;
        ensure!(
            is_like_current(of_head),
            "the difference is not committed: compare with the last commit, by `--baseline HEAD` without `--bisect`"
        );
        builds[1] = head;
    }
    let last = commits.len() - 1;
    let found = first_different(last, |index| {
        let (number, all) = (index, last - 1);
        let counted = count(&commits[index]).and_then(|build| {
            let instructions = build.instructions(target, &builds[0]).context(none)?;
            Ok((build, instructions))
        });
        let commit = short_hash(&commits[index]);
        match counted {
            Ok((build, instructions)) => {
                let is_different = is_like_current(instructions);
                let kind = if is_different { "like the current code" } else { "like the baseline" };
                anstream::eprintln!("{commit}, commit {number} of {all}: {kind}");
                builds[usize::from(is_different)] = build;
                Some(is_different)
            }
            Err(error) => {
                anstream::eprintln!("{commit}, commit {number} of {all}, is skipped: {error:#}");
                None
            }
        }
    });
    let [before, after] = found.map(|index| commits[index].clone());
    let subject = git(&project.root, &["show", "--no-patch", "--format=%s", &after]).unwrap_or_default();
    Ok((FoundCommit { commit: after, subject, parent: before, skipped: found[1] - found[0] - 1 }, builds))
}

/// Finds two commits with a difference between them, and only ones that cannot be counted: the first one is like commit 0, and the second one like the `last` one.
fn first_different(last: usize, mut is_different: impl FnMut(usize) -> Option<bool>) -> [usize; 2] {
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
    [same, different]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_found_in_few_steps_unless_it_cannot_be_counted() {
        for last in 1..40_usize {
            for first in 1..=last {
                let mut steps = 0;
                let found = first_different(last, |index| {
                    steps += 1;
                    Some(index >= first)
                });
                assert_eq!(found, [first - 1, first]);
                assert!(steps <= last.ilog2() + 1, "{steps} steps for {last} commits");
                let is_countable = |index: usize| !index.is_multiple_of(3) || index == first;
                let [same, different] = first_different(last, |index| is_countable(index).then_some(index >= first));
                assert!(same < first && different >= first);
                assert!((same + 1..different).all(|index| !is_countable(index)), "{same} to {different}");
            }
        }
    }

    #[test]
    fn commits_that_cannot_be_counted_are_mentioned() {
        let found = |skipped| FoundCommit {
            commit: "77c0a7e5d2c7".to_owned(),
            subject: "Count".to_owned(),
            parent: String::new(),
            skipped,
        };
        assert_eq!(found(0).sentence(), "The commit: 77c0a7e5 Count");
        assert!(found(2).sentence().ends_with("Count, or one of 2 before it, which cannot be counted"));
    }
}
