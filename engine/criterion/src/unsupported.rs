//! Features of criterion without a counterpart: their use is a compile error that states what to write.

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
