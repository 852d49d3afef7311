//! Ends of a suite during a measurement, and their reasons.

use crate::response::{Failure, FailureKind};
use benchbook_contract::protocol::{FailureStage, RequestFailure};

/// The maximum number of characters of a reason.
const MAX_REASON_LENGTH: usize = 4_000;

/// Truncates a reason to about a screen.
pub(crate) fn shortened(mut reason: String) -> String {
    if let Some((end, _)) = reason.char_indices().nth(MAX_REASON_LENGTH) {
        reason.truncate(end);
        reason.push('…');
    }
    reason
}

/// The end of a suite during a measurement. The caller has started a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It trapped, aborted or exited, with the platform's description.
    Died(String),
    /// It sent no reply for this many milliseconds and was killed.
    TimedOut(u32),
}

/// Returns the reason for a suite's end: its own report of a panic if there is one, otherwise its allocator's report (bytes
/// and bound), otherwise the platform's description with the last line of standard error.
pub(super) fn failure(
    ending: &Ending,
    stderr_tail: &str,
    failed: Option<&RequestFailure>,
    refused: Option<(u64, u64)>,
) -> Failure {
    if let Some(failed) = failed {
        let location = failed.location.as_ref().map_or_else(String::new, |location| format!(" at {location}"));
        let (kind, who) = match failed.stage {
            FailureStage::Generator => (FailureKind::Generator, "the generator panicked"),
            FailureStage::Hook => (FailureKind::Generator, "a hook of the generator panicked"),
            FailureStage::Function | FailureStage::Request => (FailureKind::Panic, "panicked"),
        };
        return Failure { kind, reason: format!("{who}{location}: {}", failed.reason) };
    }
    if let (Some((bytes, bound)), Ending::Died(_)) = (refused, ending) {
        let reason = format!("out of memory: {bytes} bytes more would pass the suite's bound of {bound} bytes");
        return Failure { kind: FailureKind::Memory, reason };
    }
    let (kind, mut reason) = match ending {
        Ending::Died(reason) => (FailureKind::Trap, reason.clone()),
        Ending::TimedOut(ms) => {
            let seconds = f64::from(*ms) / 1e3;
            let reason = format!("timed out: nothing finished within {seconds} s; larger values are skipped");
            (FailureKind::TimedOut, reason)
        }
    };
    if !stderr_tail.is_empty() {
        reason = format!("{reason}; its last output: {stderr_tail}");
    }
    Failure { kind, reason }
}
