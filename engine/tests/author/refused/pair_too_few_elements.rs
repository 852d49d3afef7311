use benchbook::prelude::*;

#[measured(generators(keys))]
fn clamp(key: u64, low: u64, high: u64) -> u64 {
    key.clamp(low, high)
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<(u64, u64)> {
    Fresh::new(|rng| (rng.random(), 1))
}

fn main() {}
