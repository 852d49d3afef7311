//! The start of the program, and divan's harness.

use std::time::Duration;

use benchbook_suite::__private::{IgnoredSetting, PRECISION_REPLACEMENT};

use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};
use crate::settings::{CYCLES_REPLACEMENT, ignore};

/// Runs the program with the command line of a suite: `cargo bench` measures the benchmarks.
pub fn main() {
    Divan::from_args().main();
}

/// The harness. Its settings have no effect: Benchbook's command line, priorities and precision replace them.
#[derive(Debug, Default)]
pub struct Divan {
    _private: (),
}

impl Divan {
    /// Creates the harness. The command line of the program is Benchbook's.
    #[must_use]
    pub fn from_args() -> Self {
        Self::default()
    }

    /// Does nothing: the command line of the program is Benchbook's.
    #[must_use]
    pub fn config_with_args(self) -> Self {
        self
    }

    /// Runs the program. In wasm, this does nothing: a host calls the suite's exports.
    pub fn main(&self) {
        #[cfg(not(target_family = "wasm"))]
        benchbook::__private::run(crate::program::identity(), crate::program::MEMORY_BOUND);
    }

    /// As [`Self::main`].
    pub fn run_benches(&self) {
        self.main();
    }

    /// Does nothing.
    #[deprecated(note = "remove this call: `cargo test --benches` calls each benchmark once")]
    pub fn test_benches(&self) {}

    /// Does nothing.
    #[deprecated(note = "remove this call: `cargo bench -- --list` lists the benchmarks")]
    pub fn list_benches(&self) {}
}

macro_rules! ignored {
    ($replacement:expr; $($setting:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        impl Divan {
            $(
                /// Accepted without effect.
                #[must_use]
                pub fn $setting(self $(, $argument: $type)*) -> Self {
                    $(let _ = $argument;)*
                    ignore(IgnoredSetting { replacement: $replacement, name: stringify!($setting) });
                    self
                }
            )*
        }
    };
}

ignored!(
    PRECISION_REPLACEMENT;
    sample_count(count: u32),
    sample_size(size: u32),
    min_time(time: Duration),
    max_time(time: Duration),
    skip_ext_time(is_skipped: bool),
);
ignored!("`cargo bench` prints a table without colours"; color(is_enabled: impl Into<Option<bool>>));
ignored!(
    "`cargo bench -- NAME` and `cargo bench -- --skip NAME` select benchmarks";
    skip_regex(benchmarks: impl SkippedBenchmarks),
    skip_exact(benchmark: impl Into<String>),
);
ignored!("Remove `ignore` from the benchmarks that you want to measure"; run_ignored(), run_only_ignored());
ignored!(
    "Set them in the attributes of benchmarks and groups";
    threads(threads: impl IntoIterator<Item = usize>),
    counter(counter: impl IntoCounter),
    items_count(count: impl Into<ItemsCount>),
    bytes_count(count: impl Into<BytesCount>),
    bytes_format(format: BytesFormat),
    chars_count(count: impl Into<CharsCount>),
);
ignored!(CYCLES_REPLACEMENT; cycles_count(count: impl Into<CyclesCount>));

/// A regular expression as text.
#[diagnostic::on_unimplemented(
    message = "Benchbook does not support `{Self}` in `skip_regex`",
    label = "remove `skip_regex`, and select benchmarks with `cargo bench -- --skip NAME`"
)]
pub trait SkippedBenchmarks {}

impl SkippedBenchmarks for &str {}
impl SkippedBenchmarks for String {}
