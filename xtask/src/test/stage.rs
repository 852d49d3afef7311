//! The stages and lanes of the tests.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;

use crate::tools::Need;

/// A stage. They run in this order, which puts fast and frequent failures first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// rustfmt
    Format,
    /// clippy, for this machine, and cargo-deny; nightly, clippy for wasm, and cargo check for other platforms
    Lints,
    /// rustdoc
    Docs,
    /// Unit, property and compile-fail tests
    Unit,
    /// The build of the page and of the suites, as shipped
    Page,
    /// End to end: both targets of the suites, shipped and misbehaving ones, download sizes, and the runner, also with requests generated from
    /// its OpenAPI document
    Suites,
    /// End to end: the page in Chromium
    Browser,
    /// `cargo benchbook` in a crate outside the workspace, and the page in Firefox and WebKit
    Outside,
}

/// Which tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestLane {
    /// All tests that are not ignored: the deterministic ones.
    Default,
    /// The ignored tests, whose attribute says why: `#[ignore = "nightly: …"]`.
    Nightly,
}

impl Stage {
    /// The stages to run.
    pub(super) fn chosen(lane: TestLane, quick: bool, only: Option<Self>) -> Vec<Self> {
        let is_chosen = |stage: &Self| match only {
            Some(only) => *stage == only,
            None => stage.budget(lane).is_some() && !(quick && matches!(stage, Self::Browser | Self::Outside)),
        };
        Self::value_variants().iter().copied().filter(is_chosen).collect()
    }

    /// The time that the stage may take on two cores, in a fresh clone with the tools installed; `None` if the lane does not contain the stage.
    /// A stage that takes longer is reported: make something else in it faster before you raise this.
    pub(super) fn budget(self, lane: TestLane) -> Option<Duration> {
        let (default, nightly) = match self {
            Self::Format => (5, 0),
            Self::Lints => (270, 420),
            Self::Docs => (60, 0),
            Self::Unit => (300, 720),
            Self::Page => (110, 200),
            Self::Suites => (270, 500),
            Self::Browser => (320, 700),
            Self::Outside => (165, 1_300),
        };
        let seconds = match lane {
            TestLane::Default => default,
            TestLane::Nightly => nightly,
        };
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }

    pub(super) fn needs(self) -> &'static [Need] {
        match self {
            Self::Format => &[Need::Format],
            Self::Lints => &[Need::Lints],
            Self::Docs | Self::Unit => &[],
            Self::Page => &[Need::Page],
            Self::Suites => &[Need::Page, Need::Requests],
            Self::Browser | Self::Outside => &[Need::Page, Need::Chromium, Need::Accessibility],
        }
    }

    /// The stage that runs an end-to-end test program: those that need a browser or a crate outside the workspace are listed here.
    pub(super) fn of_end_to_end(program: &str) -> Self {
        match program {
            "chromium" => Self::Browser,
            "outside" => Self::Outside,
            _ => Self::Suites,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_choose_the_stages() {
        for (lane, quick, only, expected) in [
            (TestLane::Default, false, None, "format lints docs unit page suites browser outside"),
            (TestLane::Default, true, None, "format lints docs unit page suites"),
            (TestLane::Default, false, Some(Stage::Browser), "browser"),
            (TestLane::Nightly, false, None, "lints unit page suites browser outside"),
            (TestLane::Nightly, false, Some(Stage::Docs), "docs"),
        ] {
            let stages: Vec<_> = Stage::chosen(lane, quick, only).iter().map(ToString::to_string).collect();
            assert_eq!(stages.join(" "), expected);
        }
    }
}
