//! Inserts results, and deletes all of them.

use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, TransactionBehavior, params};

use super::encode::{PointRow, ResultRow};
use super::failure::failed;
use super::files::DatabaseFiles;
use super::sql_axis_value::SqlAxisValue;
use crate::store::error::StoreError;
use crate::store::model::now_ms;

/// Inserts results in one transaction, which is on disk when this returns.
pub(super) fn add(
    database: &mut Connection,
    files: &DatabaseFiles,
    results: &[ResultRow],
) -> Result<Vec<u64>, StoreError> {
    let explain = |error| failed(files.path(), &error);
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    let ids = results.iter().map(|result| insert(&transaction, result)).collect::<rusqlite::Result<_>>();
    let ids = ids.map_err(explain)?;
    commit(transaction, files)?;
    Ok(ids)
}

/// Replaces the history of a machine, which is on disk when this returns.
pub(super) fn keep_history(
    database: &mut Connection,
    files: &DatabaseFiles,
    machine: &str,
    history: &str,
) -> Result<(), StoreError> {
    let explain = |error| failed(files.path(), &error);
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    let replaced = transaction.execute("REPLACE INTO histories (machine, history) VALUES (?1, ?2)", [machine, history]);
    replaced.map_err(explain)?;
    commit(transaction, files)
}

/// Deletes all results and histories.
pub(super) fn clear(database: &mut Connection, files: &DatabaseFiles) -> Result<(), StoreError> {
    let explain = |error| failed(files.path(), &error);
    // Without foreign keys, SQLite frees entire tables instead of writing each of their rows.
    database.pragma_update(None, "foreign_keys", false).map_err(explain)?;
    let deleted = delete_rows(database, files);
    database.pragma_update(None, "foreign_keys", true).map_err(explain)?;
    deleted?;
    release_space(database, files);
    Ok(())
}

/// Returns the space of deleted results to the disk. If that fails, later results reuse it.
pub(super) fn release_space(database: &Connection, files: &DatabaseFiles) {
    if let Err(error) = database.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") {
        let database = files.path().display();
        tracing::warn!(
            "results of the database {database} were deleted, but their disk space could not be released: {error}. Later \
             results will reuse it"
        );
    }
}

fn delete_rows(database: &mut Connection, files: &DatabaseFiles) -> Result<(), StoreError> {
    let explain = |error| failed(files.path(), &error);
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    for table in ["samples", "points", "listed", "results", "series", "subjects", "suites", "machines", "histories"] {
        transaction.execute(&format!("DELETE FROM {table}"), ()).map_err(explain)?;
    }
    commit(transaction, files)
}

/// Commits a transaction, unless its files were moved or replaced.
pub(super) fn commit(transaction: Transaction<'_>, files: &DatabaseFiles) -> Result<(), StoreError> {
    files.check()?;
    transaction.commit().map_err(|error| failed(files.path(), &error))
}

fn insert(transaction: &Transaction<'_>, result: &ResultRow) -> rusqlite::Result<u64> {
    let stored = now_ms().cast_signed();
    let suite = id_of(
        transaction,
        "SELECT id FROM suites WHERE name = ?1 AND fingerprint = ?2 AND card = ?3",
        "INSERT INTO suites (name, fingerprint, card) VALUES (?1, ?2, ?3)",
        params![result.suite, result.fingerprint, result.card],
    )?;
    let machine = id_of(
        transaction,
        "SELECT id FROM machines WHERE identity = ?1",
        "INSERT INTO machines (identity) VALUES (?1)",
        params![result.identity],
    )?;
    let mut into_results = transaction.prepare_cached(
        "INSERT INTO results (stored, suite, priority, points, request, quality, machine, comparisons, method) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let id = into_results.insert(params![
        stored,
        suite,
        result.priority,
        result.points.len(),
        result.request,
        result.quality,
        result.machine,
        result.comparisons,
        result.method
    ])?;
    let mut series: Vec<(&str, i64)> = Vec::new();
    for point in &result.points {
        let known = series.iter().find(|(function, _)| *function == point.function);
        let series = match known {
            Some((_, series)) => *series,
            None => {
                add_to_subject(transaction, result, &point.function, id, stored)?;
                let id = series_of(transaction, result, machine, &point.function)?;
                series.push((&point.function, id));
                id
            }
        };
        insert_point(transaction, result, point, id, series)?;
    }
    Ok(id.cast_unsigned())
}

/// Selects the id of a row, or inserts the row. Both statements take the same values.
fn id_of(transaction: &Transaction<'_>, select: &str, insert: &str, values: &[&dyn ToSql]) -> rusqlite::Result<i64> {
    if let Some(id) = transaction.prepare_cached(select)?.query_one(values, |row| row.get(0)).optional()? {
        return Ok(id);
    }
    transaction.prepare_cached(insert)?.insert(values)
}

/// Adds the result to the subject of a function.
fn add_to_subject(
    transaction: &Transaction<'_>,
    result: &ResultRow,
    function: &str,
    id: i64,
    stored: i64,
) -> rusqlite::Result<()> {
    let mut into_subjects = transaction.prepare_cached(
        "INSERT INTO subjects (suite, function, generator, results, newest) VALUES (?1, ?2, ?3, 1, ?4) \
         ON CONFLICT DO UPDATE SET results = results + 1, newest = excluded.newest RETURNING id",
    )?;
    let subject: i64 =
        into_subjects.query_one(params![result.suite, function, result.generator, stored], |row| row.get(0))?;
    let mut into_listed = transaction.prepare_cached("INSERT INTO listed (subject, result) VALUES (?1, ?2)")?;
    into_listed.execute([subject, id])?;
    Ok(())
}

fn series_of(transaction: &Transaction<'_>, result: &ResultRow, machine: i64, function: &str) -> rusqlite::Result<i64> {
    id_of(
        transaction,
        "SELECT id FROM series WHERE fingerprint = ?1 AND machine = ?2 AND function = ?3 AND generator = ?4 \
         AND arguments = ?5 AND axis = ?6 AND seed = ?7",
        "INSERT INTO series (fingerprint, machine, function, generator, arguments, axis, seed) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![result.fingerprint, machine, function, result.generator, result.arguments, result.axis, result.seed],
    )
}

fn insert_point(
    transaction: &Transaction<'_>,
    result: &ResultRow,
    point: &PointRow,
    id: i64,
    series: i64,
) -> rusqlite::Result<()> {
    let mut into_points = transaction.prepare_cached(
        "INSERT INTO points (result, series, x, priority, precision, point_ms, processes, measured, failed, method) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    let point_id = into_points.insert(params![
        id,
        series,
        SqlAxisValue(&point.x),
        result.priority,
        result.precision,
        result.point_ms,
        result.processes,
        point.measured,
        point.failed,
        result.method
    ])?;
    if let Some(runs) = &point.runs {
        transaction
            .prepare_cached("INSERT INTO samples (point, runs) VALUES (?1, ?2)")?
            .execute(params![point_id, runs])?;
    }
    Ok(())
}
