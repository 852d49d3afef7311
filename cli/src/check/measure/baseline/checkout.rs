//! The sources of the baseline: a commit, checked out in a folder of its own.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::project::commit::{git, git_command};
use crate::project::mirror::Mirror;

/// The cache folder of the worktrees.
const WORKTREES: &str = "worktrees";

/// That of commits which are compared with other ones.
const LATER: &str = "later";

/// A commit in a git worktree.
#[derive(Clone, Debug)]
pub(super) struct BaselineCheckout {
    /// The revision as the user named it.
    pub(super) revision: String,
    /// The hash of the commit.
    pub(super) hash: String,
    /// The worktree, and the repository that it belongs to.
    pub(super) mirror: Mirror,
}

impl BaselineCheckout {
    /// Finds the commit of a revision, such as `main`, in the repository that contains a folder.
    ///
    /// # Errors
    /// Without git, outside a repository, and for an unknown revision.
    pub(super) fn find(folder: &Path, revision: &str) -> Result<Self> {
        let version = git(folder, &["--version"]);
        version.context("`--baseline` requires git, which was not found. Install git")?;
        let repository = git(folder, &["rev-parse", "--show-toplevel"]).with_context(|| {
            format!("`--baseline` requires a git repository, but {} is not in a git work tree", folder.display())
        })?;
        let commit = format!("{revision}^{{commit}}");
        let hash = git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let hash = hash.with_context(|| unknown_revision(folder, revision))?;
        Ok(Self { revision: revision.to_owned(), hash, mirror: Mirror::new(WORKTREES, Path::new(&repository)) })
    }

    /// The same commit, in a worktree that baselines do not use.
    pub(super) fn later(self) -> Self {
        Self { mirror: Mirror::new(LATER, &self.mirror.original), ..self }
    }

    /// Checks the commit out. Files that are the same in both commits keep their times, so that cargo does not compile them again. As long as the
    /// returned lock exists, other checks wait.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn check_out(&self) -> Result<File> {
        let Mirror { folder: worktree, original: repository, .. } = &self.mirror;
        let lock = self.mirror.lock()?;
        check_out(worktree, repository, &self.hash)?;
        let git_folder = git(repository, &["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        check_out_submodules(
            worktree,
            Path::new(&git_folder.context("the repository has no folder (this is a bug)")?),
        )?;
        Ok(lock)
    }

    /// Copies a file that the commit does not contain, such as a `Cargo.lock` that git ignores: both builds then have the same dependencies.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub(super) fn supply(&self, path: &Path) -> Result<()> {
        let to = self.mirror.counterpart(path)?;
        let copying = || format!("failed to copy {} to {}", path.display(), to.display());
        let is_in_commit =
            to.to_str().is_some_and(|to| git(&self.mirror.folder, &["ls-files", "--error-unmatch", to]).is_some());
        if !is_in_commit {
            fs::create_dir_all(to.parent().context("the file has no folder (this is a bug)")?).with_context(copying)?;
            fs::copy(path, &to).with_context(copying)?;
        }
        Ok(())
    }
}

