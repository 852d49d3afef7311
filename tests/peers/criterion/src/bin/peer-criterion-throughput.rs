//! Some of the functions as benchmarks of criterion that state a throughput.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Adds a benchmark per function and amount of work. Its name ends in the amount: `sum/bytes/8000`.
macro_rules! add {
    ($($name:ident: $($unit:ident $amount:literal),+;)*) => {
        fn benchmarks(criterion: &mut Criterion) {
            $($({
                let mut group = criterion.benchmark_group(stringify!($name));
                group.throughput(Throughput::$unit($amount));
                let input = peer_functions::inputs::$name();
                let id = format!("{}/{}", stringify!($unit).to_lowercase(), $amount);
                group.bench_function(id, |bencher| bencher.iter(|| peer_functions::$name(black_box(&input))));
                group.finish();
            })+)*
        }
    };
}

add! {
    mix: Elements 1, Bytes 8;
    sum: Elements 1_000, Bytes 8_000;
    hash_text: Elements 20_000, Bytes 20_000;
    sort_copy: Elements 10_000, Bytes 80_000;
    count_distinct: Elements 30, Bytes 300;
    sieve: Elements 1, Bytes 3;
}

#[allow(missing_docs)]
mod group {
    use super::*;

    criterion_group!(throughput, benchmarks);
}

use group::throughput;

criterion_main!(throughput);
