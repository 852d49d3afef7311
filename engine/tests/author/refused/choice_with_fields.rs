use benchbook::prelude::*;

#[derive(Choice)]
enum Spread {
    Random,
    FewDistinct(u32),
}

fn main() {}