/// Why a revision is unknown, and what to do.
fn unknown_revision(folder: &Path, revision: &str) -> String {
    if git(folder, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_none() {
        return format!("`{revision}` is not a commit: this repository has none yet. Commit your files first");
    }
    if git(folder, &["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true") {
        return format!(
            "`{revision}` is not a commit of this clone, which lacks earlier commits. Fetch them with `git fetch --unshallow`, or, in a GitHub workflow, set \
             `fetch-depth: 0` for actions/checkout (2 is enough for the commit before)"
        );
    }
    format!(
        "`{revision}` is not a commit of this repository. If it is a branch of a remote, fetch it with `git fetch origin`, and name it `origin/BRANCH`"
    )
}

/// Checks the submodules of a worktree out, from the clones that the repository has, without a network. Only those that it lacks are cloned. `git_folder`:
/// that of the repository.
///
/// # Errors
/// If git fails.
fn check_out_submodules(worktree: &Path, git_folder: &Path) -> Result<()> {
    const PATHS: &str = r"^submodule\..*\.path$";
    let listed = git(worktree, &["config", "--file", ".gitmodules", "--null", "--get-regexp", PATHS]);
    for entry in listed.iter().flat_map(|listed| listed.split('\0')) {
        let Some((key, path)) = entry.split_once('\n') else { continue };
        let name = key.trim_start_matches("submodule.").trim_end_matches(".path");
        let (clone, folder) = (git_folder.join("modules").join(name), worktree.join(path));
        // The commit may contain no such folder.
        let Some(commit) = git(worktree, &["rev-parse", "--verify", "--quiet", &format!("HEAD:{path}")]) else {
            continue;
        };
        if git(&clone, &["cat-file", "-e", &commit]).is_some() {
            check_out(&folder, &clone, &commit)?;
            check_out_submodules(&folder, &clone)?;
        } else {
            run(worktree, &["submodule", "update", "--quiet", "--init", "--recursive", "--force", "--", path])?;
        }
    }
    Ok(())
}

/// Checks a commit of a repository out in a worktree, which is created if necessary.
///
/// # Errors
/// If git fails.
fn check_out(worktree: &Path, repository: &Path, commit: &str) -> Result<()> {
    let folder = worktree.to_str().context("the path of the cache folder is not valid Unicode")?;
    let is_worktree = worktree.join(".git").exists() && git(worktree, &["rev-parse", "HEAD"]).is_some();
    if is_worktree {
        run(worktree, &["checkout", "--quiet", "--force", "--detach", commit])?;
        // Build scripts of other revisions may have left files.
        return run(worktree, &["clean", "--quiet", "-ffdx"]);
    }
    // The repository may still list a worktree that was deleted.
    if worktree.exists() {
        fs::remove_dir_all(worktree).with_context(|| format!("failed to delete {folder}"))?;
    }
    run(repository, &["worktree", "prune"])?;
    fs::create_dir_all(worktree).with_context(|| format!("failed to create {folder}"))?;
    run(repository, &["worktree", "add", "--force", "--detach", folder, commit])
}

/// Deletes the worktrees of the repository that contains a folder. Does nothing without git, and outside a repository.
///
/// # Errors
/// If one cannot be deleted.
pub(super) fn remove_worktrees(folder: &Path) -> Result<()> {
    let Some(repository) = git(folder, &["rev-parse", "--show-toplevel"]) else { return Ok(()) };
    let later = Mirror::new(LATER, Path::new(&repository));
    Mirror::new(WORKTREES, &later.folder).delete()?;
    later.delete()?;
    Mirror::new(WORKTREES, Path::new(&repository)).delete()?;
    run(Path::new(&repository), &["worktree", "prune"])
}

/// Runs git in a folder.
///
/// # Errors
/// What it prints.
pub(super) fn run(folder: &Path, arguments: &[&str]) -> Result<()> {
    let output = git_command(folder, arguments).output().context("failed to start git")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`git {}` failed: {}", arguments.join(" "), errors.trim());
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A repository with a commit, and the hash of the commit.
    pub(in crate::check::measure::baseline) fn repository() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| {
            let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
            run(folder.path(), &[&identity, arguments].concat()).unwrap();
        };
        run(&["init", "--quiet", "--initial-branch", "main"]);
        fs::create_dir(folder.path().join("member")).unwrap();
        fs::write(folder.path().join("member/lib.rs"), "first").unwrap();
        run(&["add", "."]);
        run(&["commit", "--quiet", "--message", "First"]);
        let hash = git(folder.path(), &["rev-parse", "HEAD"]).unwrap();
        fs::write(folder.path().join("member/lib.rs"), "second").unwrap();
        run(&["commit", "--quiet", "--all", "--message", "Second"]);
        (folder, hash)
    }

    #[test]
    fn a_revision_is_checked_out_outside_the_repository() {
        let (folder, hash) = repository();
        let checkout = BaselineCheckout::find(&folder.path().join("member"), "main~1").unwrap();
        assert_eq!(checkout.hash, hash);
        assert!(!checkout.mirror.folder.starts_with(folder.path()));
        checkout.check_out().unwrap();
        let file = checkout.mirror.counterpart(&folder.path().join("member/lib.rs")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "first");
        // A changed worktree is restored, and one that was deleted is created again.
        fs::write(&file, "changed").unwrap();
        checkout.check_out().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "first");
        fs::remove_dir_all(&checkout.mirror.folder).unwrap();
        checkout.check_out().unwrap();
        fs::write(folder.path().join("Cargo.lock"), "lock").unwrap();
        checkout.supply(&folder.path().join("Cargo.lock")).unwrap();
        assert_eq!(fs::read_to_string(checkout.mirror.folder.join("Cargo.lock")).unwrap(), "lock");
        fs::write(folder.path().join("Cargo.lock"), "newer").unwrap();
        checkout.supply(&folder.path().join("Cargo.lock")).unwrap();
        assert_eq!(fs::read_to_string(checkout.mirror.folder.join("Cargo.lock")).unwrap(), "newer");
        checkout.supply(&folder.path().join("member/lib.rs")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "first", "the commit contains it");
        // A folder that is no worktree any more, since the repository was cloned again.
        fs::write(checkout.mirror.folder.join(".git"), "gitdir: /nowhere").unwrap();
        checkout.check_out().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "first");
        remove_worktrees(folder.path()).unwrap();
        assert!(!checkout.mirror.folder.exists());
        let listed = git(folder.path(), &["worktree", "list", "--porcelain"]).unwrap();
        assert_eq!(listed.matches("worktree ").count(), 1, "{listed}");
    }

    /// The addresses of the submodules do not exist any more: the repository's own clones are used.
    #[test]
    fn submodules_are_checked_out_without_their_origin() {
        let (inner, _) = repository();
        let (middle, _) = repository();
        let (outer, _) = repository();
        let run = |folder: &tempfile::TempDir, arguments: &[&str]| {
            const SETTINGS: [&str; 6] =
                ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"];
            run(folder.path(), &[&SETTINGS, arguments].concat()).unwrap();
        };
        let path = |folder: &tempfile::TempDir| folder.path().to_str().unwrap().to_owned();
        run(&middle, &["submodule", "--quiet", "add", &path(&inner), "deps/inner"]);
        run(&middle, &["commit", "--quiet", "--message", "Add inner"]);
        run(&outer, &["submodule", "--quiet", "add", "--name", "other name", &path(&middle), "middle"]);
        run(&outer, &["submodule", "--quiet", "update", "--init", "--recursive"]);
        run(&outer, &["commit", "--quiet", "--message", "Add middle"]);
        drop((inner, middle));
        let checkout = BaselineCheckout::find(outer.path(), "HEAD").unwrap();
        // Twice: the worktrees exist the second time.
        for _ in 0..2 {
            let _lock = checkout.check_out().unwrap();
            let file = checkout.mirror.folder.join("middle/deps/inner/member/lib.rs");
            assert_eq!(fs::read_to_string(&file).unwrap(), "second");
            fs::write(file, "changed").unwrap();
        }
        remove_worktrees(outer.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn folders_next_to_the_repository_have_the_same_relative_path() {
        let (folder, _) = repository();
        let checkout = BaselineCheckout::find(folder.path(), "main~1").unwrap();
        let _lock = checkout.check_out().unwrap();
        let workspace = tempfile::tempdir().unwrap();
        let dependency = workspace.path().join("crates/dependency");
        fs::create_dir_all(&dependency).unwrap();
        fs::write(dependency.join("lib.rs"), "of the dependency").unwrap();
        fs::write(workspace.path().join("Cargo.toml"), "of its workspace").unwrap();
        // Twice: the link exists the second time.
        for _ in 0..2 {
            checkout.mirror.link(&dependency.canonicalize().unwrap()).unwrap();
        }
        checkout.mirror.link(&folder.path().join("member").canonicalize().unwrap()).unwrap();
        let name = workspace.path().file_name().unwrap();
        let next = checkout.mirror.folder.parent().unwrap().join(name);
        assert_eq!(fs::read_to_string(next.join("crates/dependency/lib.rs")).unwrap(), "of the dependency");
        assert_eq!(fs::read_to_string(next.join("Cargo.toml")).unwrap(), "of its workspace");
        remove_worktrees(folder.path()).unwrap();
        assert!(!checkout.mirror.folder.exists() && dependency.join("lib.rs").exists());
    }

    #[test]
    fn unknown_revisions_and_other_folders_are_rejected_with_advice() {
        let (folder, _) = repository();
        let error = |folder: &Path, revision| BaselineCheckout::find(folder, revision).unwrap_err().to_string();
        assert!(error(folder.path(), "none").starts_with("`none` is not a commit of this repository."));
        assert!(error(folder.path(), "--all").starts_with("`--all` is not a commit"));
        let outside = tempfile::tempdir().unwrap();
        assert!(error(outside.path(), "main").contains("is not in a git work tree"));
        run(outside.path(), &["init", "--quiet"]).unwrap();
        assert!(error(outside.path(), "main").contains("this repository has none yet. Commit"));
        let shallow = tempfile::tempdir().unwrap();
        let origin = format!("file://{}", folder.path().display());
        run(shallow.path(), &["clone", "--quiet", "--depth", "1", &origin, "."]).unwrap();
        assert!(error(shallow.path(), "HEAD~1").contains("Fetch them with `git fetch --unshallow`"));
        run(shallow.path(), &["fetch", "--quiet", "--unshallow"]).unwrap();
        BaselineCheckout::find(shallow.path(), "HEAD~1").unwrap();
    }
}
