//! How a cell shows its results.

use serde::{Deserialize, Serialize};

/// The view of a cell's results, with the names that links have, such as `log` for a scale. The page ignores unknown names, such as
/// those of a newer version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellView {
    /// The selected view: `plot`, `table` or `samples`. Absent: `plot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// The name of the plotted metric. Absent: the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Whether to plot ratios to the first function instead of times. Absent: no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<bool>,
    /// The visible part of the plot: low and high end of the horizontal, then of the vertical axis. Absent: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zoom: Option<[f64; 4]>,
    /// The scale of the horizontal axis: `linear` or `log`. Absent: the scale of the varied parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<String>,
    /// The scale of the vertical axis. Absent: the same as the horizontal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<String>,
    /// Whether to show the mean and ± sd. Absent: only if no interruptions distort the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<bool>,
    /// Whether to show the median and the quartiles. Absent: yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<bool>,
    /// Whether to draw raw samples. Absent: no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<bool>,
    /// The names of the machines whose curves the plot hides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_machines: Vec<String>,
    /// The relative difference up to which times count as the same, in percent: `5`. Absent: 1 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<String>,
    /// The time limit in the plot, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_ns: Option<f64>,
    /// The axis value of the ranking, as text. Absent: the last at which all functions have figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked_at: Option<String>,
    /// The point whose samples are shown: the index of its curve, and its axis value as text. Absent: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<(usize, String)>,
}

impl CellView {
    /// Whether it shows everything as by default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
