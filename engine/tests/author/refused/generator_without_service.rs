use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
