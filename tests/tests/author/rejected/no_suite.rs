//! A binary crate without `suite!`: all its functions share one error.

use benchbook::prelude::*;

/// Sorts the keys.
#[measured(generators(keys))] //~ `WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT`
fn sort(keys: &mut [u64]) {}

/// Reverses the keys.
#[measured(generators(keys))]
fn reverse(keys: &mut [u64]) {}

/// Keys.
#[generator(name = "Keys")]
fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

fn main() {}
