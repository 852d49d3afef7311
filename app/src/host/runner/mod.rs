//! The connection to a runner, over HTTP.

mod error;
mod remote_run;
pub(crate) mod request;
pub(crate) mod saved;
pub(crate) mod watch;
