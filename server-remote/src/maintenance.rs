//! Runs the commands that work on the database: backup, verification and restoration.

use std::io::Write;

use anyhow::{Context, Result};

use crate::config::{DatabaseCommand, Maintenance};
use crate::folders::create_folder;
use crate::store::{self, DatabaseSummary, Restoration};

/// Runs a command and writes its result to `output`.
///
/// # Errors
/// If the command fails, or the output cannot be written.
pub fn run(maintenance: &Maintenance, output: &mut impl Write) -> Result<()> {
    let database = &maintenance.database;
    match &maintenance.command {
        DatabaseCommand::Backup { file } => {
            let summary = store::backup(database, file)?;
            let (database, file) = (database.display(), file.display());
            writeln!(output, "The backup {file} of {database} is complete: {}.", counts(&summary))?;
        }
        DatabaseCommand::Verify { file } => {
            let file = file.as_ref().unwrap_or(database);
            let summary = store::verify(file)?;
            let DatabaseSummary { version, .. } = summary;
            writeln!(output, "The database {} is intact: version {version}, {}.", file.display(), counts(&summary))?;
        }
        DatabaseCommand::Restore { file } => {
            if let Some(folder) = database.parent() {
                create_folder(folder).with_context(|| format!("creating {} for the results", folder.display()))?;
            }
            let Restoration { summary, previous } = store::restore(database, file)?;
            let (database, file) = (database.display(), file.display());
            writeln!(output, "The database {database} was restored from {file}: {}.", counts(&summary))?;
            if let Some(previous) = previous {
                writeln!(output, "The previous database is now {}.", previous.display())?;
            }
        }
    }
    Ok(())
}

fn counts(summary: &DatabaseSummary) -> String {
    format!("results: {}, points: {}", summary.results, summary.points)
}
