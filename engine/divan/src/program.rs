//! A program with benchmarks: lists them, and calls those that a host measures.

use std::thread::available_parallelism;

use benchbook_contract::protocol::{FailedPart, Open};
use benchbook_suite::__private::{
    Benchmarks, BenchmarksEntry, FoundBenchmarks, Identity, Measure, NotReady, OpenBenchmarks, RunsToRoutine,
    ignored_setting_notes, inventory,
};

use crate::bencher::BenchContext;
use crate::counter::Counted;
use crate::entry::{BenchEntry, Purpose, Visit};
use crate::list::{BenchmarkList, ChosenInputs};
use crate::settings::ignored_settings;

/// The bytes that a program may hold at once if its allocator is `AllocProfiler`, as for `suite!`.
pub(crate) const MEMORY_BOUND: u64 = 1 << 30;

/// The name of a program without benchmarks.
const UNNAMED: &str = "benches";

/// The name and the version of the program: those of its crate, which the benchmarks register. A library may register some, too.
pub(crate) fn identity() -> Identity {
    let entries = inventory::iter::<BenchEntry>.into_iter();
    let first = entries.min_by_key(|entry| (!entry.is_in_program, entry.module));
    let Some(entry) = first else { return Identity { name: UNNAMED, version: "", crate_name: UNNAMED } };
    let crate_name = entry.module.split("::").next().unwrap_or(entry.module);
    Identity { name: entry.program, version: entry.version, crate_name }
}

struct Program;

inventory::submit! { BenchmarksEntry(&Program) }

impl Program {
    fn list(&self) -> BenchmarkList {
        BenchmarkList::registered(identity().crate_name)
    }
}

impl Benchmarks for Program {
    fn find(&self, without: &[FailedPart]) -> Result<FoundBenchmarks, String> {
        let listed = self.list().evaluate(without);
        let (functions, generators) = listed.catalog()?;
        let mut without_effect = listed.without_effect();
        without_effect.extend(ignored_settings());
        let mut notes = ignored_setting_notes(&without_effect);
        notes.extend(listed.omitted_note());
        notes.extend(listed.notes);
        Ok(FoundBenchmarks { functions, generators, notes })
    }

    fn open(&self, open: &Open) -> Result<Box<dyn OpenBenchmarks>, String> {
        let list = self.list();
        let benchmark = |path: &String| {
            let listed = list.find(path)?;
            if listed.is_threaded() && cfg!(target_family = "wasm") {
                return Err(format!("`{path}` has several threads: only a runner can measure it"));
            }
            let inputs = listed.choose(&open.arguments)?;
            Ok(OpenBenchmark { path: path.clone(), counted: listed.options.counted, inputs })
        };
        Ok(Box::new(open.functions.iter().map(benchmark).collect::<Result<Vec<_>, String>>()?))
    }
}

/// A benchmark that a host has opened.
struct OpenBenchmark {
    path: String,
    counted: Counted,
    inputs: ChosenInputs,
}

impl RunsToRoutine for OpenBenchmark {
    fn path(&self) -> &str {
        &self.path
    }

    fn run(&self, measure: Measure<'_>) {
        let ChosenInputs { instance, argument, threads } = &self.inputs;
        let threads = match threads {
            0 => available_parallelism().map_or(1, Into::into),
            count => *count,
        };
        let context = BenchContext { measure, counted: self.counted, threads };
        (instance.visit)(Visit(Purpose::Call { argument: *argument, context }));
    }

    /// divan shows such a benchmark without figures.
    fn not_reached(&self) -> NotReady {
        let reason = format!("the benchmark `{}` returned without measuring", self.path);
        NotReady { reason, is_skipped: true }
    }
}
