//! The functions as benchmarks of criterion.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

/// Adds a benchmark per function. The input is created only if the benchmark is selected.
macro_rules! add {
    ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {
        fn benchmarks(criterion: &mut Criterion) {
            $(criterion.bench_function(stringify!($name), |bencher| {
                let input = peer_functions::inputs::$name();
                bencher.iter(|| peer_functions::$name(black_box(&input)));
            });)*
        }
    };
}

peer_functions::each_function!(add);

#[allow(missing_docs)]
mod group {
    use super::*;

    criterion_group!(functions, benchmarks);
}

use group::functions;

criterion_main!(functions);
