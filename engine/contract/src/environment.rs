//! The environment of a native suite.

/// The environment variable with the folder in which a suite creates its scratch folders. If unset, a suite uses the
/// system's temporary folder.
pub const SCRATCH_VARIABLE: &str = "BENCHBOOK_SCRATCH";

/// The environment variable that a host sets for the processes of a suite. It distinguishes them from executables that a user or
/// cargo starts; its value is the version of the contract.
pub const HOST_VARIABLE: &str = "BENCHBOOK_HOST";
