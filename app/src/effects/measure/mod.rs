//! Measurement runs, in this browser and on a runner.

pub(crate) mod commands;
mod counting;
mod listing;
mod machine_history;
mod measurement_run;
pub(crate) mod pinpointing;
mod profiling;
mod remote_run;
pub(crate) mod self_test_run;
mod turn;
