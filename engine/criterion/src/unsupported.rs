//! Features of criterion without a counterpart: their use is a compile error that states what to write.

/// An executor for asynchronous routines. No type implements it.
///
/// ```compile_fail
/// # extern crate benchbook_criterion as criterion;
/// fn sleep(c: &mut criterion::Criterion) {
///     c.bench_function("ready", |b| {
///         b.to_async(()).iter(|| async {});
///     });
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support `to_async`",
    label = "call the executor in the routine: `b.iter(|| runtime.block_on(…))`"
)]
pub trait AsyncExecutor {}

/// A profiler that runs within the harness. No type implements it.
///
/// ```compile_fail
/// # extern crate benchbook_criterion as criterion;
/// let criterion = criterion::Criterion::default().with_profiler(());
/// ```
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support profilers within the harness",
    label = "remove `with_profiler`, and start `cargo bench -- --profile-time 10s NAME` under a profiler"
)]
pub trait Profiler {}
