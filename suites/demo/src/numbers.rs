//! Arithmetic.

use benchbook::prelude::*;

/// The sum of the values, from the first to the last.
///
/// Floating-point addition is not associative, so the compiler must keep the order: one addition waits for the other.
#[measured(generators(values))]
pub fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// Whether the number is even: about as little as a function can do.
///
/// Can its cost be told from that of calling it?
#[measured(generators(number))]
pub fn is_even(number: u64) -> bool {
    number.is_multiple_of(2)
}

/// Values spread evenly around a center.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=10_000, unit = "values")]
    count: usize,
    /// What they lie around.
    #[parameter(min = -1_000.0, max = 1_000.0, default = 0.0, axis = false)]
    center: f64,
) -> Shared<Vec<f64>> {
    Shared::new(move |rng| (0..count).map(|_| center + rng.random::<f64>() - 0.5).collect())
}

/// Random numbers of a number of bits.
#[generator(name = "Number")]
fn number(
    _service: &Service,
    /// The most bits that the number has.
    #[parameter(min = 1, max = 64, default = 1..=64, unit = "bits")]
    bits: u32,
) -> Calls<u64> {
    Calls::new(move |rng| (0..256).map(|_| rng.random::<u64>() >> (64 - bits)).collect())
}
