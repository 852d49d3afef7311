//! Queries for browsing: functions, generators, results, one result, and its samples.

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::quality::Priority;
use benchbook_host::response::{Comparison, Point, Response};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::encode::{DecodeError, decode_point, from_json, unpack};
use super::find::read_priority;
use super::sql_axis_value::{SqlAxisValue, read_axis_value};
use super::unreadable::UnreadableRows;
use crate::store::model::ResultFilter;

/// See [`crate::store::Store::count`].
pub(super) fn count(database: &Connection) -> rusqlite::Result<u64> {
    database.query_row("SELECT count(*) FROM results", (), |row| row.get(0))
}

/// See [`crate::store::Store::history`].
pub(super) fn history(database: &Connection, machine: &str) -> rusqlite::Result<Option<String>> {
    database.query_row("SELECT history FROM histories WHERE machine = ?1", [machine], |row| row.get(0)).optional()
}

/// See [`crate::store::Store::functions`]. A result has one generator, so the sum counts it once.
pub(super) fn functions(database: &Connection) -> rusqlite::Result<Vec<StoredFunction>> {
    let mut statement = database.prepare_cached(
        "SELECT suite, function, sum(results), max(newest) FROM subjects GROUP BY suite, function \
         ORDER BY suite, function",
    )?;
    let rows = statement.query_map((), |row| {
        Ok(StoredFunction { suite: row.get(0)?, function: row.get(1)?, results: row.get(2)?, newest: row.get(3)? })
    })?;
    rows.collect()
}

/// See [`crate::store::Store::generators`].
pub(super) fn generators(database: &Connection, suite: &str, function: &str) -> rusqlite::Result<Vec<StoredGenerator>> {
    let mut statement = database.prepare_cached(
        "SELECT generator, results, newest FROM subjects WHERE suite = ?1 AND function = ?2 ORDER BY generator",
    )?;
    let rows = statement.query_map([suite, function], |row| {
        Ok(StoredGenerator { generator: row.get(0)?, results: row.get(1)?, newest: row.get(2)? })
    })?;
    rows.collect()
}

/// See [`crate::store::Store::results`].
pub(super) fn results(
    database: &mut Connection,
    filter: &ResultFilter,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Vec<ResultCard>> {
    let transaction = database.transaction()?;
    let mut cards = Vec::new();
    let mut rest = filter.clone();
    // Older results replace the unreadable ones, since a page with fewer results than its limit is the last one.
    loop {
        let ids = newest(&transaction, &rest)?;
        for id in &ids {
            cards.extend(head(&transaction, *id, unreadable)?.map(|head| head.card));
        }
        let is_last = ids.len() < rest.limit as usize;
        rest.limit = filter.limit - cards.len() as u32;
        match ids.last() {
            Some(last) if !is_last && rest.limit > 0 => rest.before = Some(last.cast_unsigned()),
            _ => return Ok(cards),
        }
    }
}

/// See [`crate::store::Store::result`]. Unreadable points are excluded.
pub(super) fn result(
    database: &mut Connection,
    id: u64,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Option<StoredResult>> {
    let transaction = database.transaction()?;
    let Some(head) = head(&transaction, id.cast_signed(), unreadable)? else { return Ok(None) };
    let ResultHead { card, priority, comparisons, method } = head;
    let ResultCard { id, stored, request, quality, suite, machine, .. } = card;
    let points = points(&transaction, id.cast_signed(), unreadable)?;
    let response = Response { request, priority, suite, method, quality, machine, points, comparisons };
    Ok(Some(StoredResult { id, stored, response }))
}

/// See [`crate::store::Store::samples`].
pub(super) fn samples(
    database: &Connection,
    id: u64,
    function: &str,
    x: &AxisValue,
    unreadable: &UnreadableRows,
) -> rusqlite::Result<Option<StoredSamples>> {
    let mut statement = database.prepare_cached(
        "SELECT runs, points.id FROM points JOIN series ON series.id = points.series \
         JOIN samples ON samples.point = points.id \
         WHERE points.result = ?1 AND series.function = ?2 AND points.x IS ?3",
    )?;
    let mut rows = statement.query(params![id.cast_signed(), function, SqlAxisValue(x)])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let runs = |row: &Row<'_>| unpack(&row.get::<_, Vec<u8>>(0)?);
    match runs(row) {
        Ok(runs) => Ok(Some(StoredSamples { function: function.to_owned(), x: x.clone(), runs })),
        Err(error) => {
            unreadable.report_point(id.cast_signed(), row.get(1)?, &error);
            Ok(None)
        }
    }
}

/// The numbers of the newest results that match, greatest first.
fn newest(transaction: &Transaction<'_>, filter: &ResultFilter) -> rusqlite::Result<Vec<i64>> {
    if *filter != (ResultFilter { before: filter.before, limit: filter.limit, ..ResultFilter::default() }) {
        return newest_matching(transaction, filter);
    }
    let mut statement = transaction.prepare_cached("SELECT id FROM results WHERE id < ?1 ORDER BY id DESC LIMIT ?2")?;
    statement.query_map(params![before(filter), filter.limit], |row| row.get(0))?.collect()
}

/// The numbers of the newest results of the matching subjects, greatest first. Reads at most `limit` rows of each subject.
fn newest_matching(transaction: &Transaction<'_>, filter: &ResultFilter) -> rusqlite::Result<Vec<i64>> {
    let limit = filter.limit as usize;
    let mut subjects = transaction.prepare_cached(
        "SELECT id FROM subjects WHERE (?1 IS NULL OR suite = ?1) AND (?2 IS NULL OR function = ?2) \
         AND (?3 IS NULL OR generator = ?3)",
    )?;
    let mut listed = transaction.prepare_cached(
        "SELECT result FROM listed WHERE subject = ?1 AND result < ?2 AND result > ?3 ORDER BY result DESC LIMIT ?4",
    )?;
    let matching = subjects.query_map([&filter.suite, &filter.function, &filter.generator], |row| row.get(0))?;
    let mut newest: BTreeSet<i64> = BTreeSet::new();
    for subject in matching {
        let subject: i64 = subject?;
        let least = if newest.len() < limit { 0 } else { newest.first().copied().unwrap_or(0) };
        for result in listed.query_map(params![subject, before(filter), least, filter.limit], |row| row.get(0))? {
            newest.insert(result?);
        }
        while newest.len() > limit {
            newest.pop_first();
        }
    }
    Ok(newest.into_iter().rev().collect())
}

fn before(filter: &ResultFilter) -> i64 {
    filter.before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX))
}

