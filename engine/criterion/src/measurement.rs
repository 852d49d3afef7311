//! What is measured: the time.

/// A quantity that benchmarks measure. Benchbook measures the time, and further metrics by itself.
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support `{Self}` as a measurement",
    label = "remove `with_measurement`: Benchbook measures the time, and on Linux also instructions and cycles"
)]
pub trait Measurement {}

/// The time between two readings of the clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallTime;

impl Measurement for WallTime {}
