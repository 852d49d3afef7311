//! Compares the native code of a function in two builds.

mod executable;
mod import_flow;
mod link_map;
mod same_code;

use std::path::Path;

use anyhow::Result;

use self::executable::LinkedProgram;
use self::same_code::CodeComparison;
use benchbook_assembly::names::timed_loop;

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

    /// Whether the timed loop of a function, which contains the function itself or calls it, is the same in both, with everything that it
    /// calls. If this is unknown, it is not.
    pub(super) fn is_same(&self, function: &str, generator: &str) -> bool {
        let [one, other] = &self.0;
        let start = |program: &LinkedProgram| timed_loop(program.functions(), function, generator);
        start(one)
            .zip(start(other))
            .is_some_and(|(first, second)| CodeComparison::new([one, other]).is_same([first, second]))
    }
}
