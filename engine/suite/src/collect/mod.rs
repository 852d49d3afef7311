//! The suite's side of measuring: it prepares inputs and times batches. Nothing is decided or analysed here.

pub(crate) mod batch;
pub(crate) mod binding;
pub(crate) mod clock;
pub(crate) mod hash;
pub(crate) mod input_access;
pub(crate) mod inputs;
pub(crate) mod interleave;
pub(crate) mod interruption;
pub(crate) mod reference;
pub(crate) mod slot;
pub(crate) mod tier;
pub(crate) mod timed_batch;
