use benchbook::prelude::*;

#[measured]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
