//! The badge: one of three verdicts on the figures of a machine. docs/statistics.md documents the rules.

use serde::{Deserialize, Serialize};

use super::cause::{Cause, Severity};

/// A verdict on the figures of a machine; the worst is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Badge {
    /// Nothing affects the figures, except for notes.
    Good,
    /// The figures are less precise than they appear, or than requested.
    Noisy,
    /// The figures may be wrong.
    Rough,
}

impl Badge {
    /// The verdict of the most serious cause.
    pub(super) fn of<'c>(causes: impl Iterator<Item = &'c Cause> + Clone) -> Self {
        let has = |severity| causes.clone().any(|cause| cause.severity == severity);
        if has(Severity::Rough) {
            Self::Rough
        } else if has(Severity::Noisy) {
            Self::Noisy
        } else {
            Self::Good
        }
    }

    /// The label on the page.
    pub fn label(self) -> &'static str {
        match self {
            Self::Good => "Good",
            Self::Noisy => "Noisy",
            Self::Rough => "Rough",
        }
    }
}
