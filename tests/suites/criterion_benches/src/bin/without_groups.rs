//! A `main` of its own that calls benchmarks outside of groups, next to a group.

use criterion::{Criterion, Throughput, criterion_group};

fn copy(c: &mut Criterion) {
    let mut group = c.benchmark_group("copy");
    for (name, bytes) in [("one", 1), ("too many", u64::MAX)] {
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function(name, |b| b.iter(|| bytes));
    }
}

fn repeat(c: &mut Criterion) {
    c.bench_function("repeat", |b| b.iter(|| "text".repeat(10)));
}

criterion_group!(benches, repeat);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    copy(&mut criterion);
    benches();
    criterion.final_summary();
}
