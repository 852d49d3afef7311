use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, min = 2, max = 9, default = 2..=9)]
    _size: u32,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
