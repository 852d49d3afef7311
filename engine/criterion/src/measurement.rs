//! What is measured: the time.

use crate::settings::Throughput;

/// A quantity that Benchbook measures. Only [`WallTime`] implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support `{Self}` as a measurement",
    label = "remove this implementation and `with_measurement`: Benchbook measures the time, and on Linux also instructions and cycles"
)]
pub trait SupportedMeasurement {}

/// A quantity that benchmarks measure. Benchbook measures the time, and further metrics by itself. Implementing it for another type is a
/// compile error that says what to do instead:
///
/// ```compile_fail
/// # extern crate benchbook_criterion as criterion;
/// use criterion::measurement::{Measurement, ValueFormatter};
///
/// struct Cycles;
///
/// impl Measurement for Cycles {
///     type Intermediate = u64;
///     type Value = u64;
///     fn start(&self) -> u64 { 0 }
///     fn end(&self, start: u64) -> u64 { start }
///     fn add(&self, one: &u64, other: &u64) -> u64 { one + other }
///     fn zero(&self) -> u64 { 0 }
///     fn to_f64(&self, value: &u64) -> f64 { *value as f64 }
///     fn formatter(&self) -> &dyn ValueFormatter { unimplemented!() }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support `{Self}` as a measurement",
    label = "remove `with_measurement`: Benchbook measures the time, and on Linux also instructions and cycles"
)]
pub trait Measurement: SupportedMeasurement {
    /// The state between the start and the end.
    type Intermediate;
    /// The measured value.
    type Value;
    /// Never called.
    fn start(&self) -> Self::Intermediate {
        not_called()
    }
    /// Never called.
    fn end(&self, _start: Self::Intermediate) -> Self::Value {
        not_called()
    }
    /// Never called.
    fn add(&self, _one: &Self::Value, _other: &Self::Value) -> Self::Value {
        not_called()
    }
    /// Never called.
    fn zero(&self) -> Self::Value {
        not_called()
    }
    /// Never called.
    fn to_f64(&self, _value: &Self::Value) -> f64 {
        not_called()
    }
    /// Never called.
    fn formatter(&self) -> &dyn ValueFormatter {
        not_called()
    }
}

/// How criterion formats the values of a measurement. Benchbook formats its own.
pub trait ValueFormatter {
    /// Never called.
    fn format_value(&self, _value: f64) -> String {
        not_called()
    }
    /// Never called.
    fn format_throughput(&self, _throughput: &Throughput, _value: f64) -> String {
        not_called()
    }
    /// Never called.
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        not_called()
    }
    /// Never called.
    fn scale_throughputs(&self, _typical: f64, _throughput: &Throughput, _values: &mut [f64]) -> &'static str {
        not_called()
    }
    /// Never called.
    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        not_called()
    }
}

fn not_called() -> ! {
    panic!("Benchbook measures the time itself: do not call the methods of `Measurement`")
}

/// The time between two readings of the clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallTime;

impl SupportedMeasurement for WallTime {}

impl Measurement for WallTime {
    type Intermediate = ();
    type Value = ();
}
