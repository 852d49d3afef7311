use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(from = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
