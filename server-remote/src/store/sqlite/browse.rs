//! Queries for browsing: functions, generators, results, one result, and its samples.

use std::collections::BTreeSet;

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::response::{Point, Response};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::encode::{decode_point, from_json, unpack};
use super::find::read_priority;
use crate::store::error::StoreError;
use crate::store::model::ResultFilter;

/// See [`crate::store::Store::count`].
pub(super) fn count(database: &Connection) -> Result<u64, StoreError> {
    Ok(database.query_row("SELECT count(*) FROM results", (), |row| row.get(0))?)
}

/// See [`crate::store::Store::functions`]. A result has one generator, so the sum counts it once.
pub(super) fn functions(database: &Connection) -> Result<Vec<StoredFunction>, StoreError> {
    let mut statement = database.prepare_cached(
        "SELECT suite, function, sum(results), max(newest) FROM subjects GROUP BY suite, function \
         ORDER BY suite, function",
    )?;
    let rows = statement.query_map((), |row| {
        Ok(StoredFunction { suite: row.get(0)?, function: row.get(1)?, results: row.get(2)?, newest: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// See [`crate::store::Store::generators`].
pub(super) fn generators(
    database: &Connection,
    suite: &str,
    function: &str,
) -> Result<Vec<StoredGenerator>, StoreError> {
    let mut statement = database.prepare_cached(
        "SELECT generator, results, newest FROM subjects WHERE suite = ?1 AND function = ?2 ORDER BY generator",
    )?;
    let rows = statement.query_map([suite, function], |row| {
        Ok(StoredGenerator { generator: row.get(0)?, results: row.get(1)?, newest: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// See [`crate::store::Store::results`].
pub(super) fn results(database: &mut Connection, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError> {
    let transaction = database.transaction()?;
    let ids = if *filter == (ResultFilter { before: filter.before, limit: filter.limit, ..ResultFilter::default() }) {
        newest(&transaction, filter)?
    } else {
        newest_matching(&transaction, filter)?
    };
    let one =
        |id: i64| head(&transaction, id)?.map(|head| head.card).ok_or(rusqlite::Error::QueryReturnedNoRows.into());
    ids.into_iter().map(one).collect()
}

/// See [`crate::store::Store::result`].
pub(super) fn result(database: &mut Connection, id: u64) -> Result<Option<StoredResult>, StoreError> {
    let transaction = database.transaction()?;
    let Some(head) = head(&transaction, id.cast_signed())? else { return Ok(None) };
    let ResultHead { card, priority, comparisons, method } = head;
    let ResultCard { id, stored, request, quality, suite, machine, .. } = card;
    let points = points(&transaction, id)?;
    let priority = read_priority(priority)?;
    let comparisons = from_json(&comparisons)?;
    let response = Response { request, priority, suite, method, quality, machine, points, comparisons };
    Ok(Some(StoredResult { id, stored, response }))
}

/// See [`crate::store::Store::samples`].
pub(super) fn samples(
    database: &Connection,
    id: u64,
    function: &str,
    x: f64,
) -> Result<Option<StoredSamples>, StoreError> {
    let mut statement = database.prepare_cached(
        "SELECT runs FROM points JOIN series ON series.id = points.series JOIN samples ON samples.point = points.id \
         WHERE points.result = ?1 AND series.function = ?2 AND points.x = ?3",
    )?;
    let packed: Option<Vec<u8>> =
        statement.query_one(params![id.cast_signed(), function, x], |row| row.get(0)).optional()?;
    let Some(packed) = packed else { return Ok(None) };
    Ok(Some(StoredSamples { function: function.to_owned(), x, runs: unpack(&packed)? }))
}

/// The numbers of the newest results, greatest first.
fn newest(transaction: &Transaction<'_>, filter: &ResultFilter) -> rusqlite::Result<Vec<i64>> {
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
    priority: u8,
    comparisons: String,
    method: u32,
}

fn head(transaction: &Transaction<'_>, id: i64) -> Result<Option<ResultHead>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT results.stored, results.request, results.quality, suites.card, results.machine, results.points, \
         results.priority, results.comparisons, results.method \
         FROM results JOIN suites ON suites.id = results.suite WHERE results.id = ?1",
    )?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let card = ResultCard {
        id: id.cast_unsigned(),
        stored: row.get(0)?,
        request: from_json(&row.get::<_, String>(1)?)?,
        quality: from_json(&row.get::<_, String>(2)?)?,
        suite: from_json(&row.get::<_, String>(3)?)?,
        machine: from_json(&row.get::<_, String>(4)?)?,
        points: row.get(5)?,
    };
    Ok(Some(ResultHead { card, priority: row.get(6)?, comparisons: row.get(7)?, method: row.get(8)? }))
}

/// The points of a result, in the order of measurement.
fn points(transaction: &Transaction<'_>, id: u64) -> Result<Vec<Point>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT series.function, points.x, points.measured, points.failed \
         FROM points JOIN series ON series.id = points.series WHERE points.result = ?1 ORDER BY points.id",
    )?;
    let mut rows = statement.query([id.cast_signed()])?;
    let mut points = Vec::new();
    while let Some(row) = rows.next()? {
        let [measured, failed] = [row.get::<_, Option<String>>(2)?, row.get::<_, Option<String>>(3)?];
        points.push(decode_point(row.get(0)?, row.get(1)?, measured.as_deref(), failed.as_deref())?);
    }
    Ok(points)
}
