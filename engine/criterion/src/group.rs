//! Groups of benchmarks.

use std::marker::PhantomData;
use std::panic::Location;
use std::time::Duration;

use benchbook_suite::__private as suite;

use crate::bencher::Bencher;
use crate::benchmark_id::{BenchmarkId, IntoBenchmarkId};
use crate::found::FoundBenchmark;
use crate::main_function;
use crate::measurement::{Measurement, WallTime};
use crate::run::{current, ignore, is_running};
use crate::settings::{PLOT_REPLACEMENT, PlotConfiguration, SamplingMode, Throughput};

/// Benchmarks that are compared: on the page, one plot shows them.
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    /// The function that `criterion_group!` names.
    target: String,
    name: String,
    throughput: suite::Throughput,
    /// As in criterion, a group borrows the harness.
    criterion: PhantomData<&'a mut M>,
}

impl<M: Measurement> BenchmarkGroup<'_, M> {
    pub(crate) fn new(target: String, name: String) -> Self {
        Self { target, name, throughput: suite::Throughput::default(), criterion: PhantomData }
    }

    /// Says what a call of the following benchmarks processes.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = throughput.into();
        self
    }

    /// Adds a benchmark.
    #[track_caller]
    pub fn bench_function(&mut self, id: impl IntoBenchmarkId, mut body: impl FnMut(&mut Bencher<'_, M>)) -> &mut Self {
        reach(self.found(&id.into_benchmark_id(), Location::caller()), &mut body);
        self
    }

    /// Adds a benchmark with an input.
    #[track_caller]
    pub fn bench_with_input<I: ?Sized>(
        &mut self,
        id: impl IntoBenchmarkId,
        input: &I,
        mut body: impl FnMut(&mut Bencher<'_, M>, &I),
    ) -> &mut Self {
        reach(self.found(&id.into_benchmark_id(), Location::caller()), &mut |bencher| body(bencher, input));
        self
    }

    fn found(&self, id: &BenchmarkId, location: &'static Location<'static>) -> FoundBenchmark {
        FoundBenchmark::new(&self.target, Some(&self.name), id, self.throughput, location)
    }

    /// Ends the group.
    pub fn finish(self) {}
}

/// Passes a benchmark to the current run. Without one, `main` has reached it.
pub(crate) fn reach<M: Measurement>(benchmark: FoundBenchmark, body: &mut dyn FnMut(&mut Bencher<'_, M>)) {
    if !is_running() {
        return main_function::start_with_others();
    }
    current(|run| run.reach(benchmark, &mut |measure| Bencher::with(measure, body)));
}

/// Settings that are accepted without effect.
macro_rules! ignored {
    ($replacement:expr; $($setting:ident($type:ty)),* $(,)?) => {
        impl<M: Measurement> BenchmarkGroup<'_, M> {
            $(
                /// Accepted without effect.
                pub fn $setting(&mut self, _value: $type) -> &mut Self {
                    ignore(stringify!($setting), $replacement);
                    self
                }
            )*
        }
    };
}

ignored!(
    suite::PRECISION_REPLACEMENT;
    sample_size(usize),
    warm_up_time(Duration),
    measurement_time(Duration),
    nresamples(usize),
    noise_threshold(f64),
    confidence_level(f64),
    significance_level(f64),
    sampling_mode(SamplingMode),
);
ignored!(PLOT_REPLACEMENT; plot_config(PlotConfiguration));
