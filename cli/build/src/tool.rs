//! Searches for a tool with a suitable version, on PATH and in the cache folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use semver::{Version, VersionReq};

/// An installed tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its executable.
    pub path: PathBuf,
    /// The version that it prints.
    pub version: Version,
}

/// A search for a tool.
pub struct ToolQuery<'a> {
    /// The tool's names, the preferred one first.
    pub names: &'a [&'a str],
    /// The suitable versions.
    pub version: VersionReq,
    /// Its path if we have installed it.
    pub cached: Option<PathBuf>,
}

impl ToolQuery<'_> {
    /// Searches PATH, then the cache. For each name, considers only the first match on PATH: the one that trunk would start.
    pub fn find(&self) -> Option<Tool> {
        let on_path = self.names.iter().filter_map(|name| which::which(name).ok());
        first_match(on_path.chain(self.cached.clone()), &self.version, query_version)
    }
}

fn first_match(
    candidates: impl IntoIterator<Item = PathBuf>,
    required: &VersionReq,
    version_of: impl Fn(&Path) -> Option<Version>,
) -> Option<Tool> {
    candidates.into_iter().find_map(|path| {
        let version = version_of(&path).filter(|version| required.matches(version))?;
        Some(Tool { path, version })
    })
}

/// The version that the tool prints for `--version`; absent if the tool does not start.
pub fn query_version(tool: &Path) -> Option<Version> {
    let output = Command::new(tool).arg("--version").output().ok().filter(|output| output.status.success())?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// Parses the first number of the output: `trunk 0.21.14`, `mdbook v0.5.4`, `wasm-opt version 132 (version_132)`,
/// `Chromium 156.0.8078.79 …`, `Mozilla Firefox 153.7.0esr`. Missing parts are 0, and a fourth part is ignored.
fn version_in(output: &str) -> Option<Version> {
    let mut words = output.split_whitespace().map(|word| word.strip_prefix('v').unwrap_or(word));
    let word = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let without_suffix = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let mut parts = without_suffix.split('.').map(|part| part.parse().ok());
    let mut part = || parts.next().unwrap_or(Some(0));
    Some(Version::new(part()?, part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_versions_of_tools() {
        for (output, version) in [
            ("trunk 0.21.14\n", Some(Version::new(0, 21, 14))),
            ("mdbook v0.5.4\n", Some(Version::new(0, 5, 4))),
            ("wasm-bindgen 0.2.130", Some(Version::new(0, 2, 130))),
            ("wasm-opt version 132 (version_132)", Some(Version::new(132, 0, 0))),
            ("Chromium 156.0.8078.79 built on Debian", Some(Version::new(156, 0, 8078))),
            ("Mozilla Firefox 153.7.0esr", Some(Version::new(153, 7, 0))),
            ("no number", None),
            ("odd 1.x", None),
            ("", None),
        ] {
            assert_eq!(version_in(output), version, "{output}");
        }
    }

    /// Searches executables whose file names are their versions.
    fn find_among(candidates: &[&str], required: &str) -> Option<PathBuf> {
        let version_of = |path: &Path| path.file_name()?.to_str()?.parse().ok();
        let candidates = candidates.iter().map(PathBuf::from);
        first_match(candidates, &required.parse().unwrap(), version_of).map(|tool| tool.path)
    }

    #[test]
    fn the_first_tool_with_a_suitable_version_is_used() {
        for (candidates, required, expected) in [
            (&["/path/0.21.20", "/cache/0.21.14"][..], "~0.21.14", Some("/path/0.21.20")),
            (&["/path/0.22.1", "/cache/0.21.14"], "~0.21.14", Some("/cache/0.21.14")),
            (&["/path/0.2.129", "/cache/0.2.130"], "=0.2.130", Some("/cache/0.2.130")),
            // The first one does not start.
            (&["/path/broken", "/cache/132.0.0"], ">=120", Some("/cache/132.0.0")),
            (&["/path/108.0.0"], ">=120", None),
            (&[], "*", None),
        ] {
            assert_eq!(find_among(candidates, required), expected.map(PathBuf::from), "{candidates:?}");
        }
    }
}
