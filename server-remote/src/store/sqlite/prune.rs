//! Deletes old results.

use std::collections::HashSet;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::failure::failed;
use super::files::DatabaseFiles;
use super::insert::{commit, release_space};
use crate::store::error::StoreError;
use crate::store::retention::{PruneMode, PrunedResult, Pruning, Retention};

/// Deletes the results beyond the limits in one transaction; `now` is in milliseconds since 1970.
pub(super) fn prune(
    database: &mut Connection,
    files: &DatabaseFiles,
    retention: &Retention,
    mode: PruneMode,
    now: u64,
) -> Result<Pruning, StoreError> {
    let explain = |error| failed(files.path(), &error);
    // No index leads from a result to its rows in `listed`, so checking that foreign key would scan the table for each result.
    database.pragma_update(None, "foreign_keys", false).map_err(explain)?;
    let pruned = delete(database, files, retention, mode, now);
    database.pragma_update(None, "foreign_keys", true).map_err(explain)?;
    let pruned = pruned?;
    if mode == PruneMode::ReleaseSpace && !pruned.deleted.is_empty() {
        release_space(database, files);
    }
    Ok(pruned)
}

fn delete(
    database: &mut Connection,
    files: &DatabaseFiles,
    retention: &Retention,
    mode: PruneMode,
    now: u64,
) -> Result<Pruning, StoreError> {
    let explain = |error| failed(files.path(), &error);
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    let pruned = delete_results(&transaction, retention, now).map_err(explain)?;
    // A dry run rolls the deletion back, so that it reports exactly the same results.
    if mode != PruneMode::DryRun && !pruned.deleted.is_empty() {
        commit(transaction, files)?;
    }
    Ok(pruned)
}

fn delete_results(transaction: &Transaction<'_>, retention: &Retention, now: u64) -> rusqlite::Result<Pruning> {
    let newest = newest_of_points(transaction)?;
    let oldest_time =
        retention.max_age.map(|age| now.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX)));
    let mut deleted = Vec::new();
    for (id, stored) in results(transaction)?.into_iter().filter(|(id, _)| !newest.contains(id)) {
        let is_too_old = oldest_time.is_some_and(|oldest| stored < oldest.cast_signed());
        let is_too_large = |max| used_bytes(transaction).map(|used| used > max);
        if is_too_old || retention.max_bytes.map(is_too_large).transpose()?.unwrap_or(false) {
            deleted.push(describe(transaction, id)?);
            delete_result(transaction, id)?;
        }
    }
    if !deleted.is_empty() {
        delete_unused(transaction)?;
    }
    let remaining = transaction.query_row("SELECT count(*) FROM results", (), |row| row.get(0))?;
    Ok(Pruning { deleted, remaining, bytes: used_bytes(transaction)? })
}

/// The newest result of each point: of each function with the same generator, arguments and axis value, in any build and on
/// any machine. A failed point counts only if no result has its figures.
fn newest_of_points(transaction: &Transaction<'_>) -> rusqlite::Result<HashSet<i64>> {
    // The inner query reads one index, in its order.
    let mut statement = transaction.prepare(
        "WITH newest (series, x, measured, stored) AS ( \
           SELECT series, x, max(CASE WHEN failed IS NULL THEN result END), max(result) FROM points GROUP BY series, x \
         ), builds (fingerprint, suite) AS (SELECT fingerprint, min(name) FROM suites GROUP BY fingerprint) \
         SELECT coalesce(max(newest.measured), max(newest.stored)) FROM newest \
         JOIN series ON series.id = newest.series LEFT JOIN builds ON builds.fingerprint = series.fingerprint \
         GROUP BY builds.suite, series.function, series.generator, series.arguments, series.axis, newest.x",
    )?;
    statement.query_map((), |row| row.get(0))?.collect()
}

/// The number and the time of each result, oldest first.
fn results(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, i64)>> {
    let mut statement = transaction.prepare("SELECT id, stored FROM results ORDER BY id")?;
    statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The size of the database without its free pages.
fn used_bytes(transaction: &Transaction<'_>) -> rusqlite::Result<u64> {
    let value = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    Ok((value("page_count")? - value("freelist_count")?) * value("page_size")?)
}

fn describe(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<PrunedResult> {
    let mut statement = transaction.prepare_cached(
        "SELECT strftime('%Y-%m-%d', results.stored / 1000, 'unixepoch'), suites.name, results.points, \
           (SELECT group_concat(DISTINCT series.function) FROM points JOIN series ON series.id = points.series \
            WHERE points.result = results.id) \
         FROM results JOIN suites ON suites.id = results.suite WHERE results.id = ?1",
    )?;
    statement.query_one([id], |row| {
        let functions: Option<String> = row.get(3)?;
        Ok(PrunedResult {
            id: id.cast_unsigned(),
            day: row.get(0)?,
            suite: row.get(1)?,
            functions: functions.unwrap_or_default(),
            points: row.get(2)?,
        })
    })
}

fn delete_result(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let mut subjects = transaction.prepare_cached(
        "SELECT DISTINCT subjects.id FROM points JOIN series ON series.id = points.series \
         JOIN results ON results.id = points.result JOIN suites ON suites.id = results.suite \
         JOIN subjects ON subjects.suite = suites.name AND subjects.function = series.function \
           AND subjects.generator = series.generator \
         WHERE points.result = ?1",
    )?;
    let subjects: Vec<i64> = subjects.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for sql in [
        "DELETE FROM samples WHERE point IN (SELECT id FROM points WHERE result = ?1)",
        "DELETE FROM points WHERE result = ?1",
        "DELETE FROM results WHERE id = ?1",
    ] {
        transaction.prepare_cached(sql)?.execute([id])?;
    }
    for subject in subjects {
        transaction
            .prepare_cached("DELETE FROM listed WHERE subject = ?1 AND result = ?2")?
            .execute(params![subject, id])?;
        let mut update = transaction.prepare_cached(
            "UPDATE subjects SET results = results - 1, newest = coalesce((SELECT stored FROM results WHERE id = \
             (SELECT max(result) FROM listed WHERE subject = ?1)), newest) WHERE id = ?1",
        )?;
        update.execute([subject])?;
    }
    Ok(())
}

/// Deletes rows that no result refers to any more.
fn delete_unused(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "DELETE FROM subjects WHERE results = 0;
         DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM points WHERE points.series = series.id);
         DELETE FROM suites WHERE id NOT IN (SELECT suite FROM results);
         DELETE FROM machines WHERE id NOT IN (SELECT machine FROM series);",
    )
}
