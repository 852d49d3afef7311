use benchbook::prelude::*;

#[measured(generators(keys))]
fn sum(keys: impl Iterator<Item = u64>) -> u64 {
    keys.sum()
}

fn main() {}
