//! Runs the commands that work on the database: backup, verification, restoration, pruning, and queries.

mod largest;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use bytesize::ByteSize;

use self::largest::largest_sentences;
use crate::config::{DatabaseCommand, Maintenance};
use crate::store::{self, DatabaseSummary, PruneMode, PrunedResult, Pruning, Restoration, Retention, SqliteStore};
use benchbook_accepted::folders::create_folder;

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
                create_folder(folder)
                    .with_context(|| format!("failed to create {} for the results", folder.display()))?;
            }
            let Restoration { summary, previous } = store::restore(database, file)?;
            let (database, file) = (database.display(), file.display());
            writeln!(output, "The database {database} was restored from {file}: {}.", counts(&summary))?;
            if let Some(previous) = previous {
                writeln!(output, "The previous database is now {}.", previous.display())?;
            }
        }
        DatabaseCommand::Prune { limits, dry_run } => prune(database, limits.retention(), *dry_run, output)?,
        DatabaseCommand::Largest { result: id, time } => {
            let result = store::read_result(database, *id)?;
            let database = database.display();
            let result =
                result.with_context(|| format!("the database {database} has no result {id}. Check its number."))?;
            for sentence in largest_sentences(&result.response, *time)? {
                writeln!(output, "{sentence}")?;
            }
        }
    }
    Ok(())
}

fn prune(database: &Path, retention: Retention, is_dry_run: bool, output: &mut impl Write) -> Result<()> {
    if !database.exists() {
        bail!("the database {} does not exist. Check the path.", database.display());
    }
    let mode = if is_dry_run { PruneMode::DryRun } else { PruneMode::ReleaseSpace };
    let Pruning { deleted, remaining, bytes } = SqliteStore::open(database)?.prune(retention, mode)?;
    for PrunedResult { id, day, suite, functions, points } in &deleted {
        writeln!(output, "{id}: {day}, suite {suite}, {functions}, points: {points}")?;
    }
    let verb = if is_dry_run { "Would delete" } else { "Deleted" };
    let (count, size) = (deleted.len(), ByteSize::b(bytes));
    writeln!(output, "{verb} {count} of {} results. {remaining} remain, with {size}.", remaining + count as u64)?;
    if let Some(max) = retention.max_bytes.filter(|max| bytes > *max) {
        let max = ByteSize::b(max);
        writeln!(output, "This exceeds {max}, because each remaining result is the newest one of a point.")?;
    }
    Ok(())
}

fn counts(summary: &DatabaseSummary) -> String {
    format!("results: {}, points: {}", summary.results, summary.points)
}
