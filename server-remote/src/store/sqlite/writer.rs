//! The writer thread: executes commands from a channel, one transaction after the other.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::encode::ResultRow;
use super::failure::stopped;
use super::files::DatabaseFiles;
use super::{insert, prune};
use crate::store::error::StoreError;
use crate::store::model::now_ms;
use crate::store::retention::{PruneMode, Pruning, Retention};

/// A handle to the writer thread. Dropping it ends the thread and closes its connection.
#[derive(Debug)]
pub(super) struct Writer {
    files: DatabaseFiles,
    /// Absent only while it is being dropped.
    commands: Option<Sender<WriteCommand>>,
    thread: Option<JoinHandle<()>>,
}

enum WriteCommand {
    Add { results: Vec<ResultRow>, reply: Sender<Result<Vec<u64>, StoreError>> },
    KeepHistory { machine: String, history: String, reply: Sender<Result<(), StoreError>> },
    Prune { retention: Retention, mode: PruneMode, reply: Sender<Result<Pruning, StoreError>> },
    Clear { reply: Sender<Result<(), StoreError>> },
}

impl Writer {
    /// Starts the thread.
    pub fn new(database: Connection, files: DatabaseFiles) -> Result<Self, StoreError> {
        let (commands, receiver) = mpsc::channel();
        let own_files = files.clone();
        let run = move || write(database, &own_files, &receiver);
        let thread = thread::Builder::new().name("store".to_owned()).spawn(run);
        let thread =
            thread.map_err(|error| stopped(files.path(), &format_args!("cannot start its thread: {error}")))?;
        Ok(Self { files, commands: Some(commands), thread: Some(thread) })
    }

    /// Stores all results or none. On return they are on disk.
    pub fn add(&self, results: Vec<ResultRow>) -> Result<Vec<u64>, StoreError> {
        self.execute(|reply| WriteCommand::Add { results, reply })
    }

    /// Replaces the history of a machine. On return it is on disk.
    pub fn keep_history(&self, machine: String, history: String) -> Result<(), StoreError> {
        self.execute(|reply| WriteCommand::KeepHistory { machine, history, reply })
    }

    /// Deletes the results beyond the limits.
    pub fn prune(&self, retention: Retention, mode: PruneMode) -> Result<Pruning, StoreError> {
        self.execute(|reply| WriteCommand::Prune { retention, mode, reply })
    }

    /// Deletes all results.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.execute(|reply| WriteCommand::Clear { reply })
    }

    fn execute<T>(&self, command: impl FnOnce(Sender<Result<T, StoreError>>) -> WriteCommand) -> Result<T, StoreError> {
        let ended = || stopped(self.files.path(), &"its thread has ended");
        let (reply, result) = mpsc::channel();
        let commands = self.commands.as_ref().ok_or_else(ended)?;
        commands.send(command(reply)).map_err(|_| ended())?;
        result.recv().map_err(|_| ended())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic.
            thread.join().ok();
        }
    }
}

fn write(mut database: Connection, files: &DatabaseFiles, commands: &Receiver<WriteCommand>) {
    for command in commands {
        // Sending fails only if the caller no longer waits.
        match command {
            WriteCommand::Add { results, reply } => reply.send(insert::add(&mut database, files, &results)).ok(),
            WriteCommand::KeepHistory { machine, history, reply } => {
                reply.send(insert::keep_history(&mut database, files, &machine, &history)).ok()
            }
            WriteCommand::Prune { retention, mode, reply } => {
                reply.send(prune::prune(&mut database, files, &retention, mode, now_ms())).ok()
            }
            WriteCommand::Clear { reply } => reply.send(insert::clear(&mut database, files)).ok(),
        };
    }
}
