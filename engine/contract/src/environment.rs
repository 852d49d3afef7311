//! The environment of a native suite.

/// The environment variable with the folder in which a suite creates its scratch folders. If unset, a suite uses the
/// system's temporary folder.
pub const SCRATCH_VARIABLE: &str = "BENCHBOOK_SCRATCH";
