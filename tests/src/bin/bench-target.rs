//! A suite that measures itself, as a bench target does under `cargo bench`.

use benchbook::prelude::*;

/// Adds up the numbers.
#[measured(generators(numbers))]
fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number))
}

/// Returns a constant.
#[measured]
fn constant() -> u32 {
    std::hint::black_box(7)
}

/// Panics always.
#[measured]
fn panics() {
    panic!("as it always does");
}

/// A vector of random numbers.
#[generator(name = "Numbers")]
fn numbers(
    _service: &Service,
    /// Number of numbers.
    #[parameter(min = 1, max = 1_000, scale = "log", default = 10..=1_000)]
    size: usize,
) -> Shared<Vec<u64>> {
    Shared::new(move |rng| (0..size).map(|_| rng.random()).collect())
}

benchbook::suite!("bench-target");
