use benchbook::prelude::*;

#[measured(generators())]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
