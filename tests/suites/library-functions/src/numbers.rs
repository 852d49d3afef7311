//! Numbers.

use benchbook::prelude::*;

/// The sum of the numbers.
#[measured(generators(numbers))]
pub fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

/// The greatest of the numbers.
#[measured(generators(numbers))]
pub fn greatest(numbers: &[u64]) -> Option<u64> {
    numbers.iter().copied().max()
}

/// Small numbers.
#[generator(name = "Numbers")]
pub fn numbers(
    _service: &Service,
    /// How many.
    #[parameter(min = 1, max = 1_000, default = 1..=100)]
    size: usize,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..size).map(|_| rng.random_range(0..1_000)).collect())
}
