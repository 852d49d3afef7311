//! Groups of benchmarks, and their identifiers.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::time::Duration;

use benchbook_suite::__private as suite;

use crate::bencher::Bencher;
use crate::found::FoundBenchmark;
use crate::measurement::{Measurement, WallTime};
use crate::run::{current, ignore};
use crate::settings::{PLOT_REPLACEMENT, PlotConfiguration, SamplingMode, Throughput};

/// The name of a benchmark: a function, a parameter, or both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// A function and a parameter.
    pub fn new(function: impl Into<String>, parameter: impl fmt::Display) -> Self {
        Self { function: Some(function.into()), parameter: Some(parameter.to_string()) }
    }

    /// A parameter of the function that the group is named after.
    pub fn from_parameter(parameter: impl fmt::Display) -> Self {
        Self { function: None, parameter: Some(parameter.to_string()) }
    }
}

/// What names a benchmark: a text, or a [`BenchmarkId`].
pub trait IntoBenchmarkId {
    /// Returns the identifier.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId { function: Some(self.into()), parameter: None }
    }
}

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

    /// States what a call of the following benchmarks processes.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = throughput.into();
        self
    }

    /// Adds a benchmark.
    #[track_caller]
    pub fn bench_function(&mut self, id: impl IntoBenchmarkId, mut body: impl FnMut(&mut Bencher<'_, M>)) -> &mut Self {
        reach(self.found(id.into_benchmark_id(), Location::caller()), &mut body);
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
        reach(self.found(id.into_benchmark_id(), Location::caller()), &mut |bencher| body(bencher, input));
        self
    }

    fn found(&self, id: BenchmarkId, location: &'static Location<'static>) -> FoundBenchmark {
        FoundBenchmark {
            target: self.target.clone(),
            group: Some(self.name.clone()),
            function: id.function,
            parameter: id.parameter,
            throughput: self.throughput,
            location,
        }
    }

    /// Ends the group.
    pub fn finish(self) {}
}

/// Passes a benchmark to the current run.
pub(crate) fn reach<M: Measurement>(benchmark: FoundBenchmark, body: &mut dyn FnMut(&mut Bencher<'_, M>)) {
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
