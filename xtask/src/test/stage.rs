//! The stages of the tests.

use std::fmt;

use clap::ValueEnum;

use crate::tools::Need;

/// A stage. They run in this order, which puts fast and frequent failures first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// rustfmt
    Format,
    /// clippy, for this machine and for wasm
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
    /// The page in Firefox and WebKit, the programs installed from our packages, and `cargo benchbook` in crates outside the workspace; runs
    /// only with `--only install`
    Install,
}

impl Stage {
    /// The stages to run: one of them, or all that install no other programs.
    pub(super) fn chosen(quick: bool, only: Option<Self>) -> Vec<Self> {
        let is_chosen = |stage: &Self| match only {
            Some(only) => *stage == only,
            None => *stage != Self::Install && !(quick && *stage == Self::Browser),
        };
        Self::value_variants().iter().copied().filter(is_chosen).collect()
    }

    pub(super) fn needs(self) -> &'static [Need] {
        match self {
            Self::Format => &[Need::Format],
            Self::Lints => &[Need::Lints],
            Self::Docs | Self::Unit => &[],
            Self::Page => &[Need::Page],
            Self::Suites => &[Need::Page, Need::Requests],
            Self::Browser | Self::Install => &[Need::Page, Need::Chromium, Need::Accessibility],
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

    fn names(quick: bool, only: Option<Stage>) -> String {
        Stage::chosen(quick, only).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_choose_the_stages() {
        assert_eq!(names(false, None), "format lints docs unit page suites browser");
        assert_eq!(names(true, None), "format lints docs unit page suites");
        assert_eq!(names(false, Some(Stage::Browser)), "browser");
        assert_eq!(names(false, Some(Stage::Install)), "install");
    }
}
