use benchbook::prelude::*;

#[derive(Choice)]
enum Spread<const N: usize> {
    Random,
}

fn main() {}
