//! Lists that name no generators, and names that are no lists.

use benchbook::prelude::*;

struct Keys;

generators!(with_a_struct = [Keys]); //~ `unfit_lists::Keys` is not a generator
//~^ name a function that has `#[generator]` above it

generators!(with_a_function = [plain]); //~ `this_function_needs_the_generator_attribute`

generators!(with_a_misspelt_generator = [keyz]); //~ E0432
//~^ keys

generators!(with_shared_inputs = [keys, shared]);

/// One of the generators does not fit.
#[measured(generators(..with_shared_inputs))] //~ `benchbook::Shared<Vec<u64>>` does not fit the way this function takes its input
fn mutates(keys: &mut [u64]) {}

/// The list does not exist.
#[measured(generators(..unknown))] //~ `unknown`
fn without_a_list(keys: &[u64]) -> usize {
    keys.len()
}

fn plain() -> Vec<u64> {
    Vec::new()
}

/// Keys.
#[generator(name = "Keys")]
fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

/// Shared keys.
#[generator(name = "Shared keys")]
fn shared(_service: &Service) -> Shared<Vec<u64>> {
    Shared::new(|rng| vec![rng.random()])
}
