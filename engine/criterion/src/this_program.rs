//! The benchmarks of the groups that `main` has called. In wasm, no host calls `main`, so the first message does. A `main` with benchmarks
//! outside of groups is itself a part of the program, which runs again for each measurement.

use std::sync::OnceLock;

use benchbook_contract::protocol::{FailedPart, Open};
use benchbook_suite::__private::{Benchmarks, BenchmarksEntry, FoundBenchmarks, OpenBenchmarks, inventory, is_counted};

use crate::main_function::{Called, CrateEntry, Group, program_crate, with_called};
use crate::program::Program;

const NO_MAIN: &str = "Benchbook cannot find this program's `main`, since its crate has no `criterion_group!`. List the functions that `main` \
    calls in `criterion_group!(benches, …);`, and call `benches();` in their place";

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
            found.generators.iter_mut().for_each(|generator| generator.docs.clone_from(&reason));
            found.notes.push(reason);
        }
        Ok(found)
    }

    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String> {
        self.find_parts()?.open(open)
    }
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
fn uncounted_memory(entry: &CrateEntry, is_counted: bool) -> Option<String> {
    let own_allocators = entry.own_allocators.filter(|_| !is_counted)?;
    let has_own = own_allocators.split(',').any(|name| name == entry.identity.crate_name);
    let (cause, fix) = match has_own {
        true => ("global allocator", "remove its `#[global_allocator]`"),
        false => ("`main`", "write `criterion_main!` instead, which adds the allocator that counts them"),
    };
    let name = entry.identity.name;
    Some(format!("Memory is not measured in `{name}`, since it has a {cause} of its own. To count allocations, {fix}"))
}

#[cfg(test)]
mod tests {
    use benchbook_suite::__private::Identity;

    use super::*;
    use crate::main_function::note_group;

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
        assert!(names(true, None).is_err_and(|reason| reason.contains("calls in `criterion_group!(benches, …);`")));
    }

    #[test]
    fn memory_that_is_not_counted_has_a_reason() {
        let identity = Identity { name: "mine", version: "", crate_name: "mine" };
        let of = |own_allocators, is_counted| {
            uncounted_memory(&CrateEntry { identity, main: || None, own_allocators }, is_counted)
        };
        for (own_allocators, cause) in
            [("mine", "a global allocator"), ("other,mine", "a global allocator"), ("other", "a `main`")]
        {
            let reason = of(Some(own_allocators), false).expect("it is not counted");
            assert!(
                reason.starts_with(&format!("Memory is not measured in `mine`, since it has {cause} of its own")),
                "{reason}"
            );
        }
        assert_eq!((of(Some(""), true), of(None, false)), (None, None), "it is counted, or never shown");
    }
}
