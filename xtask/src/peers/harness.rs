//! The harnesses that are compared, in the configurations in which they run.

use benchbook_build::Target;
use serde::{Deserialize, Serialize};

/// A harness in one configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Harness {
    /// Benchbook at priority 3 with its default quality.
    BenchbookThird,
    /// Benchbook at priority 4 with its default quality.
    BenchbookFourth,
    /// Benchbook at priority 3, until the mean is known to ±1%.
    BenchbookPercent,
    /// criterion with its defaults.
    Criterion,
    /// divan with its defaults.
    Divan,
    /// divan with the time of Benchbook's priority 4.
    DivanLong,
    /// Benchbook in Chromium, with tinybench's time.
    BrowserTinybenchTime,
    /// Benchbook in Chromium, with mitata's time.
    BrowserMitataTime,
    /// tinybench in Chromium with its defaults.
    Tinybench,
    /// mitata in Chromium with its defaults.
    Mitata,
    /// Benchbook, comparing two functions in a second.
    BenchbookPair,
    /// tango with its defaults, comparing two functions in a second.
    Tango,
    /// tango, reporting differences from 0.5% on instead of 1%.
    TangoSensitive,
}

impl Harness {
    /// The configurations that measure one function natively.
    pub(crate) const NATIVE: [Self; 6] = [
        Self::BenchbookThird,
        Self::BenchbookFourth,
        Self::BenchbookPercent,
        Self::Criterion,
        Self::Divan,
        Self::DivanLong,
    ];

    /// The configurations that measure one function in Chromium.
    pub(crate) const BROWSER: [Self; 4] =
        [Self::BrowserTinybenchTime, Self::Tinybench, Self::BrowserMitataTime, Self::Mitata];

    /// The configurations that compare two functions.
    pub(crate) const PAIRS: [Self; 3] = [Self::BenchbookPair, Self::Tango, Self::TangoSensitive];

    /// The configurations that measure one function on a target.
    pub(crate) fn of_target(target: Target) -> &'static [Self] {
        match target {
            Target::Native => &Self::NATIVE,
            Target::Wasm => &Self::BROWSER,
        }
    }

    /// The name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::BenchbookThird => "Benchbook, priority 3",
            Self::BenchbookFourth => "Benchbook, priority 4",
            Self::BenchbookPercent => "Benchbook, to ±1%",
            Self::Criterion => "criterion",
            Self::Divan => "divan",
            Self::DivanLong => "divan, 1.5 s",
            Self::BrowserTinybenchTime => "Benchbook in Chromium, 1.25 s",
            Self::BrowserMitataTime => "Benchbook in Chromium, 0.64 s",
            Self::Tinybench => "tinybench in Chromium",
            Self::Mitata => "mitata in Chromium",
            Self::BenchbookPair => "Benchbook",
            Self::Tango => "tango",
            Self::TangoSensitive => "tango, from 0.5%",
        }
    }

    /// The configuration under which the reference of the same kind is recorded.
    pub(crate) fn reference(self) -> Self {
        match self {
            Self::BenchbookThird | Self::BenchbookFourth | Self::BenchbookPercent => Self::BenchbookFourth,
            Self::DivanLong => Self::Divan,
            Self::BrowserMitataTime => Self::BrowserTinybenchTime,
            other => other,
        }
    }
}
