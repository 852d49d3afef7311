//! Groups that a `main` of its own calls, after it has prepared something that must not be prepared twice.

use std::sync::atomic::{AtomicBool, Ordering};

use criterion::{Criterion, criterion_group};

static IS_PREPARED: AtomicBool = AtomicBool::new(false);

mod texts {
    use criterion::{Criterion, criterion_group};

    fn repeat(c: &mut Criterion) {
        c.bench_function("repeat", |b| b.iter(|| "text".repeat(10)));
    }

    criterion_group!(name = benches; config = Criterion::default().with_plots(); targets = repeat);
}

fn sum(c: &mut Criterion) {
    let mut group = c.benchmark_group("sum");
    for size in [10, 100] {
        group.bench_with_input(size.to_string(), &size, |b, &size| b.iter(|| (0..size).sum::<u64>()));
    }
}

fn not_called(c: &mut Criterion) {
    c.bench_function("not called", |b| b.iter(|| ()));
}

criterion_group!(benches, sum);
criterion_group!(others, not_called);

fn main() -> Result<(), String> {
    if IS_PREPARED.swap(true, Ordering::Relaxed) {
        return Err("prepared twice".to_owned());
    }
    benches();
    texts::benches();
    if !IS_PREPARED.load(Ordering::Relaxed) {
        others();
    }
    Criterion::default().with_plots().configure_from_args().final_summary();
    Ok(())
}
