//! The page's way to what measures: a worker around a suite's module.

pub(crate) mod browser;
mod fingerprint;
pub(crate) mod load;
pub(crate) mod local;
mod module;
pub(crate) mod press;
mod turn;
mod worker;
