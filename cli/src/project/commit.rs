//! The commit in a folder.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The commit in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Absent without git, or outside a repository.
    pub(crate) hash: Option<String>,
    /// Whether files differ from it.
    pub(crate) dirty: bool,
}

impl Commit {
    /// The commit that is checked out in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let hash = git(folder, &["rev-parse", "HEAD"]);
        // New files include the accepted results themselves.
        let changed = git(folder, &["status", "--porcelain", "--untracked-files=no"]);
        Self { hash, dirty: changed.is_some_and(|files| !files.is_empty()) }
    }
}

/// A command of git in a folder, also if git itself has started this program, as a hook.
pub(crate) fn git_command(folder: &Path, arguments: &[&str]) -> Command {
    const LOCATIONS: [&str; 6] =
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(arguments);
    // `cargo benchbook` reads the status before each build, which must not lock the index while the user commits.
    git.env("GIT_OPTIONAL_LOCKS", "0");
    for location in LOCATIONS {
        git.env_remove(location);
    }
    git
}

/// What git prints in a folder, without the final line end; `None` if it fails.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = git_command(folder, arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}

/// The commits from one to another, both included, along first parents.
///
/// # Errors
/// If the other one is not based on the first one.
pub(crate) fn commits_between(folder: &Path, first: &str, last: &str) -> Result<Vec<String>> {
    let short = |hash: &str| hash.get(..8).unwrap_or(hash).to_owned();
    ensure!(
        git(folder, &["merge-base", "--is-ancestor", first, last]).is_some(),
        "{} is not based on {}",
        short(last),
        short(first)
    );
    let listed = git(folder, &["rev-list", "--reverse", "--first-parent", &format!("{first}..{last}")]);
    let mut commits = vec![first.to_owned()];
    commits.extend(listed.context("failed to list the commits")?.lines().map(str::to_owned));
    Ok(commits)
}

/// The names of both ends of a range of commits, such as `v1.2..HEAD`; without a second name, the current commit is the end.
///
/// # Errors
/// If it is no range.
pub(crate) fn range_ends(range: &str) -> Result<(&str, &str)> {
    let ends = range.split_once("..").filter(|(first, last)| !first.is_empty() && !last.starts_with('.'));
    let (first, last) = ends.with_context(|| format!("`{range}` is not a range of commits such as v1.2..HEAD"))?;
    Ok((first, if last.is_empty() { "HEAD" } else { last }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_two_ends() {
        assert_eq!(range_ends("v1.2..main").unwrap(), ("v1.2", "main"));
        assert_eq!(range_ends("v1.2..").unwrap(), ("v1.2", "HEAD"));
        for wrong in ["v1.2", "..main", "v1.2...main"] {
            assert!(range_ends(wrong).unwrap_err().to_string().contains("is not a range of commits"), "{wrong}");
        }
    }
}
