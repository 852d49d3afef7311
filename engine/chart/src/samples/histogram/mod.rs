//! How samples are spread: the number of them by time a call.

mod bins;
mod draw;

pub(crate) use draw::draw;

use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::model::AxisSpec;
use super::super::scale::{Scale, Window};
use super::super::times::Sorted;
use super::super::view::{View, fit_counts, fit_spread};
use super::{Centre, counted, times};

/// The samples of one point in bins. Severe outliers are in bins of their own at the ends: a single one would else press
/// all others into one bin.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// By rising time.
    pub bins: Vec<Bin>,
    centre: Centre,
}

/// Samples of about the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Where its bar stands on the axis, in nanoseconds a call.
    pub place: Window,
    /// Which times it holds.
    pub holds: Holds,
    /// How many samples.
    pub count: usize,
}

/// The times of a bin, in nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Holds {
    /// Those from the place's beginning to its end, which belongs to the next bin, or to the last.
    Place,
    /// Severe outliers: those under the lower outer fence.
    Under(f64),
    /// Severe outliers: those over the upper outer fence.
    Over(f64),
}

impl Histogram {
    /// The histogram of these samples, warm-up left out, on a canvas laid out so. The clock cannot tell times apart that
    /// differ by less than `resolution` nanoseconds a call; 0 where that is not known.
    pub fn of(samples: &Sorted, resolution: f64, centre: Centre, layout: &Layout) -> Self {
        // A bar and the gap beside it need two columns.
        let most = (layout.inner.width() / layout.density / 2.0) as usize;
        Self { bins: bins::bins(samples, resolution, most.max(1)), centre }
    }

    /// Across the time, upwards the number of samples.
    pub fn axes(x: Scale, y: Scale) -> (AxisSpec, AxisSpec) {
        (times(x), counted("Samples", y))
    }

    /// The view that shows every bin.
    pub fn fit(&self, x: &AxisSpec, y: &AxisSpec) -> View {
        let ends = self.bins.iter().flat_map(|bin| [bin.place.low, bin.place.high]);
        let greatest = self.bins.iter().map(|bin| bin.count).max().unwrap_or(0);
        View { x: fit_spread(ends, x.scale), y: fit_counts(greatest, y.scale) }
    }

    /// The bin under a pixel's column; nothing beside them.
    pub fn at(&self, frame: &Frame, pixel: f64) -> Option<&Bin> {
        let time = frame.x_from_pixel(pixel);
        self.bins.iter().find(|bin| (bin.place.low..=bin.place.high).contains(&time))
    }
}
