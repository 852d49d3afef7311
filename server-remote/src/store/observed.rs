//! Records metrics of a store.

use std::sync::Arc;
use std::time::Instant;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::repeatability::MachineHistory;
use prometheus_client::metrics::histogram::Histogram;

use super::error::StoreError;
use super::interface::Store;
use super::model::{NewResult, PointMatch, PointQuery, ResultFilter};
use crate::metrics::StoreMetrics;

/// A store that records how long it takes to add and to find points, and how many results it has.
#[derive(Debug)]
pub struct ObservedStore<S> {
    store: Arc<S>,
    metrics: StoreMetrics,
}

impl<S: Store> ObservedStore<S> {
    /// Wraps a store, and counts its results.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn new(store: Arc<S>, metrics: StoreMetrics) -> Result<Self, StoreError> {
        metrics.results.set(store.count()?.cast_signed());
        Ok(Self { store, metrics })
    }
}

/// Records the duration of an operation, whether or not it succeeds.
fn timed<T>(histogram: &Histogram, operation: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = operation();
    histogram.observe(start.elapsed().as_secs_f64());
    result
}

impl<S: Store> Store for ObservedStore<S> {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        let id = timed(&self.metrics.add, || self.store.add(result))?;
        self.metrics.results.inc();
        Ok(id)
    }

    fn unreadable_rows(&self) -> u64 {
        self.store.unreadable_rows()
    }

    fn revision(&self) -> u64 {
        self.store.revision()
    }

    fn find(&self, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError> {
        timed(&self.metrics.find, || self.store.find(query))
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        self.store.functions()
    }

    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError> {
        self.store.generators(suite, function)
    }

    fn results(&self, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError> {
        self.store.results(filter)
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        self.store.result(id)
    }

    fn samples(&self, id: u64, function: &str, x: &AxisValue) -> Result<Option<StoredSamples>, StoreError> {
        self.store.samples(id, function, x)
    }

    fn history(&self, machine: &str) -> Result<MachineHistory, StoreError> {
        self.store.history(machine)
    }

    fn keep_history(&self, machine: &str, history: &MachineHistory) -> Result<(), StoreError> {
        self.store.keep_history(machine, history)
    }

    fn count(&self) -> Result<u64, StoreError> {
        self.store.count()
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.store.bytes()
    }

    fn clear(&self) -> Result<(), StoreError> {
        self.store.clear()?;
        self.metrics.results.set(0);
        Ok(())
    }
}
