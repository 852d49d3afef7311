//! Finds points: one index search per axis value.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::quality::Priority;
use benchbook_host::response::{MeasuredPoint, Outcome, Point};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::encode::{DecodeError, from_json, unpack};
use super::sql_axis_value::SqlAxisValue;
use super::unreadable::UnreadableRows;
use crate::store::model::{PointMatch, PointQuery};

/// See [`crate::store::Store::find`]. `arguments` are the query's, encoded by [`fixed_arguments`](super::encode::fixed_arguments).
pub(super) fn find(
    database: &mut Connection,
    query: &PointQuery,
    arguments: &str,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Vec<PointMatch>> {
    // One transaction, so that all searches see the same results.
    let transaction = database.transaction()?;
    let Some(series) = series(&transaction, query, arguments)? else { return Ok(Vec::new()) };
    let mut xs = query.xs.clone();
    xs.sort_by(AxisValue::total_cmp);
    xs.dedup();
    let mut found = Vec::new();
    for x in &xs {
        found.extend(newest(&transaction, query, &series, x, unreadable)?);
    }
    Ok(found)
}

/// The series of each function; absent if there are no functions, or one of them has no series.
fn series(transaction: &Transaction<'_>, query: &PointQuery, arguments: &str) -> rusqlite::Result<Option<Vec<i64>>> {
    if query.functions.is_empty() {
        return Ok(None);
    }
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
    query.functions.iter().map(&mut one).collect()
}

/// The points of the newest result with readable points of all series at an axis value that satisfy the quality.
fn newest(
    transaction: &Transaction<'_>,
    query: &PointQuery,
    series: &[i64],
    x: &AxisValue,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Option<PointMatch>> {
    let mut candidates = transaction.prepare_cached(
        "SELECT result FROM points WHERE series = ?1 AND x IS ?2 AND failed IS NULL \
         AND precision <= ?3 AND point_ms >= ?4 AND processes >= ?5 AND method = ?6 \
         AND (NOT ?7 OR measured ->> '$.first_calls' IS NOT NULL AND measured ->> '$.first_calls.failure' IS NULL) \
         AND (NOT ?8 OR measured ->> '$.wasm_instructions' IS NOT NULL AND measured ->> '$.wasm_instructions.failed' IS NULL) \
         ORDER BY result DESC",
    )?;
    let mut is_measured = transaction.prepare_cached(
        "SELECT 1 FROM points WHERE series = ?1 AND x IS ?2 AND result = ?3 AND failed IS NULL \
         AND (NOT ?4 OR measured ->> '$.first_calls' IS NOT NULL AND measured ->> '$.first_calls.failure' IS NULL) \
         AND (NOT ?5 OR measured ->> '$.wasm_instructions' IS NOT NULL AND measured ->> '$.wasm_instructions.failed' IS NULL)",
    )?;
    let quality = &query.quality;
    let mut rows = candidates.query(params![
        series[0],
        SqlAxisValue(x),
        quality.precision,
        quality.point_ms,
        quality.processes,
        query.method,
        query.first_calls,
        query.wasm_instructions
    ])?;
    'candidates: while let Some(row) = rows.next()? {
        let result: i64 = row.get(0)?;
        for other in &series[1..] {
            let parameters = params![other, SqlAxisValue(x), result, query.first_calls, query.wasm_instructions];
            if !is_measured.exists(parameters)? {
                continue 'candidates;
            }
        }
        let found = at(transaction, query, series, x, result, unreadable)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The points of a result at an axis value; absent if one of them is unreadable.
fn at(
    transaction: &Transaction<'_>,
    query: &PointQuery,
    series: &[i64],
    x: &AxisValue,
    result: i64,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Option<PointMatch>> {
    // A point without samples is unreadable.
    let mut statement = transaction.prepare_cached(
        "SELECT measured, runs, points.priority, points.id, stored FROM points JOIN results ON results.id = result \
         LEFT JOIN samples ON samples.point = points.id \
         WHERE series = ?1 AND x IS ?2 AND result = ?3 AND failed IS NULL",
    )?;
    let (mut priority, mut stored) = (Priority::FIRST, 0);
    let mut points = Vec::with_capacity(series.len());
    for (function, series) in query.functions.iter().zip(series) {
        let mut rows = statement.query(params![series, SqlAxisValue(x), result])?;
        let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        match read_point(row, function, x) {
            Ok((point, own_priority)) => {
                points.push(point);
                (priority, stored) = (own_priority, row.get(4)?);
            }
            Err(error) => {
                unreadable.report_point(result, row.get(3)?, &error);
                return Ok(None);
            }
        }
    }
    Ok(Some(PointMatch { x: x.clone(), result: result.cast_unsigned(), stored, priority, points }))
}

fn read_point(row: &Row<'_>, function: &str, x: &AxisValue) -> Result<(Point, Priority), DecodeError> {
    let mut measured: MeasuredPoint = from_json(&row.get::<_, String>(0)?)?;
    measured.runs = unpack(&row.get::<_, Vec<u8>>(1)?)?;
    let point = Point { function: function.to_owned(), x: x.clone(), outcome: Outcome::Measured(Box::new(measured)) };
    Ok((point, read_priority(row.get(2)?)?))
}

/// Parses a stored priority, 1 to 4.
pub(super) fn read_priority(number: u8) -> Result<Priority, DecodeError> {
    Priority::try_from(number).map_err(DecodeError)
}
