use benchbook::prelude::*;

#[measured(generator(keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