/// A result without its points.
struct ResultHead {
    card: ResultCard,
    priority: Priority,
    comparisons: Vec<Comparison>,
    method: u32,
}

/// Absent if there is no such result, or it is unreadable.
fn head(transaction: &Transaction<'_>, id: i64, unreadable: &UnreadableRows) -> rusqlite::Result<Option<ResultHead>> {
    let mut statement = transaction.prepare_cached(
        "SELECT results.stored, results.request, results.quality, suites.card, results.machine, results.points, \
         results.priority, results.comparisons, results.method \
         FROM results JOIN suites ON suites.id = results.suite WHERE results.id = ?1",
    )?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(read_head(row, id).inspect_err(|error| unreadable.report_result(id, error)).ok())
}

fn read_head(row: &Row<'_>, id: i64) -> Result<ResultHead, DecodeError> {
    let card = ResultCard {
        id: id.cast_unsigned(),
        stored: row.get(0)?,
        request: from_json(&row.get::<_, String>(1)?)?,
        quality: from_json(&row.get::<_, String>(2)?)?,
        suite: from_json(&row.get::<_, String>(3)?)?,
        machine: from_json(&row.get::<_, String>(4)?)?,
        points: row.get(5)?,
    };
    let comparisons = from_json(&row.get::<_, String>(7)?)?;
    Ok(ResultHead { card, priority: read_priority(row.get(6)?)?, comparisons, method: row.get(8)? })
}

/// The readable points of a result, in the order of measurement.
fn points(transaction: &Transaction<'_>, result: i64, unreadable: &UnreadableRows) -> rusqlite::Result<Vec<Point>> {
    let mut statement = transaction.prepare_cached(
        "SELECT series.function, points.x, points.measured, points.failed, points.id \
         FROM points JOIN series ON series.id = points.series WHERE points.result = ?1 ORDER BY points.id",
    )?;
    let mut rows = statement.query([result])?;
    let mut points = Vec::new();
    while let Some(row) = rows.next()? {
        match read_point(row) {
            Ok(point) => points.push(point),
            Err(error) => unreadable.report_point(result, row.get(4)?, &error),
        }
    }
    Ok(points)
}

fn read_point(row: &Row<'_>) -> Result<Point, DecodeError> {
    let [measured, failed] = [row.get::<_, Option<String>>(2)?, row.get::<_, Option<String>>(3)?];
    decode_point(row.get(0)?, read_axis_value(row.get_ref(1)?)?, measured.as_deref(), failed.as_deref())
}
