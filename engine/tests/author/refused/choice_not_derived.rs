use benchbook::prelude::*;

enum Spread {
    Random,
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
    /// How they are spread.
    #[parameter(default = "Random")]
    _spread: Spread,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
