use benchbook::prelude::*;

#[measured(generators(keys))]
fn sort<T: Ord>(keys: &mut [T]) {
    keys.sort();
}

fn main() {}
