//! Benches as authors write them for criterion: groups with numbers and with texts, borrowed data, and each kind of routine.

use std::time::Duration;

use criterion::{
    AxisScale, BatchSize, BenchmarkId, Criterion, PlotConfiguration, Throughput, black_box, criterion_group,
    criterion_main,
};

/// A linear congruential generator.
fn numbers(count: usize) -> Vec<u64> {
    let next = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some(*state)
    };
    let mut state = 7;
    (0..count).map_while(|_| next(&mut state)).collect()
}

/// Two functions over the same numeric inputs, with a throughput.
fn sums(c: &mut Criterion) {
    let mut group = c.benchmark_group("sum");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    for size in [64_usize, 1_024, 16_384] {
        let data = numbers(size);
        group.throughput(Throughput::Elements(size as u64));
        group.bench_with_input(BenchmarkId::new("once", size), &data, |b, data| {
            b.iter(|| data.iter().fold(0_u64, |sum, value| sum.wrapping_add(black_box(*value))));
        });
        group.bench_with_input(BenchmarkId::new("four times", size), &data, |b, data| {
            b.iter(|| (0..4).map(|_| data.iter().fold(0_u64, |sum, value| sum.wrapping_add(black_box(*value)))).max());
        });
    }
    group.finish();
}

/// Inputs that are no numbers, functions without inputs, and one with a single input.
fn texts(c: &mut Criterion) {
    let mut group = c.benchmark_group("texts");
    for (name, text) in [("short", "a b"), ("long", "a b c d e f g h i j k l m n o p q r s t u v w x y z")] {
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| black_box(text).split(' ').count()));
    }
    group.bench_function("empty", |b| b.iter(|| black_box("").split(' ').count()));
    group.bench_with_input(BenchmarkId::new("repeat", 8), &8, |b, &times| b.iter(|| "ab".repeat(times)));
    group.finish();
}

/// Benchmarks outside of groups, and the other kinds of routines.
fn routines(c: &mut Criterion) {
    let data = numbers(500);
    c.bench_function("sort by value", |b| {
        b.iter_batched(
            || data.clone(),
            |mut data| {
                data.sort_unstable();
                data
            },
            BatchSize::SmallInput,
        );
    });
    c.bench_function("sort by reference", |b| {
        b.iter_batched_ref(|| data.clone(), |data| data.sort_unstable(), BatchSize::PerIteration);
    });
    c.bench_function("large drop", |b| b.iter_with_large_drop(|| vec![0_u8; 1_000]));
    c.bench_function("three microseconds", |b| b.iter_custom(|calls| Duration::from_micros(3 * calls)));
    c.bench_function("panics", |b| b.iter(|| assert!(black_box(data.is_empty()), "there is data")));
    c.bench_function("without a routine", |_| ());
}

criterion_group!(first, sums, texts);
criterion_group! {
    name = second;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1));
    targets = routines
}
criterion_main!(first, second);
