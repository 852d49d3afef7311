//! The self-test of this machine: its measurements, its report, and the settings that the tool can change.

pub(crate) mod measure;
pub(crate) mod report;
pub(crate) mod tuning;
