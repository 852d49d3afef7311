//! What `benchbook-divan` does not support.

use divan::{Bencher, Divan};

struct Unknown;

fn main() {
    Divan::from_args().skip_regex(Unknown).main(); //~ select benchmarks with `cargo bench -- --skip NAME`
}

#[divan::bench(args = [1, 2])]
fn count(bencher: Bencher, size: u64) {
    bencher.counter(Unknown).bench(|| size); //~ write a counter such as `ItemsCount::new(8_u32)`
}
