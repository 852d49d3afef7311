//! Rows that cannot be decoded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::encode::DecodeError;

/// The rows that cannot be decoded, such as after a disk error that left the structure of the database intact. Queries skip
/// them. Each is counted and logged once.
#[derive(Debug)]
pub(super) struct UnreadableRows {
    database: PathBuf,
    /// The numbers of the result and of the point; without a point, the result itself.
    found: Mutex<BTreeSet<(i64, Option<i64>)>>,
}

impl UnreadableRows {
    pub fn new(database: &Path) -> Self {
        Self { database: database.to_owned(), found: Mutex::default() }
    }

    pub fn count(&self) -> u64 {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Reports a result that is skipped.
    pub fn report_result(&self, result: i64, error: &DecodeError) {
        if self.is_new(result, None) {
            let database = self.database.display();
            tracing::error!(
                result,
                "the database {database} contains a result that cannot be read: {error}. It is not listed. To recover it, \
                 restore a backup"
            );
        }
    }

    /// Reports a point that is skipped.
    pub fn report_point(&self, result: i64, point: i64, error: &DecodeError) {
        if self.is_new(result, Some(point)) {
            let database = self.database.display();
            tracing::error!(
                result,
                "the database {database} contains a point that cannot be read: {error}. It is skipped, and measured again \
                 when it is requested. To recover it, restore a backup"
            );
        }
    }

    fn is_new(&self, result: i64, point: Option<i64>) -> bool {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).insert((result, point))
    }
}
