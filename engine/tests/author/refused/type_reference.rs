use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(default = "some")]
    _size: &str,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
