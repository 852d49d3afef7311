//! Profilers within the harness, which are accepted without effect.

use std::path::Path;

/// A profiler within the harness. Benchbook never starts it: start `cargo bench -- --profile-time 10s NAME` under a profiler instead.
///
/// A profiler of another crate implements criterion's own trait, so using it is a compile error:
///
/// ```compile_fail
/// # extern crate benchbook_criterion as criterion;
/// let criterion = criterion::Criterion::default().with_profiler(());
/// ```
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support profilers within the harness",
    label = "remove `with_profiler`, and start `cargo bench -- --profile-time 10s NAME` under a profiler"
)]
pub trait Profiler {
    /// Never called.
    fn start_profiling(&mut self, benchmark: &str, folder: &Path);
    /// Never called.
    fn stop_profiling(&mut self, benchmark: &str, folder: &Path);
}

/// A profiler that the user starts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _benchmark: &str, _folder: &Path) {}
    fn stop_profiling(&mut self, _benchmark: &str, _folder: &Path) {}
}
