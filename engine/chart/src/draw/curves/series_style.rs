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

/// The gap between two dashes.
const DASH_GAP: f64 = 4.0;
/// A dot of an unpaired curve and the gap after it.
const DOTTED: (f64, f64) = (1.5, 3.0);
/// The factor for the width of an unpaired curve.
const UNPAIRED: f64 = 0.75;

impl SeriesStyle {
    /// Dashed until final, thicker with each priority; dotted and thinner if unpaired.
    pub(super) fn of(series: &CurveSeries) -> Self {
        let (width, dash, marker) = match series.stage {
            CurveStage::Preliminary(..=1) => (1.0, Some(3.0), 2.0),
            CurveStage::Preliminary(2) => (1.4, Some(6.0), 2.4),
            CurveStage::Preliminary(3) => (1.8, Some(9.0), 2.7),
            CurveStage::Preliminary(4..) => (2.2, Some(14.0), 3.0),
            CurveStage::Final => (2.2, None, 3.0),
        };
        if series.unpaired {
            Self { width: UNPAIRED * width, dash: Some(DOTTED), marker: UNPAIRED * marker }
        } else {
            Self { width, dash: dash.map(|dash| (dash, DASH_GAP)), marker }
        }
    }
}
