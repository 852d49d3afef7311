//! A store in memory: the reference for databases, and the store for tests of everything else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::repeatability::MachineHistory;
use benchbook_host::response::{MeasuredPoint, Outcome, Point, Response, WasmCounts};
use benchbook_server::store::{NewResult, PointMatch, PointQuery, ResultFilter, Store, StoreError, now_ms, satisfies};

/// Results in memory, searched from the newest to the oldest.
#[derive(Debug, Default)]
pub struct MemoryStore {
    contents: RwLock<Contents>,
    revision: AtomicU64,
}

#[derive(Debug, Default)]
struct Contents {
    /// The greatest number so far.
    last: u64,
    /// In ascending order of their numbers.
    results: Vec<StoredEntry>,
    histories: BTreeMap<String, MachineHistory>,
}

#[derive(Debug)]
struct StoredEntry {
    id: u64,
    stored: u64,
    result: NewResult,
}

impl MemoryStore {
    fn read(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Contents> {
        self.contents.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        result.check()?;
        let mut contents = self.write();
        contents.last += 1;
        let id = contents.last;
        contents.results.push(StoredEntry { id, stored: now_ms(), result: result.clone() });
        self.revision.fetch_add(1, Ordering::SeqCst);
        Ok(id)
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    fn find(&self, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError> {
        let mut xs = query.xs.clone();
        xs.sort_by(AxisValue::total_cmp);
        xs.dedup();
        let contents = self.read();
        let at = |x: &AxisValue| contents.results.iter().rev().find_map(|stored| stored.match_at(query, x));
        Ok(xs.iter().filter_map(at).collect())
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        let mut functions = BTreeMap::new();
        for stored in &self.read().results {
            for function in stored.functions() {
                let key = (stored.suite().to_owned(), function.to_owned());
                count(functions.entry(key).or_default(), stored);
            }
        }
        let one = |((suite, function), (results, newest))| StoredFunction { suite, function, results, newest };
        Ok(functions.into_iter().map(one).collect())
    }

    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError> {
        let mut generators = BTreeMap::new();
        for stored in &self.read().results {
            if stored.suite() == suite && stored.functions().contains(function) {
                count(generators.entry(stored.generator().to_owned()).or_default(), stored);
            }
        }
        let one = |(generator, (results, newest))| StoredGenerator { generator, results, newest };
        Ok(generators.into_iter().map(one).collect())
    }

    fn results(&self, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError> {
        let contents = self.read();
        let matching = contents.results.iter().rev().filter(|stored| stored.matches(filter));
        Ok(matching.take(filter.limit as usize).map(StoredEntry::card).collect())
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        Ok(self.read().results.iter().find(|stored| stored.id == id).map(StoredEntry::without_samples))
    }

    fn samples(&self, id: u64, function: &str, x: &AxisValue) -> Result<Option<StoredSamples>, StoreError> {
        let contents = self.read();
        let point = contents.results.iter().find(|stored| stored.id == id).and_then(|stored| stored.point(function, x));
        let runs = point.and_then(Point::measured).map(|measured| measured.runs.clone());
        Ok(runs.map(|runs| StoredSamples { function: function.to_owned(), x: x.clone(), runs }))
    }

    fn history(&self, machine: &str) -> Result<MachineHistory, StoreError> {
        Ok(self.read().histories.get(machine).cloned().unwrap_or_default())
    }

    fn keep_history(&self, machine: &str, history: &MachineHistory) -> Result<(), StoreError> {
        self.write().histories.insert(machine.to_owned(), history.clone());
        Ok(())
    }

    fn count(&self) -> Result<u64, StoreError> {
        Ok(self.read().results.len() as u64)
    }

    fn unreadable_rows(&self) -> u64 {
        0
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    fn clear(&self) -> Result<(), StoreError> {
        let mut contents = self.write();
        contents.results.clear();
        contents.histories.clear();
        self.revision.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

fn count((results, newest): &mut (u64, u64), stored: &StoredEntry) {
    *results += 1;
    *newest = stored.stored;
}

impl StoredEntry {
    fn response(&self) -> &Response {
        &self.result.response
    }

    fn suite(&self) -> &str {
        &self.response().suite.name
    }

    fn generator(&self) -> &str {
        &self.response().request.generator
    }

    fn functions(&self) -> BTreeSet<&str> {
        self.response().points.iter().map(|point| point.function.as_str()).collect()
    }

    fn point(&self, function: &str, x: &AxisValue) -> Option<&Point> {
        self.response().points.iter().find(|point| point.function == function && point.x == *x)
    }

    fn matches(&self, filter: &ResultFilter) -> bool {
        filter.before.is_none_or(|before| self.id < before)
            && filter.suite.as_deref().is_none_or(|suite| self.suite() == suite)
            && filter.generator.as_deref().is_none_or(|generator| self.generator() == generator)
            && filter.function.as_deref().is_none_or(|function| self.functions().contains(function))
    }

    /// The points at an axis value, if they match the query.
    fn match_at(&self, query: &PointQuery, x: &AxisValue) -> Option<PointMatch> {
        let response = self.response();
        let is_same = response.suite.fingerprint == query.fingerprint
            && response.method == query.method
            && self.result.machine == query.machine
            && self.generator() == query.generator
            && self.result.axis == query.axis
            && self.result.seed == query.seed
            && fixed_arguments(&response.request.arguments, &query.axis)
                .eq(fixed_arguments(&query.arguments, &query.axis));
        if !is_same || query.functions.is_empty() || !satisfies(&response.quality, &query.quality) {
            return None;
        }
        let has_first_calls = |measured: &MeasuredPoint| {
            measured.first_calls.as_ref().is_some_and(|first_calls| first_calls.failure.is_none())
        };
        let has_counts = |measured: &MeasuredPoint| {
            measured.wasm_instructions.as_ref().is_some_and(|counts| !matches!(counts, WasmCounts::Failed(_)))
        };
        let is_match = |measured: &MeasuredPoint| {
            (!query.first_calls || has_first_calls(measured)) && (!query.wasm_instructions || has_counts(measured))
        };
        let measured =
            |function: &String| self.point(function, x).filter(|point| point.measured().is_some_and(is_match)).cloned();
        let points = query.functions.iter().map(measured).collect::<Option<Vec<Point>>>()?;
        Some(PointMatch { x: x.clone(), result: self.id, stored: self.stored, priority: response.priority, points })
    }

    fn card(&self) -> ResultCard {
        let Response { request, suite, quality, machine, points, .. } = self.response().clone();
        let points = points.len() as u64;
        ResultCard { id: self.id, stored: self.stored, request, quality, suite, machine, points }
    }

    fn without_samples(&self) -> StoredResult {
        let mut response = self.response().clone();
        for point in &mut response.points {
            if let Outcome::Measured(measured) = &mut point.outcome {
                measured.runs.clear();
            }
        }
        StoredResult { id: self.id, stored: self.stored, response }
    }
}

fn fixed_arguments<'a>(arguments: &'a Arguments, axis: &'a str) -> impl Iterator<Item = (&'a String, &'a Argument)> {
    arguments.iter().filter(move |(name, _)| *name != axis)
}
