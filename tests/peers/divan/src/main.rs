//! The functions as benchmarks of divan.

use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Declares a benchmark per function. The input is created only if the benchmark is selected.
macro_rules! declare {
    ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
        #[divan::bench]
        fn $name(bencher: Bencher<'_, '_>) {
            let input = peer_functions::inputs::$name();
            bencher.bench_local(|| peer_functions::$name(black_box(&input)));
        }
    )*};
}

peer_functions::each_function!(declare);
