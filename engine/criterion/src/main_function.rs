//! What the program's `main` calls. `criterion_main!` writes one; a program may have its own, which ends with
//! [`Criterion::final_summary`](crate::Criterion::final_summary).
//!
//! `main` itself only notes the groups that it calls, so that whatever it prepares is prepared once. At its end, the suite starts, and runs these
//! groups for each measurement. In wasm, no host calls `main`, so the first message does. A `main` with benchmarks outside of groups is
//! itself a part of the program, which runs again for each measurement.

use std::any::TypeId;
use std::sync::{Mutex, OnceLock, PoisonError};

use benchbook_contract::protocol::{FailedPart, Open};
use benchbook_suite::__private::{
    Benchmarks, BenchmarksEntry, FoundBenchmarks, Identity, OpenBenchmarks, inventory, is_counted,
};

use crate::program::Program;
use crate::run::is_running;

/// The bytes that a program may hold at once if it has the allocator of `criterion_main!`, as for `suite!`.
pub(crate) const MEMORY_BOUND: u64 = 1 << 30;

/// The name of a program whose crate has neither `criterion_group!` nor `criterion_main!`.
const UNNAMED: &str = "benches";

const NO_MAIN: &str = "`main` cannot be called again for benchmarks outside of groups, or in a browser, since its crate has no \
    `criterion_group!`. Write `criterion_group!(benches, …);` with the functions that `main` calls, and `benches();` in `main` instead of these calls";

const OWN_ALLOCATOR: &str = "Memory is not measured, since the program has a global allocator of its own. To count \
    allocations, remove its `#[global_allocator]`";

const OWN_MAIN: &str = "Memory is not measured, since the program has a `main` of its own. To count allocations, write \
    `criterion_main!` instead, which adds the allocator that counts them";

/// A crate with `criterion_group!` or `criterion_main!`.
pub struct CrateEntry {
    /// Its name and version.
    pub identity: Identity,
    /// Its `main`; absent in a library.
    pub main: fn() -> Option<fn()>,
    /// The crates with a global allocator of their own; absent unless `cargo benchbook` has compiled it.
    pub own_allocators: Option<&'static str>,
}

inventory::collect!(CrateEntry);

/// What the `main` that stands for a missing one returns.
pub struct NoMain;

/// Whether a function named `main` is that of a program.
pub fn is_main<R: 'static>(_main: fn() -> R) -> bool {
    TypeId::of::<R>() != TypeId::of::<NoMain>()
}

