//! Benchmarks that a program finds by running its own code, as those of criterion: their names are known only then, and a routine
//! exists only while the code that calls the harness is on the stack.

use std::env;

use benchbook_contract::catalog::{Function, Generator};

use benchbook_contract::environment::HOST_VARIABLE;
use benchbook_contract::protocol::Open;

use crate::collect::ready_functions::ReadyFunctions;

/// The benchmarks of a program. Each is a function in the catalog, and its inputs are the parameter of a generator.
pub trait Benchmarks: Sync {
    /// Runs the program's code without measuring, and returns the functions and generators that it finds, each sorted by path.
    ///
    /// # Errors
    /// States what the program has to change.
    fn find(&self) -> Result<(Vec<Function>, Vec<Generator>), String>;
    /// Prepares the benchmarks that a host names.
    ///
    /// # Errors
    /// States which of them does not exist.
    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String>;
}

/// The registration of a program's benchmarks.
pub struct BenchmarksEntry(pub &'static dyn Benchmarks);

inventory::collect!(BenchmarksEntry);

/// Benchmarks that a host has opened.
pub trait OpenBenchmarks {
    /// Runs the program's code up to these benchmarks, and calls `work` with them.
    ///
    /// # Errors
    /// If the code does not reach one of them; `work` was not called then.
    fn with_functions(&mut self, work: &mut dyn FnMut(&mut dyn ReadyFunctions)) -> Result<(), String>;
}

/// Prints a note about the program, unless a host has started it: a host runs several processes, and a user one.
pub fn print_note(note: &str) {
    if env::var_os(HOST_VARIABLE).is_none() {
        eprintln!("note: {note}");
    }
}

/// Lists the settings of a program that have no effect.
pub fn note_without_effect<'n>(settings: impl IntoIterator<Item = &'n str>) {
    let settings: Vec<&str> = settings.into_iter().collect();
    if !settings.is_empty() {
        let settings = settings.join(", ");
        print_note(&format!("without effect: {settings}. Benchbook's priorities and precision replace them"));
    }
}
