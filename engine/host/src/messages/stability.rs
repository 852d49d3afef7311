//! Marks for points whose times did not settle, or whose stability is unknown.

use crate::analyze::stability::Stability;

/// A mark next to a figure, and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StabilityMark {
    /// The mark.
    pub mark: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
}

/// The mark of a point; `None` if its times settled.
pub fn stability_mark(stability: Stability) -> Option<StabilityMark> {
    match stability {
        Stability::Settled => None,
        Stability::NotSettled => {
            Some(StabilityMark { mark: "~", meaning: "not settled: the times kept varying, or changed later" })
        }
        Stability::Unknown => {
            let meaning = "can't tell whether times stabilised: few or noisy samples, or batches too short";
            Some(StabilityMark { mark: "?", meaning })
        }
    }
}

/// The state as a cell of a table.
pub fn stability_name(stability: Stability) -> &'static str {
    match stability {
        Stability::Settled => "yes",
        Stability::NotSettled => "no",
        Stability::Unknown => "unknown",
    }
}
