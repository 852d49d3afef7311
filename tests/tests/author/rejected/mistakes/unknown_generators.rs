//! Names that are no generators.

use benchbook::prelude::*;

/// No function has a similar name.
#[measured(generators(walks))] //~ E0432
//~^ `walks`
fn without_a_generator(keys: &mut [u64]) {}

/// A generator has a similar name.
#[measured(generators(keyz))] //~ E0425
//~^ keys
fn with_a_misspelt_generator(keys: &mut [u64]) {}

/// A generator in the module has a similar name.
#[measured(generators(crate::unknown_generators::inputs::keyz))] //~ E0432
//~^ keys
fn with_a_misspelt_path(keys: &mut [u64]) {}

/// The function has no attribute.
#[measured(generators(plain))] //~ `this_function_needs_the_generator_attribute`
fn with_a_plain_function(keys: &mut [u64]) {}

fn plain() -> Vec<u64> {
    Vec::new()
}

/// Keys.
#[generator(name = "Keys")]
pub(crate) fn keys(_service: &Service) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

mod inputs {
    pub(crate) use super::keys;
}
