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

/// Whether the suite runs this code, rather than the program's `main`.
pub(crate) fn is_running() -> bool {
    RUN.is_set()
}

/// Calls `act` with the current run.
pub(crate) fn current<R>(act: impl FnOnce(&mut dyn HarnessRun) -> R) -> R {
    RUN.with(|run| act(run))
}

/// The program has called a setting without effect.
pub(crate) fn ignore(name: &'static str, replacement: &'static str) {
    if is_running() {
        current(|run| run.ignore(IgnoredSetting { replacement, name }));
    }
}
