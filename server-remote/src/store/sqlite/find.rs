//! Finds points: one index search per axis value.

use benchbook_host::quality::Priority;
use benchbook_host::response::{MeasuredPoint, Outcome, Point};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::encode::{fixed_arguments, from_json, unpack};
use crate::store::error::StoreError;
use crate::store::model::{PointMatch, PointQuery};

/// See [`crate::store::Store::find`].
pub(super) fn find(database: &mut Connection, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError> {
    // One transaction, so that all searches see the same results.
    let transaction = database.transaction()?;
    let Some(series) = series(&transaction, query)? else { return Ok(Vec::new()) };
    let mut xs = query.xs.clone();
    xs.sort_unstable_by(f64::total_cmp);
    xs.dedup();
    let mut found = Vec::new();
    for x in xs {
        if let Some(result) = newest(&transaction, query, &series, x)? {
            found.push(at(&transaction, query, &series, x, result)?);
        }
    }
    Ok(found)
}

/// The series of each function; absent if there are no functions, or one of them has no series.
fn series(transaction: &Transaction<'_>, query: &PointQuery) -> Result<Option<Vec<i64>>, StoreError> {
    if query.functions.is_empty() {
        return Ok(None);
    }
    let arguments = fixed_arguments(&query.arguments, &query.axis)?;
    let mut statement = transaction.prepare_cached(
        "SELECT series.id FROM series JOIN machines ON machines.id = series.machine \
         WHERE machines.identity = ?1 AND fingerprint = ?2 AND function = ?3 AND generator = ?4 AND arguments = ?5 \
         AND axis = ?6 AND seed = ?7",
    )?;
    let PointQuery { machine, fingerprint, generator, axis, seed, .. } = query;
    let seed = seed.cast_signed();
    let mut one = |function: &String| {
        statement
            .query_one(params![machine, fingerprint, function, generator, arguments, axis, seed], |row| row.get(0))
            .optional()
    };
    Ok(query.functions.iter().map(&mut one).collect::<rusqlite::Result<_>>()?)
}

/// The newest result with points of all series at an axis value that satisfy the quality.
fn newest(transaction: &Transaction<'_>, query: &PointQuery, series: &[i64], x: f64) -> rusqlite::Result<Option<i64>> {
    let mut candidates = transaction.prepare_cached(
        "SELECT result FROM points WHERE series = ?1 AND x = ?2 AND failed IS NULL \
         AND precision <= ?3 AND point_ms >= ?4 AND processes >= ?5 AND method = ?6 ORDER BY result DESC",
    )?;
    let mut is_measured = transaction
        .prepare_cached("SELECT 1 FROM points WHERE series = ?1 AND x = ?2 AND result = ?3 AND failed IS NULL")?;
    let quality = &query.quality;
    let mut rows = candidates.query(params![
        series[0],
        x,
        quality.precision,
        quality.point_ms,
        quality.processes,
        query.method
    ])?;
    'candidates: while let Some(row) = rows.next()? {
        let result: i64 = row.get(0)?;
        for other in &series[1..] {
            if !is_measured.exists(params![other, x, result])? {
                continue 'candidates;
            }
        }
        return Ok(Some(result));
    }
    Ok(None)
}

/// The points of a result at an axis value.
fn at(
    transaction: &Transaction<'_>,
    query: &PointQuery,
    series: &[i64],
    x: f64,
    result: i64,
) -> Result<PointMatch, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT measured, runs, priority FROM points JOIN samples ON samples.point = points.id \
         WHERE series = ?1 AND x = ?2 AND result = ?3 AND failed IS NULL",
    )?;
    let mut priority = Priority::FIRST;
    let mut points = Vec::with_capacity(series.len());
    for (function, series) in query.functions.iter().zip(series) {
        let mut rows = statement.query(params![series, x, result])?;
        let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        priority = read_priority(row.get(2)?)?;
        points.push(read_point(row, function, x)?);
    }
    Ok(PointMatch { x, result: result.cast_unsigned(), priority, points })
}

fn read_point(row: &Row<'_>, function: &str, x: f64) -> Result<Point, StoreError> {
    let mut measured: MeasuredPoint = from_json(&row.get::<_, String>(0)?)?;
    measured.runs = unpack(&row.get::<_, Vec<u8>>(1)?)?;
    Ok(Point { function: function.to_owned(), x, outcome: Outcome::Measured(Box::new(measured)) })
}

/// Parses a stored priority, 1 to 4.
pub(super) fn read_priority(number: u8) -> Result<Priority, StoreError> {
    Priority::try_from(number).map_err(StoreError::Database)
}
