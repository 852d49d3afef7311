use benchbook::prelude::*;

#[measured(generators(keys))]
struct Keys(Vec<u64>);

fn main() {}
