//! The distribution of samples: their number by time per call.

use super::bins::{self, Bin};
use super::centre_lines::CentreLines;
use crate::axis::AxisSpec;
use crate::fit::{fit_counts, fit_spread};
use crate::frame::Frame;
use crate::layout::Layout;
use crate::scale::AxisScale;
use crate::times::SortedTimes;
use crate::view::View;

/// The samples of one point in bins. Extreme outliers have separate bins at the ends; otherwise, a single outlier would
/// squeeze all other samples into one bin.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The bins in ascending order of time.
    pub bins: Vec<Bin>,
    pub(crate) centre: CentreLines,
}

impl Histogram {
    /// The histogram of these samples on a canvas with this layout. `resolution` is the smallest difference that the
    /// clock can measure, in nanoseconds per call, or 0 if it is unknown.
    pub fn of(samples: &SortedTimes, resolution: f64, centre: CentreLines, layout: &Layout) -> Self {
        // A bar and the gap next to it need two columns.
        let max_bins = (layout.inner.width() / layout.density / 2.0) as usize;
        Self { bins: bins::bins(samples, resolution, max_bins.max(1)), centre }
    }

    /// The axes: horizontally the time per call, vertically the number of samples.
    pub fn axes(x: AxisScale, y: AxisScale) -> (AxisSpec, AxisSpec) {
        (AxisSpec::time_per_call(x), AxisSpec::count("Samples", y))
    }

    /// The view that shows every bin.
    pub fn fit(&self, x: &AxisSpec, y: &AxisSpec) -> View {
        let ends = self.bins.iter().flat_map(|bin| [bin.window.low, bin.window.high]);
        let largest = self.bins.iter().map(|bin| bin.count).max().unwrap_or(0);
        View { x: fit_spread(ends, x.scale), y: fit_counts(largest, y.scale) }
    }

    /// The bin at a pixel column, if any.
    pub fn at(&self, frame: &Frame, pixel: f64) -> Option<&Bin> {
        let time = frame.x_from_pixel(pixel);
        self.bins.iter().find(|bin| (bin.window.low..=bin.window.high).contains(&time))
    }
}
