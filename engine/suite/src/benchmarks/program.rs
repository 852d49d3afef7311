//! Benchmarks that a program finds by running its own code, as those of criterion: their names are known only then, and a routine
//! exists only while the code that calls the harness is on the stack.

use std::collections::BTreeSet;
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

/// A setting of another harness that is accepted without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IgnoredSetting {
    /// What to use instead, as a sentence without the full stop. Settings with the same replacement share a note.
    pub replacement: &'static str,
    /// The name of the setting.
    pub name: &'static str,
}

/// The replacement for settings of the accuracy and the time of a measurement.
pub const PRECISION_REPLACEMENT: &str = "Benchbook's priorities and precision replace them";

/// Prints the ignored settings of a program, and their replacements.
pub fn print_ignored_settings(settings: &BTreeSet<IgnoredSetting>) {
    ignored_setting_notes(settings).iter().for_each(|note| print_note(note));
}

/// A note for each replacement.
fn ignored_setting_notes(settings: &BTreeSet<IgnoredSetting>) -> Vec<String> {
    let settings: Vec<&IgnoredSetting> = settings.iter().collect();
    let note = |group: &[&IgnoredSetting]| {
        let names: Vec<&str> = group.iter().map(|setting| setting.name).collect();
        format!("without effect: {}. {}", names.join(", "), group[0].replacement)
    };
    settings.chunk_by(|one, next| one.replacement == next.replacement).map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_with_the_same_replacement_are_one_note() {
        let setting = |replacement, name| IgnoredSetting { replacement, name };
        let settings = [
            setting("Plots are on the page", "with_plots"),
            setting(PRECISION_REPLACEMENT, "b"),
            setting(PRECISION_REPLACEMENT, "a"),
        ];
        assert_eq!(
            ignored_setting_notes(&BTreeSet::from(settings)),
            [
                "without effect: a, b. Benchbook's priorities and precision replace them",
                "without effect: with_plots. Plots are on the page"
            ]
        );
        assert!(ignored_setting_notes(&BTreeSet::new()).is_empty());
    }
}
