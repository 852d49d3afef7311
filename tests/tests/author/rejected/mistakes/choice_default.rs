//! A default that is no option of its choice.

use benchbook::prelude::*;

#[derive(Choice)]
enum Spread {
    Random,
    Sorted,
}

/// Keys.
#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// How they are spread.
    #[parameter(default = "Sortd")] //~ the default is not a variant of the choice: write a variant's name, such as default = "Random"
    _spread: Spread,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}
