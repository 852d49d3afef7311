//! The files of a report.

use std::fs;
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

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("failed to write the report to {}", path.display()))
}
