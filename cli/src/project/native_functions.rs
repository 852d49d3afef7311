//! The functions that a measured function reaches in native code, to be compared with those that wasm has.

use std::collections::BTreeSet;

use benchbook_assembly::names::timed_loop;
use benchbook_assembly::{Executable, Program, reached};

/// The crates of the standard library, and our own.
const OMITTED: [&str; 9] = [
    "alloc",
    "benchbook",
    "benchbook_contract",
    "benchbook_criterion",
    "benchbook_divan",
    "benchbook_suite",
    "core",
    "ladder",
    "std",
];

/// The functions of a native executable.
#[derive(Debug)]
pub(crate) struct NativeFunctions(Executable);

impl NativeFunctions {
    /// Reads an executable; `None` if it is no ELF file for x86-64. Without symbols, it has no functions.
    pub(crate) fn read(program: &[u8]) -> Option<Self> {
        Executable::read(program).ok().map(Self)
    }

    /// The names of the functions that the timed loop of a function calls or refers to, directly or through others; `None` if there is no such loop.
    pub(crate) fn reached(&self, function: &str, generator: &str) -> Option<BTreeSet<&str>> {
        let program = self.0.program(None);
        let start = timed_loop(program.functions(), function, generator)?;
        let name = |address: u64| Some(self.0.functions_at(address).last()?.name.as_str());
        Some(reached(&program, [start]).into_iter().filter_map(name).collect())
    }
}

/// Those of these functions that the wasm module does not have, not even inlined. `in_wasm`: the names that it has. Those of the standard library and our own are
/// omitted: they depend on the system.
pub(crate) fn only_native<'n>(reached: &BTreeSet<&'n str>, in_wasm: &BTreeSet<String>) -> Vec<&'n str> {
    let is_relevant =
        |name: &&&str| !in_wasm.contains(**name) && crate_of(name).is_some_and(|name| !OMITTED.contains(&name));
    reached.iter().filter(is_relevant).copied().collect()
}

/// The crate that a demangled name begins with; `None` for a symbol that is not Rust's.
fn crate_of(name: &str) -> Option<&str> {
    let (start, _) = name.split_once("::")?;
    start.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_only_native_code_has_are_found_by_their_names() {
        let reached = [
            "<&mut dyn core::panic::PanicPayload as core::fmt::Display>::fmt",
            "<[u8] as memchr::Find>::find",
            "memchr::arch::x86_64::avx2::find",
            "memchr::find",
            "memcpy",
            "std::io::Write::write",
        ];
        let in_wasm = BTreeSet::from(["memchr::find".to_owned()]);
        assert_eq!(
            only_native(&BTreeSet::from(reached), &in_wasm),
            ["<[u8] as memchr::Find>::find", "memchr::arch::x86_64::avx2::find"]
        );
    }
}
