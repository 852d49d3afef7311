//! The addresses of the sources of suites at their commit, which the page links to.

use std::collections::BTreeMap;
use std::path::Path;

use benchbook_build::suite_build::BuiltSuite;
use cargo_metadata::Package;

use crate::check::commit::{Commit, git};
use crate::project::Project;

/// For each suite, the address of the folder that its source files are relative to. Suites without `repository` in their Cargo.toml, on an
/// unknown host, or with changes that are not committed have none.
pub(crate) fn source_links(project: &Project, built: &[BuiltSuite]) -> BTreeMap<String, String> {
    let link = |suite: &BuiltSuite| {
        let part = project.parts.iter().find(|part| part.suites().any(|target| *target == suite.target))?;
        let package = part.metadata.packages.iter().find(|package| *package.name == suite.target.package)?;
        Some((suite.name.clone(), folder_address(&part.original(part.metadata.workspace_root.as_std_path()), package)?))
    };
    built.iter().filter_map(link).collect()
}

fn folder_address(root: &Path, package: &Package) -> Option<String> {
    let Commit { hash, dirty } = Commit::in_folder(root);
    let hash = hash.filter(|_| !dirty)?;
    // With a trailing slash, or empty.
    let folder = git(root, &["rev-parse", "--show-prefix"])?;
    address(package.repository.as_deref()?, &hash, &folder)
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
