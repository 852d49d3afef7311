//! The findings of a report.

use benchbook_host::analyze::history::count::CountChange;
use benchbook_host::analyze::history::verdict::BuildChange;
use serde::Serialize;

/// What was found about a point. Those that need attention are the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Finding {
    Slower,
    More,
    Undecided,
    NotComparable,
    /// A regression that was accepted in advance.
    Deliberate,
    /// The function is slower or faster, but its source is the same.
    CodeGeneration,
    Faster,
    Less,
    New,
    Same,
    SameCode,
}

impl Finding {
    /// The name in a table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::More => "more",
            Self::Undecided => "undecided",
            Self::NotComparable => "not comparable",
            Self::Deliberate => "deliberate",
            Self::CodeGeneration => "code generation changed",
            Self::Faster => "faster",
            Self::Less => "less",
            Self::New => "new",
            Self::Same => "same",
            Self::SameCode => "same code",
        }
    }

    /// Whether the point has become slower or faster, or has a greater or smaller count.
    pub(super) fn is_change(self) -> bool {
        self.is_regression() || matches!(self, Self::Faster | Self::Less | Self::Deliberate)
    }

    /// Whether the check fails.
    pub(super) fn is_regression(self) -> bool {
        matches!(self, Self::Slower | Self::More)
    }

    /// Whether the point has no change, since there is nothing to compare it with.
    pub(super) fn is_unknown(self) -> bool {
        matches!(self, Self::New | Self::NotComparable)
    }
}

impl From<CountChange> for Finding {
    fn from(change: CountChange) -> Self {
        match change {
            CountChange::More => Self::More,
            CountChange::Less => Self::Less,
            CountChange::Same => Self::Same,
        }
    }
}

impl From<BuildChange> for Finding {
    fn from(change: BuildChange) -> Self {
        match change {
            BuildChange::Slower => Self::Slower,
            BuildChange::Faster => Self::Faster,
            BuildChange::Same => Self::Same,
            BuildChange::Undecided => Self::Undecided,
        }
    }
}
