use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
