//! The profile in the formats of other tools.

use benchbook_profile::{Profile, ProfileMetric, callgrind, firefox, folded};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProfileFormat {
    /// For kcachegrind and `callgrind_annotate`.
    Callgrind,
    /// For viewers of flame graphs.
    Folded,
    /// For Firefox Profiler.
    Firefox,
    /// As docs/profile.schema.json describes it.
    Json,
}

impl ProfileFormat {
    pub(crate) const ALL: [Self; 4] = [Self::Callgrind, Self::Folded, Self::Firefox, Self::Json];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Callgrind => "Callgrind",
            Self::Folded => "Folded stacks",
            Self::Firefox => "Firefox Profiler",
            Self::Json => "JSON",
        }
    }

    /// The name in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Callgrind => "callgrind",
            Self::Folded => "folded",
            Self::Firefox => "firefox",
            Self::Json => "profile-json",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Callgrind => ".callgrind",
            Self::Folded => ".folded",
            Self::Firefox => ".firefox.json",
            Self::Json => ".profile.json",
        }
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Callgrind | Self::Folded => "text/plain",
            Self::Firefox | Self::Json => "application/json",
        }
    }

    /// The text of the shown point; `None` if it cannot be written.
    pub(crate) fn write(self, profile: &Profile, metric: ProfileMetric, point: usize) -> Option<String> {
        match self {
            Self::Callgrind => Some(callgrind(profile, point)),
            Self::Folded => Some(folded(profile, metric, point)),
            Self::Firefox => firefox(profile, metric, point).ok(),
            Self::Json => serde_json::to_string_pretty(profile).ok(),
        }
    }
}
