//! Benchmarks that a program finds by running its own code, as those of criterion: their names are known only then, and a routine
//! exists only while the code that calls the harness is on the stack.

use std::collections::{BTreeMap, BTreeSet};
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

/// A setting of another harness that has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettingWithoutEffect {
    /// What replaces it: a sentence about all settings that it replaces, without the full stop.
    pub replacement: &'static str,
    /// The name of the setting.
    pub name: &'static str,
}

/// What replaces settings of the accuracy and of the time of a measurement.
pub const BY_PRIORITIES: &str = "Benchbook's priorities and precision replace them";

/// Lists the settings of a program that have no effect, and what replaces them.
pub fn note_without_effect(settings: &BTreeSet<SettingWithoutEffect>) {
    notes_without_effect(settings).iter().for_each(|note| print_note(note));
}

/// A note for each replacement.
fn notes_without_effect(settings: &BTreeSet<SettingWithoutEffect>) -> Vec<String> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for setting in settings {
        names.entry(setting.replacement).or_default().push(setting.name);
    }
    names.iter().map(|(replacement, names)| format!("without effect: {}. {replacement}", names.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_with_the_same_replacement_are_one_note() {
        let setting = |replacement, name| SettingWithoutEffect { replacement, name };
        let settings =
            [setting("Plots are on the page", "with_plots"), setting(BY_PRIORITIES, "b"), setting(BY_PRIORITIES, "a")];
        assert_eq!(
            notes_without_effect(&BTreeSet::from(settings)),
            [
                "without effect: a, b. Benchbook's priorities and precision replace them",
                "without effect: with_plots. Plots are on the page"
            ]
        );
        assert!(notes_without_effect(&BTreeSet::new()).is_empty());
    }
}
