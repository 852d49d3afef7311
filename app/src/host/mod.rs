//! The page's hosts: a worker that contains a suite's module, and the connection to a runner.

pub(crate) mod article;
pub(crate) mod browser;
mod fingerprint;
mod first_call_run;
mod greeting;
pub(crate) mod limited_body;
pub(crate) mod load;
pub(crate) mod local;
mod local_measurement;
pub(crate) mod measurement_run;
mod module;
pub(crate) mod run_control;
pub(crate) mod runner;
pub(crate) mod self_test_run;
pub(crate) mod site_history;
pub(crate) mod standalone;
pub(crate) mod storage;
pub(crate) mod suite_file;
mod turn;
mod worker;
mod worker_series;
