use benchbook::prelude::*;

struct Key(u64);

#[measured(generators(keys))]
fn unwrap(key: Key) -> u64 {
    key.0
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<Key> {
    Fresh::new(|rng| Key(rng.random()))
}

fn main() {}
