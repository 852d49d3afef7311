use benchbook::prelude::*;

struct Keys(Vec<u64>);

impl Keys {
    #[measured(generators(keys))]
    fn sort(&mut self) {
        self.0.sort();
    }
}

fn main() {}
