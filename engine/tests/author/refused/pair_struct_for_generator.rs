use benchbook::prelude::*;

#[measured(generators(Keys))]
fn sort(keys: &mut [u64]) {
    keys.sort();
}

struct Keys;

fn main() {}
