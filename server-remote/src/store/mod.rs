//! The store: every result that was measured, found again per point.
//!
//! Behind a trait, so that another database can serve a fleet of runners. [`conformance`] holds an implementation
//! against what is said here.

pub mod conformance;
mod memory;
mod sqlite;
pub mod synthetic;

use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

use benchbook_contract::parameter::Arguments;
use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::response::{Point, Response};
use thiserror::Error;

pub use memory::MemoryStore;
pub use sqlite::SqliteStore;

/// What is looked for before measuring: points of these functions, measured together.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The fingerprint of the suite's executable.
    pub fingerprint: String,
    /// Which machine: the runner's name, its CPU model and its kernel.
    pub machine: String,
    /// The functions' paths, in the order asked.
    pub functions: Vec<String>,
    /// The generator's path.
    pub generator: String,
    /// The arguments; that of the axis, its range, is not compared.
    pub arguments: Arguments,
    /// The name of the axis.
    pub axis: String,
    /// Where randomness starts.
    pub seed: u64,
    /// The axis values, in any order.
    pub xs: Vec<f64>,
    /// How precise the points must be at least; see [`is_enough`].
    pub quality: Quality,
}

/// The points of all functions of a question at one axis value, from one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The axis value.
    pub x: f64,
    /// The result that they are of.
    pub result: u64,
    /// The priority with which they were measured.
    pub priority: Priority,
    /// One for each function, in the question's order, with raw samples.
    pub points: Vec<Point>,
}

/// What is to be stored: a response whose points are all to be kept, with what points are found by.
#[derive(Clone, Debug, PartialEq)]
pub struct NewResult {
    /// What was measured; a point for each function and axis value measured.
    pub response: Response,
    /// Which machine, as in [`Question::machine`].
    pub machine: String,
    /// The name of the axis.
    pub axis: String,
    /// Where randomness started.
    pub seed: u64,
}

impl NewResult {
    /// Whether it can be stored and found whole: it has points, none of them twice, and it reads back from JSON as it is.
    ///
    /// # Errors
    /// [`StoreError::Unfit`] where not.
    fn check(&self) -> Result<(), StoreError> {
        let Response { points, .. } = &self.response;
        if points.is_empty() {
            return Err(StoreError::Unfit("it has no points".to_owned()));
        }
        let mut seen = HashSet::new();
        // Adding 0 makes one zero of the two.
        if let Some(twice) = points.iter().find(|point| !seen.insert((&point.function, (point.x + 0.0).to_bits()))) {
            return Err(StoreError::Unfit(format!("it has two points of `{}` at {}", twice.function, twice.x)));
        }
        // What is no number, or infinite, becomes null in JSON.
        let read = serde_json::to_string(&self.response).and_then(|json| serde_json::from_str::<Response>(&json));
        match read {
            Ok(read) if read == self.response => Ok(()),
            Ok(_) => Err(StoreError::Unfit("its JSON says something else".to_owned())),
            Err(problem) => Err(StoreError::Unfit(format!("its JSON cannot be read back: {problem}"))),
        }
    }
}

/// Whether what was measured with a quality answers where another is asked: the numbers of both are compared, not the
/// priorities that they are of.
pub fn is_enough(stored: &Quality, asked: &Quality) -> bool {
    stored.precision <= asked.precision && stored.point_ms >= asked.point_ms && stored.processes >= asked.processes
}

/// What time it is, in milliseconds since 1970: when a result is stored.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Which results to list: those that fit all that is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Those with points of this function, by its path.
    pub function: Option<String>,
    /// Those of this generator, by its path.
    pub generator: Option<String>,
    /// Those of this suite, by its name.
    pub suite: Option<String>,
    /// Those with a smaller number.
    pub before: Option<u64>,
    /// No more than so many.
    pub limit: u32,
}

/// Keeps results, and finds them again.
///
/// Nothing stored is ever changed or deleted but all at once: what is measured again becomes the newest, and the rest
/// history. Failed points are stored like others, and never found: what failed is measured again. "The newest" is what
/// has the greatest number, whatever clocks say.
///
/// Each call waits for the disk: asynchronous code makes it on a thread for such calls.
pub trait Store: Send + Sync {
    /// Stores a result and returns its number, from 1 on and greater than that of every earlier one, forgotten ones
    /// included. When this returns it is on disk, whole; where a crash came first, it is either there whole or not at all.
    ///
    /// # Errors
    /// Where it could not be stored; then nothing of it is, and later ones can be.
    fn add(&self, result: &NewResult) -> Result<u64, StoreError>;

    /// The newest stored points that are at least as precise as asked, at each axis value where all functions have one
    /// from one and the same result: the same build of the suite, machine, generator, arguments but the axis's, axis and
    /// seed; a target precision no greater, and time and processes no less than asked. In ascending order of `x`, each
    /// once.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn find(&self, question: &Question) -> Result<Vec<Found>, StoreError>;

    /// The functions of which there are results, in the order of suite and path.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError>;

    /// The generators with which a function was measured, in the order of their paths.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError>;

    /// Results, newest first.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn results(&self, filter: &Filter) -> Result<Vec<ResultCard>, StoreError>;

    /// A result, its points without raw samples; absent where there is none of that number.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError>;

    /// The raw samples of a point of a result; absent where there is none, or it failed.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn samples(&self, id: u64, function: &str, x: f64) -> Result<Option<StoredSamples>, StoreError>;

    /// How many results there are.
    ///
    /// # Errors
    /// Where the database cannot be read.
    fn count(&self) -> Result<u64, StoreError>;

    /// Forgets every result; when this returns none is on disk.
    ///
    /// # Errors
    /// Where the database cannot be written; then nothing is forgotten.
    fn forget_all(&self) -> Result<(), StoreError>;
}

/// Why the store cannot do something.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database is not usable: what is wrong and what to do. The file is untouched.
    #[error("{0}")]
    Unusable(String),
    /// The result is none that could be found again: a mistake of whoever made it.
    #[error("the result cannot be stored: {0}")]
    Unfit(String),
    /// The database refused.
    #[error("the database cannot be used: {0}")]
    Database(String),
}
