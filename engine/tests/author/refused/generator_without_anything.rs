use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys() -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}

fn main() {}
