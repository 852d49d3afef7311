//! How a suite ends while it is measured, and what is to blame.

use crate::response::{Failure, FailureKind};
use benchbook_contract::protocol::{Failed, Stage};

/// The most characters of a reason.
const LONGEST_REASON: usize = 4_000;

/// A reason of which nobody is to read, keep or send more than fits a screen.
pub(crate) fn shortened(mut reason: String) -> String {
    if let Some((end, _)) = reason.char_indices().nth(LONGEST_REASON) {
        reason.truncate(end);
        reason.push('…');
    }
    reason
}

/// How a suite ended while it was measured. Whoever tells has a new one ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It trapped, aborted or exited; what the platform says of it.
    Died(String),
    /// Nothing was answered for so many milliseconds, so it was ended.
    TimedOut(u32),
}

/// Why a suite ended: what it said itself comes first, then what its allocator said (bytes refused, and the bound), then
/// the platform's word with the last line of its standard error.
pub(super) fn failure(
    ending: &Ending,
    last_words: &str,
    failed: Option<&Failed>,
    refused: Option<(u64, u64)>,
) -> Failure {
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
    let (kind, mut reason) = match ending {
        Ending::Died(reason) => (FailureKind::Trap, reason.clone()),
        Ending::TimedOut(ms) => {
            let seconds = f64::from(*ms) / 1e3;
            let reason = format!("timed out: nothing finished within {seconds} s; larger values are skipped");
            (FailureKind::TimedOut, reason)
        }
    };
    if !last_words.is_empty() {
        reason = format!("{reason}; it said last: {last_words}");
    }
    Failure { kind, reason }
}
