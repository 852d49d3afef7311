use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    _size: u32,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
