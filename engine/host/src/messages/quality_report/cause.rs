//! A cause that affects figures: what happened, where, and what to do.

use super::kind::{CauseKind, Severity};

/// Something that affects the figures of a machine, over all its curves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its kind.
    pub kind: CauseKind,
    /// How much it affects the figures.
    pub severity: Severity,
    /// What happened, without a full stop: `9 of 36 points missed ±1% (worst ±3.2%)`.
    pub problem: String,
    /// The affected functions and axis values: `btree_map_get: 31 623 and 100 000 entries`.
    pub location: String,
    /// What to do; a sentence.
    pub fix: String,
    /// Why it happens; empty if the problem is self-explanatory.
    pub explanation: &'static str,
}
