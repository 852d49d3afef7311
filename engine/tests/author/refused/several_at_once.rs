use benchbook::prelude::*;

#[measured(generators(keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

#[generator]
fn keys(
    _service: &Service,
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
    /// How large they are.
    #[parameter(min = 1, default = 1)]
    _scale: f64,
) -> Fresh<Vec<u64>> {
    Fresh::new(|rng| vec![rng.random()])
}

fn main() {
    sort(&mut [2, 1]);
}
