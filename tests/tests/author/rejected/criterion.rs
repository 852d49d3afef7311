//! What `benchbook-criterion` does not support.

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// As defined by a crate that depends on criterion itself.
struct Perf;

/// A measurement defined in the bench.
struct Cycles;

impl Measurement for Cycles { //~ Benchbook measures the time, and on Linux also instructions and cycles
    type Intermediate = u64;
    type Value = u64;
    fn start(&self) -> u64 {
        0
    }
    fn end(&self, start: u64) -> u64 {
        start
    }
    fn add(&self, one: &u64, other: &u64) -> u64 {
        one + other
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Cycles {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "cycles"
    }
    fn scale_throughputs(&self, _typical: f64, _throughput: &Throughput, _values: &mut [f64]) -> &'static str {
        "cycles"
    }
    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "cycles"
    }
}

fn measured() -> Criterion {
    let _ = Criterion::default().with_measurement(Perf); //~ remove `with_measurement`
    //~^ remove `with_measurement`
    Criterion::default().with_profiler(Perf) //~ start `cargo bench -- --profile-time 10s NAME` under a profiler
}

fn ready(c: &mut Criterion) {
    c.bench_function("ready", |b| {
        b.to_async(Perf).iter(|| async {}); //~ or implement `AsyncExecutor`
    });
}

criterion_group!(name = benches; config = measured(); targets = ready);
criterion_main!(benches);
