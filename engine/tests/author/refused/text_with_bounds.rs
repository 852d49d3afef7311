use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = "some")]
    _size: String,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
