use benchbook::prelude::*;

#[measured(generators(keys))]
fn shorten(text: &mut String) {
    text.pop();
}

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

fn main() {}
