use benchbook::prelude::*;

#[derive(Choice)]
enum Spread {}

fn main() {}
