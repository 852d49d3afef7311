//! A `main` of its own that calls benchmarks outside of groups, next to a group.

use criterion::{Criterion, criterion_group};

fn sum(c: &mut Criterion) {
    c.bench_function("sum", |b| b.iter(|| (0..10_u64).sum::<u64>()));
}

fn repeat(c: &mut Criterion) {
    c.bench_function("repeat", |b| b.iter(|| "text".repeat(10)));
}

criterion_group!(benches, repeat);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    sum(&mut criterion);
    benches();
    criterion.final_summary();
}
