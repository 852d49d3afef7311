//! What a program's calls of the harness do at the moment: list the benchmarks, or run the program up to one of them.

use benchbook_contract::protocol::FailedPart;
use benchbook_suite::__private::IgnoredSetting;
use scoped_tls_hkt::scoped_thread_local;

use crate::bencher::Measure;
use crate::found::FoundBenchmark;

scoped_thread_local!(static mut RUN: for<'a> &'a mut (dyn HarnessRun + 'a));

/// A run of the program's code.
pub(crate) trait HarnessRun {
    /// Whether the code of a target of `criterion_group!` is to be run.
    fn includes_target(&mut self, target: &str) -> bool;
    /// A benchmark was reached. `body` calls the program's closure, which passes its routine on and takes the argument in doing so.
    fn reach(&mut self, benchmark: FoundBenchmark, body: &mut dyn FnMut(&mut Option<Measure<'_>>));
    /// Whether this run only lists the benchmarks, so that a target that panics is omitted.
    fn is_listing(&self) -> bool;
    /// A target has panicked: none of its benchmarks is listed.
    fn omit(&mut self, failed: FailedPart);
    /// The program has called a setting of criterion that has no effect here.
    fn ignore(&mut self, setting: IgnoredSetting);
}

/// Calls `program`; the calls of the harness in it are those of `run`.
pub(crate) fn with_run(run: &mut dyn HarnessRun, program: impl FnOnce()) {
    RUN.set(run, program);
}

/// Calls `act` with the current run. Without one, the program has a `main` of its own.
pub(crate) fn current<R>(act: impl FnOnce(&mut dyn HarnessRun) -> R) -> R {
    assert!(RUN.is_set(), "{NO_MAIN}");
    RUN.with(|run| act(run))
}

/// The program has called a setting without effect.
pub(crate) fn ignore(name: &'static str, replacement: &'static str) {
    current(|run| run.ignore(IgnoredSetting { replacement, name }));
}

const NO_MAIN: &str = "this program has a main function of its own, and Benchbook cannot find its benchmarks: write \
    `criterion_group!` and `criterion_main!`";

#[cfg(test)]
mod tests {
    use crate::Criterion;

    #[test]
    #[should_panic(expected = "write `criterion_group!` and `criterion_main!`")]
    fn a_program_with_a_main_function_of_its_own_states_what_to_write() {
        Criterion::default().bench_function("sum", |b| b.iter(|| 1 + 1));
    }
}
