//! Finding a tool: whether the one on PATH or the one that we keep has a version that will do.

use std::path::{Path, PathBuf};
use std::process::Command;

use semver::{Version, VersionReq};

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) path: PathBuf,
    pub(crate) version: Version,
}

/// A tool that is looked for.
pub(super) struct Wanted<'a> {
    /// Its names, the preferred one first.
    pub(super) names: &'a [&'a str],
    pub(super) version: VersionReq,
    /// Where it is when we have installed it.
    pub(super) cached: Option<PathBuf>,
}

impl Wanted<'_> {
    /// Of each name PATH gives the first only: that is what trunk would start too.
    pub(super) fn find(&self) -> Option<Tool> {
        let on_path = self.names.iter().filter_map(|name| which::which(name).ok());
        first_fit(on_path.chain(self.cached.clone()), &self.version, ask_version)
    }
}

fn first_fit(
    candidates: impl IntoIterator<Item = PathBuf>,
    wanted: &VersionReq,
    version_of: impl Fn(&Path) -> Option<Version>,
) -> Option<Tool> {
    candidates.into_iter().find_map(|path| {
        let version = version_of(&path).filter(|version| wanted.matches(version))?;
        Some(Tool { path, version })
    })
}

/// What the tool answers to `--version`; nothing where it does not start.
pub(super) fn ask_version(tool: &Path) -> Option<Version> {
    let output = Command::new(tool).arg("--version").output().ok().filter(|output| output.status.success())?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// The first number in a tool's answer: `trunk 0.21.14`, `wasm-opt version 132 (version_132)`, `Chromium 156.0.8078.79 …`.
/// Parts that are missing are 0, a fourth is left out.
fn version_in(answer: &str) -> Option<Version> {
    let word = answer.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut parts = word.split('.').map(|part| part.parse().ok());
    let mut part = || parts.next().unwrap_or(Some(0));
    Some(Version::new(part()?, part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_tools_answer() {
        for (answer, version) in [
            ("trunk 0.21.14\n", Some(Version::new(0, 21, 14))),
            ("wasm-bindgen 0.2.130", Some(Version::new(0, 2, 130))),
            ("wasm-opt version 132 (version_132)", Some(Version::new(132, 0, 0))),
            ("Chromium 156.0.8078.79 built on Debian", Some(Version::new(156, 0, 8078))),
            ("no number", None),
            ("odd 1.x", None),
            ("", None),
        ] {
            assert_eq!(version_in(answer), version, "{answer}");
        }
    }

    /// A machine with these executables: the file's name says its version.
    fn found_among(candidates: &[&str], wanted: &str) -> Option<PathBuf> {
        let version_of = |path: &Path| path.file_name()?.to_str()?.parse().ok();
        let candidates = candidates.iter().map(PathBuf::from);
        first_fit(candidates, &wanted.parse().unwrap(), version_of).map(|tool| tool.path)
    }

    #[test]
    fn the_first_that_fits_is_taken() {
        assert_eq!(found_among(&["/path/0.21.20", "/cache/0.21.14"], "~0.21.14"), Some("/path/0.21.20".into()));
    }

    #[test]
    fn another_version_on_path_gives_way_to_the_cache() {
        assert_eq!(found_among(&["/path/0.22.1", "/cache/0.21.14"], "~0.21.14"), Some("/cache/0.21.14".into()));
        assert_eq!(found_among(&["/path/0.2.129", "/cache/0.2.130"], "=0.2.130"), Some("/cache/0.2.130".into()));
    }

    #[test]
    fn what_does_not_start_is_passed_over() {
        assert_eq!(found_among(&["/path/broken", "/cache/132.0.0"], ">=120"), Some("/cache/132.0.0".into()));
    }

    #[test]
    fn nothing_fits() {
        assert_eq!(found_among(&[], "*"), None);
        assert_eq!(found_among(&["/path/108.0.0"], ">=120"), None);
    }
}
