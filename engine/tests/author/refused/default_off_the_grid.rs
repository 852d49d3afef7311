use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 0, max = 90, step = 10, default = 10..=45)]
    _size: u32,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
