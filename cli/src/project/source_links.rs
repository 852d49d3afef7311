//! The commits of suites, and the addresses of their sources at them, which the page shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchbook_build::suite_build::BuiltSuite;
use benchbook_host::fingerprint::fingerprint;
use cargo_metadata::Package;

use crate::project::Project;
use crate::project::commit::{Commit, git};

/// For each suite, the address of the folder that its source files are relative to. Suites without `repository` in their Cargo.toml, on an
/// unknown host, or with changes that are not committed have none.
pub(crate) fn source_links(project: &Project, built: &[BuiltSuite]) -> BTreeMap<String, String> {
    let link = |suite: &BuiltSuite| {
        let part = project.parts.iter().find(|part| part.suites().any(|target| *target == suite.target))?;
        let package = part.metadata.packages.iter().find(|package| *package.name == suite.target.package)?;
        let root = part.original(part.metadata.workspace_root.as_std_path());
        Some((suite.name.clone(), folder_address(&part.commit, &root, package)?))
    };
    built.iter().filter_map(link).collect()
}

/// The commits that suites were built from, by the fingerprint of their module and executable: see `SuiteCard` for their form.
pub(crate) fn commits(project: &Project, built: &[BuiltSuite]) -> BTreeMap<String, String> {
    let mut commits = BTreeMap::new();
    for part in &project.parts {
        for suite in built.iter().filter(|suite| part.suites().any(|target| *target == suite.target)) {
            let package = part.metadata.packages.iter().find(|package| *package.name == suite.target.package);
            let source = package.and_then(|package| package.targets.iter().find(|target| suite.target.is(target)));
            let Some(label) =
                source.and_then(|source| label(&part.commit, &part.original(source.src_path.as_std_path())))
            else {
                continue;
            };
            let files = [&suite.program, &suite.module].into_iter().flatten().filter_map(|file| fs::read(file).ok());
            commits.extend(files.map(|bytes| (fingerprint(&bytes), label.clone())));
        }
    }
    commits
}

/// A commit with this source file as a result shows it. `None` outside a repository, and if git does not track the file: the commit does not
/// contain it.
fn label(commit: &Commit, source: &Path) -> Option<String> {
    const DIGITS: usize = 12;
    git(source.parent()?, &["ls-files", "--error-unmatch", source.to_str()?])?;
    let digits: String = commit.hash.as_ref()?.chars().take(DIGITS).collect();
    Some(if commit.dirty { format!("{digits}+changes") } else { digits })
}

fn folder_address(commit: &Commit, root: &Path, package: &Package) -> Option<String> {
    let hash = commit.hash.as_ref().filter(|_| !commit.dirty)?;
    // With a trailing slash, or empty.
    let folder = git(root, &["rev-parse", "--show-prefix"])?;
    address(package.repository.as_deref()?, hash, &folder)
}

/// The address of a folder at a commit; `None` for an unknown host.
fn address(repository: &str, hash: &str, folder: &str) -> Option<String> {
    let repository = repository.trim_end_matches('/').trim_end_matches(".git");
    let host = repository.strip_prefix("https://")?.split('/').next()?;
    let files = match host {
        "github.com" => "blob",
        "codeberg.org" => "src/commit",
        _ if host.starts_with("gitlab.") => "-/blob",
        _ => return None,
    };
    Some(format!("{repository}/{files}/{hash}/{folder}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tracked_source_has_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| {
            let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
            git(folder.path(), &[&identity, arguments].concat()).unwrap()
        };
        let [tracked, new] = ["suite.rs", "new.rs"].map(|name| folder.path().join(name));
        let label_of = |source: &Path| label(&Commit::in_folder(folder.path()), source);
        [&tracked, &new].iter().for_each(|file| fs::write(file, "first").unwrap());
        assert_eq!(label_of(&tracked), None, "outside a repository");
        run(&["init", "--quiet"]);
        run(&["add", "suite.rs"]);
        run(&["commit", "--quiet", "--message", "First"]);
        let digits = run(&["rev-parse", "--short=12", "HEAD"]);
        assert_eq!((label_of(&tracked), label_of(&new)), (Some(digits.clone()), None));
        fs::write(&tracked, "second").unwrap();
        assert_eq!(label_of(&tracked), Some(format!("{digits}+changes")));
    }

    #[test]
    fn known_hosts_have_addresses() {
        let of = |repository| address(repository, "abc", "suite/");
        assert_eq!(of("https://github.com/o/r.git").as_deref(), Some("https://github.com/o/r/blob/abc/suite/"));
        assert_eq!(of("https://gitlab.com/o/r/").as_deref(), Some("https://gitlab.com/o/r/-/blob/abc/suite/"));
        assert_eq!(of("https://codeberg.org/o/r").as_deref(), Some("https://codeberg.org/o/r/src/commit/abc/suite/"));
        assert_eq!(
            (of("https://example.org/o/r"), of("git@github.com:o/r"), of("http://github.com/o/r")),
            (None, None, None)
        );
    }
}
