//! A program with benchmarks: finds them, and runs the program's code up to those that a host measures.

use std::cell::Cell;
use std::collections::BTreeSet;

use benchbook_contract::catalog::listed_name;
use benchbook_contract::parameter::Argument;
use benchbook_contract::protocol::{FailedPart, Open};
use benchbook_suite::__private as suite;
use benchbook_suite::__private::{
    Benchmarks, FoundBenchmarks, IgnoredSetting, NotReady, OmittedParts, OpenBenchmarks, Routine, RunsToRoutine,
    Throughput, ignored_setting_notes, is_input, list_part,
};

use crate::bencher::Measure;
use crate::criterion::Criterion;
use crate::found::FoundBenchmark;
use crate::list::{CriterionCatalog, INPUT, is_of_target};
use crate::measurement::Measurement;
use crate::names::{FunctionName, Names, function_of_inputs};
use crate::run::{HarnessRun, current, with_run};

const NO_BENCHMARKS: &str =
    "the program has no benchmarks: call `bench_function` in a function that `criterion_group!` names";

/// The groups of benchmarks that `main` calls.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// The functions that `criterion_group!` defines, with their names.
    pub(crate) groups: &'static [(&'static str, fn())],
}

/// Calls a function that `criterion_group!` names, if the current run includes it.
///
/// * `criterion`: the harness of the group; absent until the first of its functions is called.
/// * `configure`: creates it.
pub fn run_target<M: Measurement>(
    criterion: &mut Option<Criterion<M>>,
    configure: impl FnOnce() -> Criterion<M>,
    path: &str,
    target: impl FnOnce(&mut Criterion<M>),
) {
    // `stringify!` may have added spaces.
    let name: String = path.split_whitespace().collect();
    if !current(|run| run.includes_target(&name)) {
        return;
    }
    let call = || {
        let criterion = criterion.get_or_insert_with(configure);
        criterion.target.clone_from(&name);
        target(criterion);
    };
    if !current(|run| run.is_listing()) {
        call();
    } else if let Err(failed) = list_part(&name, call) {
        current(|run| run.omit(failed));
    }
}

impl Program {
    fn list(&self, without: &[FailedPart]) -> Listing {
        let mut listing = Listing { omitted_parts: OmittedParts::new(without), ..Listing::default() };
        for (name, group) in self.groups {
            // A function may be a group without `criterion_group!`, and panic itself.
            if listing.begin(name) {
                let before = listing.before.clone();
                if let Err(failed) = list_part(name, || with_run(&mut listing, group)) {
                    listing.before = before;
                    listing.omit(failed);
                }
            }
        }
        listing
    }

    fn run(&self, run: &mut dyn HarnessRun) {
        with_run(run, || self.groups.iter().for_each(|(_, group)| group()));
    }
}

impl Benchmarks for Program {
    fn find(&self, without: &[FailedPart]) -> Result<FoundBenchmarks, String> {
        let listing = self.list(without);
        let (functions, generators, numbered) = CriterionCatalog::new(&listing.names).into_parts();
        let mut notes = listing.omitted_parts.notes();
        notes.extend(numbered);
        if functions.is_empty() {
            return Err(if notes.is_empty() { NO_BENCHMARKS.to_owned() } else { notes.join("; ") });
        }
        notes.extend(ignored_setting_notes(&listing.ignored));
        Ok(FoundBenchmarks { functions, generators, notes })
    }

    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String> {
        let input = open.arguments.get(INPUT).cloned();
        let target = |path: &String| Target {
            program: *self,
            benchmark: NamedBenchmark { path: path.clone(), generator: open.generator.clone(), input: input.clone() },
        };
        Ok(Box::new(open.functions.iter().map(target).collect::<Vec<_>>()))
    }
}

/// Records the benchmarks without running them.
#[derive(Default)]
struct Listing {
    names: Names,
    /// The names before the current target, or the current group.
    before: Names,
    omitted_parts: OmittedParts,
    ignored: BTreeSet<IgnoredSetting>,
}

impl Listing {
    /// Begins a part of the program. Returns whether it is to be run.
    fn begin(&mut self, part: &str) -> bool {
        self.before = self.names.clone();
        !self.omitted_parts.includes(part)
    }
}

