//! The points of a curve.

use benchbook_host::analyze::stability::Stability;

use crate::times::SortedTimes;

/// The measurement at one axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotPoint {
    /// The axis value. For a category, its index.
    pub x: f64,
    /// The outcome.
    pub outcome: PointOutcome,
    /// The raw samples with the loop overhead subtracted, as in the statistics; `None` if they are not drawn.
    pub samples: Option<SortedTimes>,
}

/// The outcome of measuring at an axis value; it decides the point's symbol. Times are nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointOutcome {
    /// The statistics are meaningful: a marker that is filled if the times settled, hollow if they did not, and pale if
    /// this is unknown.
    Measured {
        /// The statistics.
        stats: PointStats,
        /// Whether the times settled.
        stability: Stability,
    },
    /// The interval of the mean contains 0, so that only its upper end is known: a bar at that bound with an arrow below
    /// it. The curve has a gap here, since the statistics are not meaningful.
    UpperBound {
        /// The upper end of the interval.
        bound: f64,
        /// The statistics, for readers of the chart's data.
        stats: PointStats,
    },
    /// The measurement failed: a cross at the lower edge.
    Failed,
    /// The point was not measured because a smaller axis value timed out: a dash at the lower edge.
    Skipped,
}

/// A point's statistics in nanoseconds per call. They may be 0 or negative, since the loop overhead is subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointStats {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The quartiles; `None` if they are unavailable.
    pub quartiles: Option<Quartiles>,
}

/// The three quartiles, in nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// The first quartile.
    pub q1: f64,
    /// The second quartile.
    pub median: f64,
    /// The third quartile.
    pub q3: f64,
}

impl PlotPoint {
    /// A point without raw samples.
    pub fn new(x: f64, outcome: PointOutcome) -> Self {
        Self { x, outcome, samples: None }
    }

    /// Adds the raw samples.
    pub fn with_samples(self, samples: SortedTimes) -> Self {
        Self { samples: Some(samples), ..self }
    }

    /// The statistics, however reliable; `None` if nothing was measured.
    pub fn stats(&self) -> Option<PointStats> {
        match self.outcome {
            PointOutcome::Measured { stats, .. } | PointOutcome::UpperBound { stats, .. } => Some(stats),
            PointOutcome::Failed | PointOutcome::Skipped => None,
        }
    }
}

impl PointOutcome {
    /// The statistics of a point that the curve passes through; `None` if the curve has a gap here.
    pub(crate) fn stats_on_curve(&self) -> Option<&PointStats> {
        match self {
            Self::Measured { stats, .. } => Some(stats),
            Self::UpperBound { .. } | Self::Failed | Self::Skipped => None,
        }
    }
}
