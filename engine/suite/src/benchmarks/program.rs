//! Benchmarks that a program finds by running its own code, as those of criterion: their names are known only then, and a routine
//! exists only while the code that calls the harness is on the stack.

use std::collections::BTreeSet;

use benchbook_contract::catalog::{Function, Generator};
use benchbook_contract::protocol::{FailedPart, Open};

use crate::collect::ready_functions::OpenBenchmarks;

/// The benchmarks of a program. Each is a function in the catalog, and its inputs are the parameter of a generator.
pub trait Benchmarks: Sync {
    /// Runs the program's code without measuring, and lists the benchmarks that it finds. `without`: parts that failed in earlier instances.
    ///
    /// # Errors
    /// Says what the program has to change.
    fn find(&self, without: &[FailedPart]) -> Result<FoundBenchmarks, String>;
    /// Prepares the benchmarks that a host names.
    ///
    /// # Errors
    /// Says which of them does not exist.
    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String>;
}

/// The benchmarks of a program, as its catalog lists them.
pub struct FoundBenchmarks {
    /// The benchmarks, sorted by path.
    pub functions: Vec<Function>,
    /// The generators of their inputs, sorted by path.
    pub generators: Vec<Generator>,
    /// Notes for the suite's author.
    pub notes: Vec<String>,
}

/// The registration of a program's benchmarks.
pub struct BenchmarksEntry(pub &'static dyn Benchmarks);

inventory::collect!(BenchmarksEntry);

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

/// The notes about the ignored settings of a program: one for each replacement.
pub fn ignored_setting_notes(settings: &BTreeSet<IgnoredSetting>) -> Vec<String> {
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
