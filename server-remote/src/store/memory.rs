//! A store that forgets when the runner ends: what [`super::conformance`] holds databases against, and what tests of
//! everything else use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::response::{Outcome, Point, Response};

use super::{Filter, Found, NewResult, Question, Store, StoreError, is_enough, now};

/// Results in memory, looked through from the newest on.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: RwLock<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The greatest number given.
    last: u64,
    /// In ascending order of their numbers.
    results: Vec<Stored>,
}

#[derive(Debug)]
struct Stored {
    id: u64,
    stored: u64,
    result: NewResult,
}

impl MemoryStore {
    fn read(&self) -> RwLockReadGuard<'_, Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Kept> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        result.check()?;
        let mut kept = self.write();
        kept.last += 1;
        let id = kept.last;
        kept.results.push(Stored { id, stored: now(), result: result.clone() });
        Ok(id)
    }

    fn find(&self, question: &Question) -> Result<Vec<Found>, StoreError> {
        let mut xs = question.xs.clone();
        xs.sort_unstable_by(f64::total_cmp);
        xs.dedup();
        let kept = self.read();
        let at = |x: f64| kept.results.iter().rev().find_map(|stored| stored.answers(question, x));
        Ok(xs.into_iter().filter_map(at).collect())
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        let mut functions = BTreeMap::new();
        for stored in &self.read().results {
            for function in stored.functions() {
                let place = (stored.suite().to_owned(), function.to_owned());
                count(functions.entry(place).or_default(), stored);
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

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCard>, StoreError> {
        let kept = self.read();
        let fitting = kept.results.iter().rev().filter(|stored| stored.fits(filter));
        Ok(fitting.take(filter.limit as usize).map(Stored::card).collect())
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        Ok(self.read().results.iter().find(|stored| stored.id == id).map(Stored::without_samples))
    }

    fn samples(&self, id: u64, function: &str, x: f64) -> Result<Option<StoredSamples>, StoreError> {
        let kept = self.read();
        let point = kept.results.iter().find(|stored| stored.id == id).and_then(|stored| stored.point(function, x));
        let runs = point.and_then(Point::measured).map(|measured| measured.runs.clone());
        Ok(runs.map(|runs| StoredSamples { function: function.to_owned(), x, runs }))
    }

    fn count(&self) -> Result<u64, StoreError> {
        Ok(self.read().results.len() as u64)
    }

    fn forget_all(&self) -> Result<(), StoreError> {
        self.write().results.clear();
        Ok(())
    }
}

fn count((results, newest): &mut (u64, u64), stored: &Stored) {
    *results += 1;
    *newest = stored.stored;
}

impl Stored {
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

    fn point(&self, function: &str, x: f64) -> Option<&Point> {
        self.response().points.iter().find(|point| point.function == function && point.x == x)
    }

    fn fits(&self, filter: &Filter) -> bool {
        filter.before.is_none_or(|before| self.id < before)
            && filter.suite.as_deref().is_none_or(|suite| self.suite() == suite)
            && filter.generator.as_deref().is_none_or(|generator| self.generator() == generator)
            && filter.function.as_deref().is_none_or(|function| self.functions().contains(function))
    }

    /// Its points at an axis value, where they answer the question.
    fn answers(&self, question: &Question, x: f64) -> Option<Found> {
        let response = self.response();
        let is_same = response.suite.fingerprint == question.fingerprint
            && self.result.machine == question.machine
            && self.generator() == question.generator
            && self.result.axis == question.axis
            && self.result.seed == question.seed
            && fixed(&response.request.arguments, &question.axis).eq(fixed(&question.arguments, &question.axis));
        if !is_same || question.functions.is_empty() || !is_enough(&response.quality, &question.quality) {
            return None;
        }
        let measured = |function: &String| self.point(function, x).filter(|point| point.measured().is_some()).cloned();
        let points = question.functions.iter().map(measured).collect::<Option<Vec<Point>>>()?;
        Some(Found { x, result: self.id, priority: response.priority, points })
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

fn fixed<'a>(arguments: &'a Arguments, axis: &'a str) -> impl Iterator<Item = (&'a String, &'a Argument)> {
    arguments.iter().filter(move |(name, _)| *name != axis)
}
