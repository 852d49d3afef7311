//! Attributes in an `impl` or a `trait`.

use benchbook::prelude::*;

struct Keys(Vec<u64>);

impl Keys {
    /// Sorts the keys.
    #[measured(generators(keys))]
    fn sort(&mut self) {} //~ a measured function cannot be a method: write a free function that calls it

    /// Sorts the keys.
    #[measured(generators(keys))]
    fn sort_all(keys: &mut [u64]) {} //~ a measured function cannot be an associated function: move `sort_all` out of

    /// Keys.
    #[generator(name = "Keys")]
    fn make(_service: &Service) -> Fresh<Vec<u64>> { //~ a generator cannot be an associated function: move `make` out of
        Fresh::new(|rng| vec![rng.random()])
    }
}

trait Sort {
    /// Sorts the keys.
    #[measured(generators(keys))]
    fn reverse(keys: &mut [u64]) {} //~ a measured function cannot be an associated function: move `reverse` out of
}

impl Sort for Keys {
    /// Sorts the keys.
    #[measured(generators(keys))]
    fn reverse(keys: &mut [u64]) {} //~ a measured function cannot be an associated function: move `reverse` out of
}