impl HarnessRun for Listing {
    fn includes_target(&mut self, target: &str) -> bool {
        self.begin(target)
    }
    fn is_listing(&self) -> bool {
        true
    }
    fn omit(&mut self, failed: FailedPart) {
        self.names = self.before.clone();
        self.omitted_parts.add(failed);
    }
    fn reach(&mut self, benchmark: FoundBenchmark, _body: &mut dyn FnMut(&mut Option<Measure<'_>>)) {
        self.names.add(&benchmark);
    }
    fn ignore(&mut self, setting: IgnoredSetting) {
        self.ignored.insert(setting);
    }
}

/// A benchmark that a host names.
struct NamedBenchmark {
    /// The path of the function.
    path: String,
    /// The path of the generator, which starts with the name of the target.
    generator: String,
    /// The input; absent if the generator has no parameter.
    input: Option<Argument>,
}

impl NamedBenchmark {
    /// Whether it is this benchmark, which belongs to the function with this name.
    fn is(&self, benchmark: &FoundBenchmark, name: &FunctionName) -> bool {
        let is_path = |path: &str| self.path == listed_name(path);
        match (&self.input, benchmark.input()) {
            (Some(argument), Some(input)) => {
                is_input(argument, input) && (is_path(&name.path) || is_path(&function_of_inputs(&name.path)))
            }
            (None, input) => is_path(&name.with_input(input)),
            (Some(_), None) => false,
        }
    }
}

/// A benchmark that a host has opened. The functions of the program run again for each of them, since the routines borrow their
/// variables.
struct Target {
    program: Program,
    benchmark: NamedBenchmark,
}

impl RunsToRoutine for Target {
    fn path(&self) -> &str {
        &self.benchmark.path
    }

    fn run(&self, measure: suite::Measure<'_>) {
        let throughput = Cell::new(Throughput::default());
        let mut measure = |routine: &mut dyn Routine| measure(routine, throughput.get());
        self.program.run(&mut UpTo {
            target: &self.benchmark,
            names: Names::default(),
            throughput: &throughput,
            measure: Some(&mut measure),
        });
    }

    fn not_reached(&self) -> NotReady {
        let input = self.benchmark.input.as_ref().map(|input| format!(" with the input {input}")).unwrap_or_default();
        let reason = format!(
            "the program did not reach the benchmark `{}`{input}, or its closure called no method of the bencher, such as `iter`",
            self.benchmark.path
        );
        NotReady { reason, is_skipped: false }
    }
}

/// Runs the program up to a benchmark, and measures it.
struct UpTo<'t> {
    target: &'t NamedBenchmark,
    /// Of the benchmarks so far.
    names: Names,
    throughput: &'t Cell<Throughput>,
    /// Absent once the benchmark is measured.
    measure: Option<Measure<'t>>,
}

