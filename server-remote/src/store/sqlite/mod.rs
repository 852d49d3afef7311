//! The store in SQLite: one thread writes, readers have connections of their own and never wait for it.
//!
//! [`mod@open`] looks before it touches, [`schema`] makes the tables, [`writer`] and [`insert`] fill them, [`find`] and
//! [`browse`] read them, and [`encode`] is what a result is in them. `docs/store.md` has it in prose.

mod browse;
mod encode;
mod find;
mod insert;
mod open;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredSamples};
use rusqlite::Connection;

use super::{Filter, Found, NewResult, Question, Store, StoreError};
use encode::Encoded;
use open::{Lock, Opened, open, reader};
use schema::MIGRATIONS;
use writer::Writer;

/// How many connections stay open for readers to come: each may hold 2 MB of the database in memory.
const IDLE: usize = 8;

/// Results in a SQLite database, which no other process uses meanwhile.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    /// Connections that nobody reads with at the moment.
    idle: Mutex<Vec<Connection>>,
    writer: Writer,
    /// The last to go: fields are dropped in this order.
    _lock: Lock,
}

impl SqliteStore {
    /// Opens a database, brings it to the latest version, and makes one where there is none.
    ///
    /// # Errors
    /// Where the file is no database of this program, damaged, of a newer version, in use by another runner, or not to be
    /// written: what is wrong and what to do. It is then as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let Opened { writer, lock } = open(path, MIGRATIONS)?;
        Ok(Self { path: path.to_owned(), idle: Mutex::new(Vec::new()), writer: Writer::new(writer)?, _lock: lock })
    }

    /// Stores many results in one transaction: all or none, and far quicker than one after the other.
    ///
    /// # Errors
    /// Where one of them could not be stored.
    pub fn add_all(&self, results: &[NewResult]) -> Result<Vec<u64>, StoreError> {
        self.writer.add(results.iter().map(Encoded::new).collect::<Result<_, _>>()?)
    }

    fn read<T>(&self, with: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = idle().pop();
        let mut connection = connection.map_or_else(|| reader(&self.path), Ok)?;
        let read = with(&mut connection)?;
        let mut idle = idle();
        if idle.len() < IDLE {
            idle.push(connection);
        }
        Ok(read)
    }
}

impl Store for SqliteStore {
    fn add(&self, result: &NewResult) -> Result<u64, StoreError> {
        let ids = self.writer.add(vec![Encoded::new(result)?])?;
        ids.first().copied().ok_or_else(|| StoreError::Database("it gave no number".to_owned()))
    }

    fn find(&self, question: &Question) -> Result<Vec<Found>, StoreError> {
        self.read(|database| find::find(database, question))
    }

    fn functions(&self) -> Result<Vec<StoredFunction>, StoreError> {
        self.read(|database| browse::functions(database))
    }

    fn generators(&self, suite: &str, function: &str) -> Result<Vec<StoredGenerator>, StoreError> {
        self.read(|database| browse::generators(database, suite, function))
    }

    fn results(&self, filter: &Filter) -> Result<Vec<ResultCard>, StoreError> {
        self.read(|database| browse::results(database, filter))
    }

    fn result(&self, id: u64) -> Result<Option<StoredResult>, StoreError> {
        self.read(|database| browse::result(database, id))
    }

    fn samples(&self, id: u64, function: &str, x: f64) -> Result<Option<StoredSamples>, StoreError> {
        self.read(|database| browse::samples(database, id, function, x))
    }

    fn count(&self) -> Result<u64, StoreError> {
        self.read(|database| browse::count(database))
    }

    fn forget_all(&self) -> Result<(), StoreError> {
        self.writer.forget_all()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.to_string())
    }
}
