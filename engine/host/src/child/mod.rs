//! Child processes: drives native suites over their standard input and output.

mod build_router;
mod child_settings;
mod copy;
mod event_counters;
mod exit_watch;
mod group;
mod measurement_task;
mod native_suite;
mod own_process;
mod pipes;
mod process;
mod process_counts;
mod reaper;
mod running_suite;
mod scratch;
mod stop_handle;
mod suite_error;
mod suite_program;

pub use child_settings::{ALLOCATOR_SETTINGS, ChildSettings, PackageEnvironment};
pub use event_counters::EventSource;
pub use measurement_task::{MeasurementEvent, MeasurementTask};
pub use native_suite::NativeSuite;
pub use own_process::{NoReply, OwnProcess, own_task};
pub use process_counts::ProcessCounts;
pub use reaper::Reaper;
pub use stop_handle::StopHandle;
pub use suite_error::SuiteError;
pub use suite_program::SuiteProgram;

/// Runs a [`Reaper`] or a [`Launcher`](benchbook_isolate::Launcher) if this process was started as one, and returns whether
/// it was. If so, `main` must return. Programs that start themselves again as either of them call this first.
pub fn run_helper_if_requested() -> bool {
    benchbook_isolate::run_launcher_if_requested();
    reaper::run_if_requested()
}
