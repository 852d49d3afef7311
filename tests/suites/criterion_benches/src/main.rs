//! Benches as authors write them for criterion: groups with numbers and with texts, borrowed data, and each kind of routine.

use std::future::poll_fn;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{env, fs, process, thread};

use criterion::async_executor::{AsyncExecutor, FuturesExecutor};
use criterion::measurement::WallTime;
use criterion::profiler::Profiler;
use criterion::{
    AxisScale, BatchSize, BenchmarkFilter, BenchmarkId, Criterion, PlotConfiguration, PlottingBackend, SamplingMode,
    Throughput, black_box, criterion_group, criterion_main,
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
    // Each setting of a group, none of which has an effect.
    group
        .sample_size(10)
        .warm_up_time(SECOND)
        .measurement_time(SECOND)
        .nresamples(1_000)
        .noise_threshold(0.01)
        .confidence_level(0.95)
        .significance_level(0.05)
        .sampling_mode(SamplingMode::Flat);
    for (name, text) in [("short", "a b"), ("long", "a b c d e f g h i j k l m n o p q r s t u v w x y z")] {
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| black_box(text).split(' ').count()));
    }
    group.bench_function("empty", |b| b.iter(|| black_box("").split(' ').count()));
    group.bench_with_input(BenchmarkId::new("repeat", 8), &8, |b, &times| b.iter(|| "ab".repeat(times)));
    group.finish();
}

/// Benchmarks outside of groups, and the other kinds of routines.
fn routines(c: &mut Criterion) {
    // As a missing file of a bench, for the test that sets it.
    assert!(env::var_os("MISSING").is_none(), "the data is missing");
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
    c.bench_function("exits", |b| b.iter(|| process::exit(black_box(3))));
    c.bench_function("two threads", |b| {
        b.iter(|| {
            thread::scope(|scope| [1, 2].map(|number| scope.spawn(move || number)).map(|thread| thread.join().ok()))
        });
    });
    c.bench_with_input(BenchmarkId::new("sum", 100), &numbers(100), |b, data| b.iter(|| data.iter().max()));
    c.bench_function("panics", |b| b.iter(|| assert!(black_box(data.is_empty()), "there is data")));
    c.bench_function("without a routine", |_| ());
}

/// Returns the output when it is polled for the second time, as if it had waited.
async fn second_poll<T>(output: T) -> T {
    let mut is_second = false;
    poll_fn(|context| {
        if is_second {
            return Poll::Ready(());
        }
        is_second = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    output
}

/// An executor that polls until the future is ready.
struct Spinning;

impl AsyncExecutor for Spinning {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return output;
            }
        }
    }
}

/// smol does not compile for wasm.
#[cfg(target_family = "wasm")]
use criterion::async_executor::FuturesExecutor as OfSmol;
#[cfg(not(target_family = "wasm"))]
use criterion::async_executor::SmolExecutor as OfSmol;

/// Asynchronous routines with each executor.
fn asynchronous(c: &mut Criterion) {
    let mut group = c.benchmark_group("async");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it needs no driver");
    group.bench_function("tokio", |b| b.to_async(&runtime).iter(|| second_poll(vec![0_u8; 100])));
    group.bench_function("futures", |b| {
        let first = |data: &mut Vec<u64>| {
            data.sort_unstable();
            second_poll(data[0])
        };
        b.to_async(FuturesExecutor).iter_batched_ref(|| numbers(100), first, BatchSize::PerIteration);
    });
    group.bench_function("smol", |b| b.to_async(OfSmol).iter_with_large_drop(|| second_poll(vec![0_u8; 100])));
    group.bench_function("own", |b| {
        b.to_async(Spinning).iter_custom(|calls| second_poll(Duration::from_micros(2 * calls)));
    });
    group.finish();
}

/// A target that only a process can prepare.
fn natively(c: &mut Criterion) {
    let total: u64 = thread::spawn(|| (0..100).sum()).join().expect("the thread adds");
    c.bench_function("from a thread", |b| b.iter(|| total + 1));
}

/// A target that cannot prepare its data, after a benchmark that needs none.
fn missing(c: &mut Criterion) {
    c.bench_function("before", |b| b.iter(|| 1 + 1));
    let text = fs::read_to_string("benches/huge-corpus.txt").expect("download the corpus first");
    c.bench_function("after", |b| b.iter(|| text.len()));
}

/// Names that criterion accepts: the same twice, an input of another group, an empty one, and one that would clear the terminal.
fn names(c: &mut Criterion) {
    c.bench_function("exits", |b| b.iter_custom(|calls| Duration::from_micros(5 * calls)));
    c.bench_function("", |b| b.iter(|| 1 + 1));
    c.bench_function("\u{1b}[2J", |b| b.iter(|| 1 + 1));
    c.benchmark_group("texts").bench_function(BenchmarkId::new("repeat", 64), |b| b.iter(|| "ab".repeat(64)));
}

const SECOND: Duration = Duration::from_secs(1);

/// A profiler of a bench, without effect.
struct Silent;

impl Profiler for Silent {
    fn start_profiling(&mut self, _benchmark: &str, _folder: &Path) {}
    fn stop_profiling(&mut self, _benchmark: &str, _folder: &Path) {}
}

/// Each setting, none of which has an effect.
fn configured() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(SECOND)
        .measurement_time(SECOND)
        .nresamples(1_000)
        .noise_threshold(0.01)
        .confidence_level(0.95)
        .significance_level(0.05)
        .with_plots()
        .without_plots()
        .plotting_backend(PlottingBackend::Plotters)
        .save_baseline("saved".to_owned())
        .retain_baseline("saved".to_owned(), true)
        .with_filter("sort")
        .with_benchmark_filter(BenchmarkFilter::AcceptAll)
        .with_output_color(true)
        .output_directory(Path::new("results"))
        .profile_time(Some(SECOND))
        .with_profiler(Silent)
        .with_measurement(WallTime)
        .configure_from_args()
}

criterion_group!(first, sums, natively, missing, texts, asynchronous);
criterion_group! {
    name = second;
    config = configured();
    targets = routines, names
}
criterion_main!(first, second);
