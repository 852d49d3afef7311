//! The page's hosts: a worker that contains a suite's module, and the connection to a runner.

pub(crate) mod browser;
mod fingerprint;
mod greeting;
pub(crate) mod load;
pub(crate) mod local;
pub(crate) mod measurement_run;
mod measuring;
mod module;
pub(crate) mod run_control;
pub(crate) mod runner;
mod turn;
mod worker;
mod worker_series;
