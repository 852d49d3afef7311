//! This browser, the runner, and the results that it stores.

pub(crate) mod archive;
pub(crate) mod browser_identity;
pub(crate) mod function_history;
mod history_source;
pub(crate) mod isolation;
pub(crate) mod runner;
pub(crate) mod runner_builds;
pub(crate) mod runner_part;
