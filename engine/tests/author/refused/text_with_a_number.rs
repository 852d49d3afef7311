use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(default = 1)]
    _size: String,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
