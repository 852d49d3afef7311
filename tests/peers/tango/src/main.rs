//! Pairs of functions as benchmarks of tango: `baseline/walk`, `same/walk`, and `longer/walk`, which takes 1% longer.

use std::hint::black_box;

use peer_functions::{Walk, inputs, walk_100, walk_101};
use tango_bench::{Benchmark, IntoBenchmarks, benchmark_fn, tango_benchmarks};

fn walk(name: &'static str, function: fn(&Walk) -> u64) -> Benchmark {
    benchmark_fn(name, move |bencher| {
        let input = inputs::walk_100();
        bencher.iter(move || function(black_box(&input)))
    })
}

fn benchmarks() -> impl IntoBenchmarks {
    [walk("baseline/walk", walk_100), walk("same/walk", walk_100), walk("longer/walk", walk_101)]
}

tango_benchmarks!(benchmarks());
