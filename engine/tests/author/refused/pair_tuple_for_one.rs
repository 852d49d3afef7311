use benchbook::prelude::*;

#[measured(generators(keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<(Vec<u64>, u64)> {
    Fresh::new(|rng| (vec![rng.random()], 1))
}

fn main() {}
