//! Numbers.

use benchbook::prelude::*;

/// Returns the sum of the numbers.
#[measured(generators(numbers))]
pub fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

/// Returns the greatest number.
#[measured(generators(numbers))]
pub fn greatest(numbers: &[u64]) -> Option<u64> {
    numbers.iter().copied().max()
}

/// Small numbers.
#[generator(name = "Numbers")]
pub fn numbers(
    _service: &Service,
    /// Number of numbers.
    #[parameter(min = 1, max = 1_000, default = 1..=100)]
    size: usize,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..size).map(|_| rng.random_range(0..1_000)).collect())
}
