use benchbook::prelude::*;

#[generator(name = "Keys")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    _size: u32,
) -> Vec<u64> {
    Vec::new()
}

fn main() {}
