//! The one thread that writes: what it is asked to do comes over a channel, a transaction after the other.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::encode::Encoded;
use super::insert;
use crate::store::StoreError;

/// The writer's thread; it ends when this is dropped, and its connection with it.
#[derive(Debug)]
pub(super) struct Writer {
    /// Absent only while it is being dropped.
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Add { results: Vec<Encoded>, answer: Sender<rusqlite::Result<Vec<u64>>> },
    ForgetAll { answer: Sender<rusqlite::Result<()>> },
}

impl Writer {
    /// Starts the thread.
    pub fn new(database: Connection) -> Result<Self, StoreError> {
        let (orders, ordered) = mpsc::channel();
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || write(database, &ordered));
        let thread = thread.map_err(|error| StoreError::Database(format!("its thread cannot be started: {error}")))?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    /// Stores results, all or none of them; they are on disk when this returns.
    pub fn add(&self, results: Vec<Encoded>) -> Result<Vec<u64>, StoreError> {
        self.order(|answer| Order::Add { results, answer })
    }

    /// Forgets every result.
    pub fn forget_all(&self) -> Result<(), StoreError> {
        self.order(|answer| Order::ForgetAll { answer })
    }

    fn order<T>(&self, order: impl FnOnce(Sender<rusqlite::Result<T>>) -> Order) -> Result<T, StoreError> {
        let ended = || StoreError::Database("its thread has ended".to_owned());
        let (answer, answered) = mpsc::channel();
        let orders = self.orders.as_ref().ok_or_else(ended)?;
        orders.send(order(answer)).map_err(|_| ended())?;
        Ok(answered.recv().map_err(|_| ended())??)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was told already.
            thread.join().ok();
        }
    }
}

fn write(mut database: Connection, orders: &Receiver<Order>) {
    for order in orders {
        // Whoever does not wait for the answer has ended.
        match order {
            Order::Add { results, answer } => answer.send(insert::add(&mut database, &results)).ok(),
            Order::ForgetAll { answer } => answer.send(insert::forget_all(&mut database)).ok(),
        };
    }
}
