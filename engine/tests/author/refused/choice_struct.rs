use benchbook::prelude::*;

#[derive(Choice)]
struct Spread;

fn main() {}
