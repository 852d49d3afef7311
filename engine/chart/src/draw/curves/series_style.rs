//! The style of a series, which shows how reliable it is.

use crate::curves::{CurveSeries, CurveStage};

/// The style of a series. Lengths are page pixels.
pub(super) struct SeriesStyle {
    pub(super) width: f64,
    /// The length of a dash and of the gap after it; `None` for a solid line.
    pub(super) dash: Option<(f64, f64)>,
    /// The radius of a marker.
    pub(super) marker: f64,
}

/// A dash and the gap after it.
const DASHED: (f64, f64) = (5.0, 4.0);
/// The factor for the width of a dashed curve.
const DASHED_WIDTH: f64 = 0.75;

impl SeriesStyle {
    /// Thicker with each priority; dashed and thinner on another machine, and only then.
    pub(super) fn of(series: &CurveSeries) -> Self {
        let (width, marker) = match series.stage {
            CurveStage::Preliminary(..=1) => (1.0, 2.0),
            CurveStage::Preliminary(2) => (1.4, 2.4),
            CurveStage::Preliminary(3) => (1.8, 2.7),
            CurveStage::Preliminary(4..) | CurveStage::Final => (2.2, 3.0),
        };
        match series.dashed {
            true => Self { width: DASHED_WIDTH * width, dash: Some(DASHED), marker: DASHED_WIDTH * marker },
            false => Self { width, dash: None, marker },
        }
    }
}
