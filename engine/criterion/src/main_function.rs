//! What the program's `main` calls. `criterion_main!` writes one; a program may have its own, which ends with
//! [`Criterion::final_summary`](crate::Criterion::final_summary).
//!
//! `main` itself only notes the groups that it calls, so that whatever it prepares is prepared once. At its end, the suite starts.

use std::any::TypeId;
use std::sync::{Mutex, PoisonError};

use benchbook_suite::__private::{Identity, inventory};

use crate::run::is_running;

/// The bytes that a program may hold at once if it has the allocator of `criterion_main!`, as for `suite!`.
pub(crate) const MEMORY_BOUND: u64 = 1 << 30;

/// The name of a program whose crate has neither `criterion_group!` nor `criterion_main!`.
const UNNAMED: &str = "benches";

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
pub(crate) type Group = (&'static str, fn());

/// What `main` has called so far.
#[derive(Default)]
pub(crate) struct Called {
    pub(crate) groups: Vec<Group>,
    /// Whether it has called benchmarks outside of groups.
    pub(crate) has_others: bool,
}

static CALLED: Mutex<Called> = Mutex::new(Called { groups: Vec::new(), has_others: false });

pub(crate) fn with_called<R>(act: impl FnOnce(&mut Called) -> R) -> R {
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
static IS_STARTED: std::sync::OnceLock<()> = std::sync::OnceLock::new();

/// The crate of the program: it has a `main`, unless all groups are in libraries.
pub(crate) fn program_crate() -> Option<&'static CrateEntry> {
    let entries = inventory::iter::<CrateEntry>.into_iter();
    entries.min_by_key(|entry| ((entry.main)().is_none(), entry.identity.name))
}

/// The name and the version of the program's crate.
pub(crate) fn identity() -> Identity {
    let unnamed = Identity { name: UNNAMED, version: "", crate_name: UNNAMED };
    program_crate().map_or(unnamed, |entry| entry.identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_main_is_a_library() {
        assert!(is_main(|| ()) && is_main(|| Ok::<(), String>(())));
        assert!(!is_main(|| NoMain));
    }
}
