//! The entry point of a suite's native executable.

use benchbook_suite::__private::{Identity, native};

/// Serves a host, or carries out a command of a user or of cargo.
pub fn run(identity: Identity, memory_bound: u64) {
    #[cfg(feature = "terminal")]
    if benchbook_host::child::run_helper_if_requested() {
        return;
    }
    native::run(identity, memory_bound, MEASURE);
}

/// Measures the functions of this executable.
#[cfg(feature = "terminal")]
const MEASURE: Option<native::MeasureFunctions> = Some(|filter| {
    benchbook_terminal::bench_target::measure(|path| filter.selects(path)).map_err(|error| format!("{error:#}"))
});

/// Without the feature, the executable contains no host.
#[cfg(not(feature = "terminal"))]
const MEASURE: Option<native::MeasureFunctions> = None;
