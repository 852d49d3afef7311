//! A binary crate without `suite!`: all its functions share one error.

use benchbook::prelude::*;

/// Sorts the keys.
#[measured(generators(keys))] //~ `WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT`
fn sort(keys: &mut [u64]) {
    keys.sort();
}

/// Reverses the keys.
#[measured(generators(keys))]
fn reverse(keys: &mut [u64]) {
    keys.reverse();
}

/// Keys.
#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

fn main() {}
