use benchbook::prelude::*;

#[measured(generators(keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
