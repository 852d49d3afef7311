//! The figures of one measurement.

use serde::{Deserialize, Serialize};

/// The figures that a harness reports for a function (times in nanoseconds per call) or for a comparison (ratios of times).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PeerFigures {
    /// The headline figure: the mean, or criterion's slope, or the ratio.
    pub(crate) estimate: f64,
    /// The median of the samples, if the harness reports it.
    pub(crate) median: Option<f64>,
    /// The lower end of the stated 95% interval; absent if the harness states none.
    pub(crate) low: Option<f64>,
    /// The upper end of that interval.
    pub(crate) high: Option<f64>,
    /// Whether a comparison reports a difference, if the harness decides this itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) is_different: Option<bool>,
    /// The time of the measurement in seconds, if it is not that of the process: a process that starts a browser reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wall_seconds: Option<f64>,
    /// Benchbook's interval for another day. Absent with fewer than three occasions of the machine, for other harnesses, and in older
    /// records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) another_day: Option<AnotherDay>,
}

/// The interval of a later mean on this machine, in nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnotherDay {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// How often the function was measured, more than five minutes apart; this time included.
    pub(crate) occasions: u32,
}

impl PeerFigures {
    /// The stated interval: its lower and its upper end.
    pub(crate) fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// The interval for another day: its lower and its upper end.
    pub(crate) fn another_day_interval(&self) -> Option<(f64, f64)> {
        self.another_day.map(|another| (another.low, another.high))
    }
}
