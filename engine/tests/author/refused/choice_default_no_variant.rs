use benchbook::prelude::*;

#[derive(Choice)]
enum Spread {
    Random,
    Sorted,
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
    /// How they are spread.
    #[parameter(default = "Sortd")]
    _spread: Spread,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
