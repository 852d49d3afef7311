//! The connection to the database. The browser closes it when the data of this page's address is cleared; the next transaction opens it
//! again.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use idb::{Database, DatabaseEvent, Error, Factory, ObjectStoreParams};
use wasm_bindgen_futures::spawn_local;

use super::error::StorageError;
use super::stores::{NOTEBOOKS, RESULTS, SUITES};

/// The name of the database. Other pages of the same address share it.
const DATABASE: &str = "benchbook";

/// The version of the database. A page with a higher version converts it; one with a lower version does not open it. Version 2 added
/// the suites.
const VERSION: u32 = 2;

/// The connection, open or closed.
pub(super) struct Connection {
    open: RefCell<Option<OpenConnection>>,
    /// The number of connections that were opened.
    opened: Cell<u32>,
    on_closed: Box<dyn Fn()>,
}

#[derive(Clone)]
struct OpenConnection {
    number: u32,
    database: Rc<Database>,
}

impl Connection {
    /// A connection that the first transaction opens. `on_closed` is called whenever the browser closes it.
    pub(super) fn new(on_closed: impl Fn() + 'static) -> Self {
        Self { open: RefCell::default(), opened: Cell::default(), on_closed: Box::new(on_closed) }
    }

    /// Opens the database unless it is open, and creates it at the first time.
    ///
    /// # Errors
    /// Returns the exception if the browser has no storage for this page, or if the database is from a newer version.
    pub(super) async fn open(self: &Rc<Self>) -> Result<(), StorageError> {
        self.opened().await.map(drop)
    }

    /// Runs a transaction. If the browser has closed the connection, opens it again and repeats the transaction.
    ///
    /// # Errors
    /// Returns the error of the transaction, or why the database cannot be opened.
    pub(super) async fn run<T>(
        self: &Rc<Self>,
        transaction: impl AsyncFn(&Database) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let connection = self.opened().await?;
        match transaction(&connection.database).await {
            Err(error) if self.is_closed(&connection, &error) => {
                self.forget(connection.number);
                transaction(&self.opened().await?.database).await
            }
            outcome => outcome,
        }
    }

    async fn opened(self: &Rc<Self>) -> Result<OpenConnection, StorageError> {
        if let Some(open) = &*self.open.borrow() {
            return Ok(open.clone());
        }
        let mut database = open_database().await.map_err(StorageError::Unavailable)?;
        if let Some(open) = &*self.open.borrow() {
            // Another caller was faster.
            database.close();
            return Ok(open.clone());
        }
        let number = self.opened.get() + 1;
        self.opened.set(number);
        // A newer page converts the database as soon as the older ones have closed it.
        database.on_version_change(on_close(self, number));
        database.on_close(on_close(self, number));
        let open = OpenConnection { number, database: Rc::new(database) };
        self.open.replace(Some(open.clone()));
        Ok(open)
    }

    /// Whether a transaction failed because its connection was closed. The event may arrive later.
    fn is_closed(&self, connection: &OpenConnection, error: &StorageError) -> bool {
        let is_current = self.open.borrow().as_ref().is_some_and(|open| open.number == connection.number);
        !is_current || matches!(error.name().as_deref(), Some("InvalidStateError" | "AbortError"))
    }

    /// Closes a connection, unless a later one is open.
    fn forget(&self, number: u32) {
        let closed = self.open.borrow_mut().take_if(|open| open.number == number);
        if let Some(open) = closed {
            open.database.close();
            // Not inside its own event handler.
            spawn_local(async move { drop(open) });
        }
    }
}

async fn open_database() -> Result<Database, Error> {
    let mut request = Factory::new()?.open(DATABASE, Some(VERSION))?;
    request.on_upgrade_needed(|event| {
        let Ok(database) = event.database() else { return };
        let present = database.store_names();
        for name in [NOTEBOOKS, RESULTS, SUITES].into_iter().filter(|name| !present.iter().any(|store| store == name)) {
            // Each transaction fails if a store is missing.
            let _ = database.create_object_store(name, ObjectStoreParams::new());
        }
    });
    request.await
}

/// The event handler of a connection that is closed, or must be.
fn on_close(connection: &Rc<Connection>, number: u32) -> impl FnOnce(web_sys::Event) + 'static {
    let connection: Weak<Connection> = Rc::downgrade(connection);
    move |_| {
        if let Some(connection) = connection.upgrade() {
            connection.forget(number);
            (connection.on_closed)();
        }
    }
}
