//! A global allocator in the bench.

use std::alloc::System;

use criterion::{Criterion, criterion_group, criterion_main};

#[global_allocator]
static ALLOCATOR: System = System;

fn vector(c: &mut Criterion) {
    c.bench_function("vector", |b| b.iter(|| vec![1_u8; 100]));
}

criterion_group!(benches, vector);
criterion_main!(benches);
