//! Compares the native code of a function in two builds.

mod executable;
mod import_flow;
mod link_map;
mod same_code;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use self::executable::LinkedProgram;
use self::same_code::CodeComparison;
use benchbook_assembly::names::{is_timed_loop, timed_loop};

/// The executables of two builds of a suite with the same layout.
#[derive(Debug)]
pub(super) struct ComparedCode([LinkedProgram; 2]);

impl ComparedCode {
    /// Reads the executables and their link maps.
    ///
    /// # Errors
    /// If they cannot be read, or are not ELF files for x86-64.
    pub(super) fn read([one, other]: [(&Path, &Path); 2]) -> Result<Self> {
        Ok(Self([LinkedProgram::read(one.0, one.1)?, LinkedProgram::read(other.0, other.1)?]))
    }

    /// The functions that a function reaches in the second build, and whose own code is not in the first one: their names, in order. Those are suspects if it has become
    /// slower. Empty if the function is not found.
    pub(super) fn different(&self, function: &str, generator: &str) -> Vec<String> {
        let different = self.different_addresses(function, generator).unwrap_or_default();
        let names = different.into_iter().filter_map(|address| self.0[1].name_at(address));
        let names = names.filter(|name| !is_timed_loop(name));
        names.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether all functions that a function reaches, also through pointers, have the same instructions in both. This does not compare data, such as the line numbers in
    /// the messages of panics, so it is enough only if the source is the same.
    pub(super) fn has_same_instructions(&self, function: &str, generator: &str) -> bool {
        self.different_addresses(function, generator).is_some_and(|different| different.is_empty())
    }

    /// The addresses of the functions that a function reaches in the second build, and whose own code is not in the first one; `None` if it is not found.
    fn different_addresses(&self, function: &str, generator: &str) -> Option<Vec<u64>> {
        let [one, other] = &self.0;
        let [start, start_of_other] = self.starts(function, generator)?;
        let mut earlier: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for address in one.reached(start) {
            earlier.entry(one.name_at(address)?).or_default().push(address);
        }
        let is_different = |address: &u64| {
            // Several functions may have the same name.
            let known = other.name_at(*address).and_then(|name| earlier.get(name)).into_iter().flatten();
            !known.into_iter().any(|known| CodeComparison::new([one, other]).is_same_alone([*known, *address]))
        };
        Some(other.reached(start_of_other).into_iter().filter(is_different).collect())
    }

    /// Whether the timed loop of a function, which contains the function itself or calls it, is the same in both, with everything that it
    /// calls. If this is unknown, it is not.
    pub(super) fn is_same(&self, function: &str, generator: &str) -> bool {
        let [one, other] = &self.0;
        self.starts(function, generator).is_some_and(|starts| CodeComparison::new([one, other]).is_same(starts))
    }

    /// The addresses of the timed loop of a function.
    fn starts(&self, function: &str, generator: &str) -> Option<[u64; 2]> {
        let start = |program: &LinkedProgram| timed_loop(program.functions(), function, generator);
        let [one, other] = &self.0;
        Some([start(one)?, start(other)?])
    }
}
