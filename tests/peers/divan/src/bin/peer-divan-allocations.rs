//! The allocating functions as benchmarks of divan, which counts their memory use. Counting takes time, so the functions of
//! `peer-divan` are in another program.

use divan::{AllocProfiler, Bencher, black_box};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Declares a benchmark per function.
macro_rules! declare {
    ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
        #[divan::bench(sample_count = 1, sample_size = 1)]
        fn $name(bencher: Bencher<'_, '_>) {
            let input = peer_functions::allocations::inputs::$name();
            bencher.bench_local(|| peer_functions::allocations::$name(black_box(&input)));
        }
    )*};
}

peer_functions::each_allocating_function!(declare);
