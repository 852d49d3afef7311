use benchbook::prelude::*;

#[measured(generators(keys))]
unsafe fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
