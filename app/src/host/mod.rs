//! The page's way to what measures: a worker around a suite's module, or a runner.

pub(crate) mod browser;
mod fingerprint;
pub(crate) mod load;
pub(crate) mod local;
mod module;
pub(crate) mod press;
pub(crate) mod runner;
mod turn;
mod worker;
