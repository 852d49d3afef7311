use benchbook::prelude::*;

#[measured(generators(keys))]
async fn sort(keys: &mut [u64]) {
    keys.sort();
}

fn main() {}
