use benchbook::prelude::*;

#[measured(generators(keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn keys() -> Vec<u64> {
    Vec::new()
}

fn main() {}
