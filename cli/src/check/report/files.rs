//! The files of a report.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::check_report::CheckReport;

/// The files to write in addition to the printed report.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ReportFiles {
    /// Also write the report as a standalone HTML page, with curves and the history of each point
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Also write the report as JUnit XML, for continuous integration: a test case for each point
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
}

impl ReportFiles {
    /// Writes the files, and creates their folders. `strict`: whether an undecided point is a failure.
    ///
    /// # Errors
    /// If a file cannot be written. The others are written.
    pub(crate) fn write(&self, report: &CheckReport, strict: bool) -> Result<()> {
        let html = self.html.as_deref().map_or(Ok(()), |path| write(path, &report.html()));
        let junit = self.junit.as_deref().map_or(Ok(()), |path| write(path, &report.junit(strict)));
        html.and(junit)
    }
}

/// Writes a file completely or, for example on a full disk, not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // A pipe or a terminal cannot be replaced.
        if path.symlink_metadata().is_ok_and(|known| !known.is_file()) {
            return fs::write(path, text);
        }
        let mut partial = tempfile::Builder::new();
        // Otherwise only the user may read it.
        #[cfg(unix)]
        partial.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut partial = partial.tempfile_in(folder)?;
        partial.write_all(text.as_bytes())?;
        partial.persist(path).map(|_| ()).map_err(io::Error::from)
    };
    write().with_context(|| format!("failed to write the report to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports/check.xml");
        write(&path, "first").unwrap();
        write(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path().join("reports")).unwrap().count(), 1);
        assert!(write(&folder.path().join("reports/check.xml/below"), "third").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
    }
}
