use benchbook::prelude::*;

#[measured(generators(keys))]
fn now() {}

fn main() {}
