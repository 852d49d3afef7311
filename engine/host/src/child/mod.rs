//! Child processes: drives native suites over their standard input and output.

mod copy;
mod group;
mod measurement_task;
mod native_suite;
mod pipes;
mod process;
mod process_counts;
mod reaper;
mod scratch;
mod stop_handle;
mod suite_error;

pub use measurement_task::{MeasurementEvent, MeasurementTask};
pub use native_suite::NativeSuite;
pub use process_counts::ProcessCounts;
pub use reaper::{Reaper, run_reaper_if_requested};
pub use stop_handle::StopHandle;
pub use suite_error::SuiteError;
