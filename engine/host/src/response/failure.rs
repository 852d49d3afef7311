//! Failures of points.

use serde::{Deserialize, Serialize};

/// A failed point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The cause and how to fix it.
    pub reason: String,
}

/// Kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The function panicked.
    Panic,
    /// The generator or a hook panicked, or the generator rejected its arguments.
    Generator,
    /// The suite crashed: illegal access, stack overflow, abort, or death of the process.
    Trap,
    /// The memory limit was reached.
    Memory,
    /// Nothing finished before the timeout.
    TimedOut,
    /// Skipped because a smaller axis value timed out, or because the function decides at run time not to be measured.
    Skipped,
    /// Only a native runner can measure it.
    NativeOnly,
    /// The suite violated the contract.
    Contract,
}
