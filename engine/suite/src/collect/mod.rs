//! Prepares inputs and times batches as the host requests them. All decisions and the analysis are the host's.

pub(crate) mod batch;
pub(crate) mod binding;
pub(crate) mod clock;
pub(crate) mod contention;
pub(crate) mod hash;
pub(crate) mod inputs;
pub(crate) mod interleave;
pub(crate) mod interruption;
pub(crate) mod kernel;
pub(crate) mod plain_loop;
pub(crate) mod ready_functions;
pub(crate) mod reference;
pub(crate) mod slot;
pub(crate) mod tier;
pub(crate) mod timed_batch;
