//! The interface of a store.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::repeatability::MachineHistory;

use super::error::StoreError;
use super::model::{NewResult, PointMatch, PointQuery, ResultFilter};

/// Stores results and finds their points.
///
/// Results are never changed. A repeated measurement becomes the newest result; earlier ones remain as history, unless the
/// store has limits on them. Failed points are stored, but never found: a failed point is measured again. "The newest" is the result
/// with the greatest number, regardless of the clock.
///
/// A row that cannot be decoded is logged and skipped: an unreadable result is absent, and an unreadable point counts as not
/// stored, so that it is measured again.
///
/// Each method blocks while it accesses the disk: async code calls it on a blocking thread.
pub trait Store: Send + Sync {
    /// Stores a result and returns its number, which starts at 1 and exceeds every earlier number, including those of deleted
    /// results. On return the result is on disk. After a crash it is stored entirely or not at all.
    ///
    /// # Errors
    /// If the result could not be stored. Nothing of it is stored then, and later results can be.
    fn add(&self, result: &NewResult) -> Result<u64, StoreError>;

    /// The revision of the contents. Every successful write advances it before it returns.
    fn revision(&self) -> u64;

    /// The newest points that satisfy the requested quality, at each axis value where one result has points of all functions.
    /// The result must have the same build of the suite, machine, generator, arguments (except the axis's), axis and seed;
    /// its target precision must be no greater than requested, and its time and processes no less. In ascending order of
    /// `x`, without duplicates.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn find(&self, query: &PointQuery) -> Result<Vec<PointMatch>, StoreError>;

    /// The functions with results, in the order of suite and path.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError>;

    /// The generators that a function was measured with, in the order of their paths.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError>;

    /// Results, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn results(&self, filter: &ResultFilter) -> Result<Vec<ResultCard>, StoreError>;

    /// A result, with its points but without raw samples; absent if no result has this number.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError>;

    /// The raw samples of a point; absent if there is no such point, or it failed.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn samples(&self, id: u64, function: &str, x: &AxisValue) -> Result<Option<StoredSamples>, StoreError>;

    /// The history of a machine; empty if nothing is stored, or if it cannot be decoded.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn history(&self, machine: &str) -> Result<MachineHistory, StoreError>;

    /// Replaces the history of a machine. On return it is on disk. The revision remains: no response depends on it.
    ///
    /// # Errors
    /// If the database cannot be written. The earlier history remains then.
    fn keep_history(&self, machine: &str, history: &MachineHistory) -> Result<(), StoreError>;

    /// The number of results.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn count(&self) -> Result<u64, StoreError>;

    /// The number of rows that could not be decoded since the store was opened. Each counts once.
    fn unreadable_rows(&self) -> u64;

    /// The size on disk in bytes; 0 if the store has no file.
    ///
    /// # Errors
    /// If the file cannot be accessed.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Deletes all results and histories. On return none is on disk.
    ///
    /// # Errors
    /// If the database cannot be written. Nothing is deleted then.
    fn clear(&self) -> Result<(), StoreError>;
}
