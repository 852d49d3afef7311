//! How a suite ends while it is measured, and what is to blame.

use crate::protocol::{Failed, Stage};
use crate::response::{Failure, FailureKind};

/// How a suite ended while it was measured. Whoever tells has a new one ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It trapped, aborted or exited; what the platform says of it.
    Died(String),
    /// Nothing was answered for so many milliseconds, so it was ended.
    TimedOut(u32),
}

/// Why a suite ended: what it said itself comes first, then what its allocator said (bytes refused, and the bound), then
/// the platform's word.
pub(super) fn failure(ending: &Ending, failed: Option<&Failed>, refused: Option<(u64, u64)>) -> Failure {
    if let Some(failed) = failed {
        let place = failed.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        let (kind, who) = match failed.stage {
            Stage::Generator => (FailureKind::Generator, "the generator panicked"),
            Stage::Hook => (FailureKind::Generator, "a hook of the generator panicked"),
            Stage::Function | Stage::Request => (FailureKind::Panic, "panicked"),
        };
        return Failure { kind, reason: format!("{who}{place}: {}", failed.reason) };
    }
    if let (Some((bytes, bound)), Ending::Died(_)) = (refused, ending) {
        let reason = format!("out of memory: {bytes} bytes more would pass the suite's bound of {bound} bytes");
        return Failure { kind: FailureKind::Memory, reason };
    }
    match ending {
        Ending::Died(reason) => Failure { kind: FailureKind::Trap, reason: reason.clone() },
        Ending::TimedOut(ms) => Failure {
            kind: FailureKind::TimedOut,
            reason: format!("timed out: nothing finished within {} s; larger values are skipped", f64::from(*ms) / 1e3),
        },
    }
}
