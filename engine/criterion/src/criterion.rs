//! The harness: receives the benchmarks of a program.

use std::marker::PhantomData;
use std::panic::Location;
use std::path::Path;
use std::time::Duration;

use benchbook_suite::__private::{PRECISION_REPLACEMENT, Throughput};

use crate::bencher::Bencher;
use crate::benchmark_id::BenchmarkId;
use crate::found::FoundBenchmark;
use crate::group::{BenchmarkGroup, reach};
use crate::main_function;
use crate::measurement::{Measurement, WallTime};
use crate::profiler::Profiler;
use crate::run::ignore;
use crate::settings::{BenchmarkFilter, PLOT_REPLACEMENT, PlottingBackend};

/// The harness: receives the benchmarks of a program.
#[derive(Clone, Debug)]
pub struct Criterion<M: Measurement = WallTime> {
    /// The function that `criterion_group!` names.
    pub(crate) target: String,
    measurement: PhantomData<M>,
}

impl Default for Criterion {
    fn default() -> Self {
        Self { target: String::new(), measurement: PhantomData }
    }
}

impl<M: Measurement> Criterion<M> {
    /// Starts a group of benchmarks.
    pub fn benchmark_group(&mut self, name: impl Into<String>) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(self.target.clone(), name.into())
    }

    /// Adds a benchmark.
    #[track_caller]
    pub fn bench_function(&mut self, name: &str, mut body: impl FnMut(&mut Bencher<'_, M>)) -> &mut Self {
        let id = BenchmarkId { function: Some(name.to_owned()), parameter: None };
        reach(self.found(&id, Location::caller()), &mut body);
        self
    }

    /// Adds a benchmark with an input.
    #[track_caller]
    pub fn bench_with_input<I: ?Sized>(
        &mut self,
        id: BenchmarkId,
        input: &I,
        mut body: impl FnMut(&mut Bencher<'_, M>, &I),
    ) -> &mut Self {
        reach(self.found(&id, Location::caller()), &mut |bencher| body(bencher, input));
        self
    }

    fn found(&self, id: &BenchmarkId, location: &'static Location<'static>) -> FoundBenchmark {
        FoundBenchmark::new(&self.target, None, id, Throughput::default(), location)
    }

    /// Accepts a quantity to measure; only [`WallTime`] is supported.
    #[must_use]
    pub fn with_measurement<N: Measurement>(self, _measurement: N) -> Criterion<N> {
        Criterion { target: self.target, measurement: PhantomData }
    }

    /// Does nothing: the program's command line is Benchbook's.
    #[must_use]
    pub fn configure_from_args(self) -> Self {
        self
    }

    /// Ends the program's `main`: runs the suite, and exits. Code after it does not run.
    pub fn final_summary(&self) {
        main_function::start();
    }
}

/// Settings that are accepted without effect.
macro_rules! ignored {
    ($replacement:expr; $($setting:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        impl<M: Measurement> Criterion<M> {
            $(
                /// Accepted without effect.
                #[must_use]
                pub fn $setting(self $(, $argument: $type)*) -> Self {
                    $(let _ = $argument;)*
                    ignore(stringify!($setting), $replacement);
                    self
                }
            )*
        }
    };
}

ignored!(
    PRECISION_REPLACEMENT;
    sample_size(value: usize),
    warm_up_time(value: Duration),
    measurement_time(value: Duration),
    nresamples(value: usize),
    noise_threshold(value: f64),
    confidence_level(value: f64),
    significance_level(value: f64),
);
ignored!(
    PLOT_REPLACEMENT;
    with_plots(),
    without_plots(),
    plotting_backend(value: PlottingBackend),
);
ignored!(
    "`cargo benchbook check` compares with accepted results and with other commits";
    save_baseline(name: String),
    retain_baseline(name: String, is_strict: bool),
);
ignored!(
    "`cargo bench -- NAME` measures the benchmarks whose path contains NAME";
    with_filter(filter: impl Into<String>),
    with_benchmark_filter(filter: BenchmarkFilter),
);
ignored!("`cargo bench` prints a table without colours"; with_output_color(is_enabled: bool));
ignored!("`cargo benchbook measure --save FILE` saves results to a file"; output_directory(path: &Path));
ignored!(
    "`cargo bench -- --profile-time 10s NAME` runs a benchmark for a profiler";
    profile_time(time: Option<Duration>),
    with_profiler(profiler: impl Profiler),
);
