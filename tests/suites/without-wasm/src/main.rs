//! A fixture: a suite with a dependency that does not compile for wasm.

use benchbook::prelude::*;

/// Doubles a number with the library.
#[measured(generators(numbers))]
fn double(number: &u64) -> u64 {
    native_library::double(*number)
}

/// Random numbers.
#[generator(name = "Numbers")]
fn numbers(
    _service: &Service,
    /// The largest number.
    #[parameter(min = 1, max = 1_000, default = 10..=100)]
    largest: u32,
) -> Shared<u64> {
    Shared::new(move |rng| rng.random_range(0..=u64::from(largest)))
}

benchbook::suite!("without-wasm");