/// The function of a group, with its name.
type Group = (&'static str, fn());

/// What `main` has called so far.
#[derive(Default)]
struct Called {
    groups: Vec<Group>,
    has_others: bool,
}

static CALLED: Mutex<Called> = Mutex::new(Called { groups: Vec::new(), has_others: false });

fn with_called<R>(act: impl FnOnce(&mut Called) -> R) -> R {
    act(&mut CALLED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Notes a group that `main` calls, and returns true. If the suite calls it, returns false.
pub fn note_group(name: &'static str, group: fn()) -> bool {
    if is_running() {
        return false;
    }
    with_called(|called| called.groups.push((name, group)));
    true
}

/// `main` has reached a benchmark outside of groups.
pub(crate) fn start_with_others() {
    with_called(|called| called.has_others = true);
    start();
}

/// Runs the suite, and exits. Does nothing in wasm, where a host sends messages, and on other threads of a suite.
pub(crate) fn start() {
    #[cfg(not(target_family = "wasm"))]
    if !is_running() && IS_STARTED.set(()).is_ok() {
        benchbook::__private::run(identity(), MEMORY_BOUND);
        std::process::exit(0);
    }
}

#[cfg(not(target_family = "wasm"))]
static IS_STARTED: OnceLock<()> = OnceLock::new();

/// The crate of the program: it has a `main`, unless all groups are in libraries.
fn program_crate() -> Option<&'static CrateEntry> {
    let entries = inventory::iter::<CrateEntry>.into_iter();
    entries.min_by_key(|entry| ((entry.main)().is_none(), entry.identity.name))
}

/// The name and the version of the program's crate.
pub(crate) fn identity() -> Identity {
    let unnamed = Identity { name: UNNAMED, version: "", crate_name: UNNAMED };
    program_crate().map_or(unnamed, |entry| entry.identity)
}

/// The groups that `main` has called, or `main` itself.
fn parts(called: Called, main: Option<fn()>) -> Result<Vec<Group>, String> {
    match (called.has_others, main) {
        (false, _) => Ok(called.groups),
        (true, Some(main)) => Ok(vec![("main", main)]),
        (true, None) => Err(NO_MAIN.to_owned()),
    }
}

/// Why the memory of calls is not measured; `None` if it is, and in a build without `cargo benchbook`, which never shows it.
fn uncounted_memory(entry: &CrateEntry, is_counted: bool) -> Option<&'static str> {
    let own_allocators = entry.own_allocators.filter(|_| !is_counted)?;
    let has_own = own_allocators.split(',').any(|name| name == entry.identity.crate_name);
    Some(if has_own { OWN_ALLOCATOR } else { OWN_MAIN })
}

/// The program of this executable or module.
struct ThisProgram;

inventory::submit! { BenchmarksEntry(&ThisProgram) }

impl ThisProgram {
    fn find_parts(&self) -> Result<Program, String> {
        static PROGRAM: OnceLock<Result<Program, String>> = OnceLock::new();
        let find = || {
            let main = program_crate().and_then(|entry| (entry.main)());
            #[cfg(target_family = "wasm")]
            main.ok_or(NO_MAIN)?();
            Ok(Program { groups: parts(with_called(std::mem::take), main)?.leak() })
        };
        PROGRAM.get_or_init(find).clone()
    }
}

impl Benchmarks for ThisProgram {
    fn find(&self, without: &[FailedPart]) -> Result<FoundBenchmarks, String> {
        let mut found = self.find_parts()?.find(without)?;
        if let Some(reason) = program_crate().and_then(|entry| uncounted_memory(entry, is_counted())) {
            found.notes.push(reason.to_owned());
            found.generators.iter_mut().for_each(|generator| reason.clone_into(&mut generator.docs));
        }
        Ok(found)
    }

    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String> {
        self.find_parts()?.open(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group() {
        assert!(!note_group("group", group), "the suite runs it");
    }

    #[test]
    fn a_group_that_main_calls_is_noted_until_the_suite_runs_it() {
        assert!(note_group("group", group));
        let program = Program { groups: &[("group", group)] };
        assert!(program.find(&[]).is_err_and(|reason| reason.starts_with("the program has no benchmarks")));
    }

    #[test]
    fn the_parts_of_a_program_are_its_groups_unless_main_has_other_benchmarks() {
        let names = |has_others, main: Option<fn()>| {
            let called = Called { groups: vec![("one", group as fn()), ("two", group)], has_others };
            parts(called, main).map(|parts| parts.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(names(false, Some(group)), Ok(vec!["one", "two"]));
        assert_eq!(names(false, None), Ok(vec!["one", "two"]), "all groups are in libraries");
        assert_eq!(names(true, Some(group)), Ok(vec!["main"]));
        assert!(names(true, None).is_err_and(|reason| reason.contains("Write `criterion_group!(benches, …);`")));
    }

    #[test]
    fn memory_that_is_not_counted_has_a_reason() {
        let identity = Identity { name: "mine", version: "", crate_name: "mine" };
        let of = |own_allocators, is_counted| {
            uncounted_memory(&CrateEntry { identity, main: || None, own_allocators }, is_counted)
        };
        assert_eq!(
            (of(Some("mine"), false), of(Some("other,mine"), false)),
            (Some(OWN_ALLOCATOR), Some(OWN_ALLOCATOR))
        );
        assert_eq!(of(Some("other"), false), Some(OWN_MAIN));
        assert_eq!((of(Some(""), true), of(None, false)), (None, None), "it is counted, or never shown");
    }

    #[test]
    fn a_crate_without_main_is_a_library() {
        assert!(is_main(|| ()) && is_main(|| Ok::<(), String>(())));
        assert!(!is_main(|| NoMain));
    }
}
