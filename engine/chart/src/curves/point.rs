//! The points of a curve: what was measured at each axis value, and how much it can be relied on.

use crate::times::Sorted;

/// What was measured at one axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotPoint {
    /// The axis value.
    pub x: f64,
    /// What came of it.
    pub mark: Mark,
    /// Its raw samples on the same footing as its figures, with the empty loop's cost subtracted; absent where they are not
    /// to be drawn.
    pub samples: Option<Sorted>,
}

/// What came of measuring at an axis value, and so what its mark says. Times are nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// Figures of samples that settled: a full marker.
    Settled(Figures),
    /// Figures of samples that kept changing while warming up: a hollow marker.
    Unsettled(Figures),
    /// The interval of the mean holds 0, so that only its upper end is known: a bar at that bound with an arrow down from
    /// it. The curve has a gap here, since the figures themselves say nothing.
    Under {
        /// The upper end of the interval.
        bound: f64,
        /// The figures all the same, for whoever reads the chart as data.
        figures: Figures,
    },
    /// Nothing, since measuring failed: a cross at the lower edge.
    Failed,
    /// Nothing, since it was not tried: a smaller axis value had timed out. A dash at the lower edge.
    Skipped,
}

/// A point's figures in nanoseconds a call. They may be 0 or less, since the empty loop's cost is subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// Absent where they are withheld.
    pub quartiles: Option<Quartiles>,
}

/// The three quartiles, in nanoseconds a call.
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
    /// What came of an axis value.
    pub fn new(x: f64, mark: Mark) -> Self {
        Self { x, mark, samples: None }
    }

    /// The same point with its raw samples.
    pub fn with_samples(self, samples: Sorted) -> Self {
        Self { samples: Some(samples), ..self }
    }

    /// The figures, whatever they can be relied on for; absent where nothing was measured.
    pub fn figures(&self) -> Option<Figures> {
        match self.mark {
            Mark::Settled(figures) | Mark::Unsettled(figures) | Mark::Under { figures, .. } => Some(figures),
            Mark::Failed | Mark::Skipped => None,
        }
    }
}

impl Mark {
    /// The figures that a curve is drawn through.
    pub(crate) fn on_curve(&self) -> Option<&Figures> {
        match self {
            Self::Settled(figures) | Self::Unsettled(figures) => Some(figures),
            Self::Under { .. } | Self::Failed | Self::Skipped => None,
        }
    }
}