impl HarnessRun for UpTo<'_> {
    fn includes_target(&mut self, target: &str) -> bool {
        self.measure.is_some() && is_of_target(&self.target.generator, target)
    }
    fn is_listing(&self) -> bool {
        false
    }
    fn omit(&mut self, _failed: FailedPart) {}
    fn reach(&mut self, benchmark: FoundBenchmark, body: &mut dyn FnMut(&mut Option<Measure<'_>>)) {
        if self.measure.is_none() {
            return;
        }
        let name = self.names.add(&benchmark);
        if self.target.is(&benchmark, &name) {
            self.throughput.set(benchmark.throughput);
            body(&mut self.measure);
        }
    }
    fn ignore(&mut self, _setting: IgnoredSetting) {}
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeMap;

    use super::*;
    use crate::benchmark_id::BenchmarkId;

    thread_local! {
        static BODIES: Cell<u32> = const { Cell::new(0) };
        static CALLS: Cell<[u32; 2]> = const { Cell::new([0; 2]) };
        /// Which routine was called last.
        static LAST: Cell<usize> = const { Cell::new(0) };
    }

    /// 300 functions, and one with 300 inputs.
    fn many() {
        let mut criterion = None;
        run_target(&mut criterion, Criterion::default, "many", |c| {
            for number in 0..300 {
                c.bench_function(&format!("function {number}"), |b| {
                    BODIES.set(BODIES.get() + 1);
                    b.iter(|| number);
                });
            }
            let mut group = c.benchmark_group("group");
            for number in 0..300 {
                group.bench_function(BenchmarkId::new("curve", number), |b| {
                    BODIES.set(BODIES.get() + 1);
                    b.iter(|| number);
                });
            }
        });
    }

    /// A closure that calls `iter` twice.
    fn twice() {
        let mut criterion = None;
        run_target(&mut criterion, Criterion::default, "twice", |c| {
            let count = |index: usize| {
                let mut calls = CALLS.get();
                calls[index] += 1;
                CALLS.set(calls);
            };
            c.bench_function("twice", |b| {
                b.iter(|| count(0));
                b.iter(|| count(1));
            });
        });
    }

    /// A name twice, and a group that two targets add to.
    fn shared() {
        let mut criterion = None;
        for (target, count, inputs) in [("one", 2, [10, 100]), ("other", 1, [1_000, 10_000])] {
            run_target(&mut criterion, Criterion::default, target, |c| {
                for _ in 0..count {
                    c.bench_function("spin", |b| b.iter(|| LAST.set(target.len())));
                }
                let mut group = c.benchmark_group("decode");
                for input in inputs {
                    group.bench_function(BenchmarkId::new("fast", input), |b| b.iter(|| LAST.set(input)));
                }
            });
        }
    }

    /// A target that lists a benchmark and then panics, between others; and a function that is a group by itself.
    fn incomplete() {
        let mut criterion = None;
        for target in ["fine", "missing", "last"] {
            run_target(&mut criterion, Criterion::default, target, |c| {
                c.bench_function("spin", |b| b.iter(|| ()));
                assert!(target != "missing", "the data is missing");
            });
        }
    }

    fn by_itself() {
        Criterion::default().bench_function("alone", |b| b.iter(|| ()));
        panic!("there is no config");
    }

    #[test]
    fn of_a_target_that_panics_nothing_is_listed_and_everything_else_is() {
        let program = Program { groups: &[("by_itself", by_itself), ("incomplete", incomplete)] };
        let paths = |found: &FoundBenchmarks| {
            found
                .functions
                .iter()
                .map(|function| format!("{} {}", function.path, function.generators[0]))
                .collect::<Vec<_>>()
        };
        let found = program.find(&[]).unwrap();
        assert_eq!(paths(&found), ["spin fine", "spin_2 fine + last"]);
        let [alone, missing, second] = found.notes.as_slice() else { panic!("{:?}", found.notes) };
        assert!(second.starts_with("two benchmarks are named `spin`"), "{second}");
        for (note, part, reason) in
            [(alone, "by_itself", "there is no config"), (missing, "missing", "the data is missing")]
        {
            assert!(note.starts_with(&format!("`{part}` is omitted")) && note.contains("program.rs:"), "{note}");
            assert!(note.contains(reason), "{note}");
        }
        // As after a panic that ended an earlier instance.
        let failed = |part: &str| FailedPart { part: part.to_owned(), reason: "no file".to_owned(), location: None };
        let without = program.find(&[failed("fine"), failed("by_itself"), failed("missing")]).unwrap();
        assert_eq!(paths(&without), ["spin last"]);
        assert!(without.notes[0].starts_with("`by_itself`, `fine`, `missing` are omitted"), "{:?}", without.notes);
        let none = Program { groups: &[("by_itself", by_itself)] }.find(&[]).err().expect("nothing is left");
        assert!(none.starts_with("`by_itself` is omitted"), "{none}");
    }

    #[test]
    fn each_benchmark_is_found_under_its_listed_name() {
        let program = Program { groups: &[("shared", shared)] };
        let FoundBenchmarks { functions, .. } = program.find(&[]).unwrap();
        let paths: Vec<&str> = functions.iter().map(|function| function.path.as_str()).collect();
        assert_eq!(paths, ["decode::fast", "spin", "spin_2", "spin_3"]);
        for (path, input, expected) in [
            ("decode::fast", Some(10), 10),
            ("decode::fast", Some(10_000), 10_000),
            ("spin", None, 3),
            ("spin_2", None, 3),
            ("spin_3", None, 5),
        ] {
            let generator = functions.iter().find(|function| function.path == path).unwrap().generators[0].clone();
            let input = input.map(|input| Argument::Number(f64::from(input)));
            let benchmark = NamedBenchmark { path: path.to_owned(), generator, input };
            Target { program, benchmark }.run(&mut |routine: &mut dyn Routine, _| _ = routine.call_untimed(1));
            assert_eq!(LAST.take(), expected, "{path}");
        }
    }

    fn open(function: &str, generator: &str, arguments: BTreeMap<String, Argument>) -> Open {
        let (functions, generator) = (vec![function.to_owned()], generator.to_owned());
        Open { slot: 0, functions, generator, arguments, seed: 1, priority: 1 }
    }

    #[test]
    fn of_hundreds_of_benchmarks_only_the_closures_of_open_ones_run() {
        let program = Program { groups: &[("many", many)] };
        let FoundBenchmarks { functions, generators, .. } = program.find(&[]).unwrap();
        assert_eq!((functions.len(), generators.len(), BODIES.take()), (301, 2, 0));
        let input = BTreeMap::from([(INPUT.to_owned(), Argument::Number(299.0))]);
        for open in [open("function 299", "many", BTreeMap::new()), open("group::curve", "many::group", input)] {
            let mut opened = program.open(&open).unwrap();
            let mut count = 0;
            opened.with_functions(&mut |functions| count = functions.count()).unwrap();
            assert_eq!((count, BODIES.take()), (1, 1), "{open:?}");
        }
    }

    #[test]
    fn the_first_routine_of_a_closure_is_measured() {
        let program = Program { groups: &[("twice", twice)] };
        let mut opened = program.open(&open("twice", "twice", BTreeMap::new())).unwrap();
        opened.with_functions(&mut |functions| assert_eq!(functions.count(), 1)).unwrap();
        assert_eq!(CALLS.take(), [0, 0]);
        let measure = &mut |routine: &mut dyn Routine, _: Throughput| {
            routine.call_untimed(2);
        };
        let benchmark = NamedBenchmark { path: "twice".to_owned(), generator: "twice".to_owned(), input: None };
        Target { program, benchmark }.run(measure);
        assert_eq!(CALLS.take(), [2, 0]);
    }
}
