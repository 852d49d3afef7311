//! The plots of Benchbook: a metric against the varied parameter, and the samples of one point.
//!
//! A [`Chart`] is plain data: two axes and the content between them. [`draw()`] draws it on any `plotters` backend: the
//! page's canvas, or SVG for reports and tests. The geometry of pointer input is pure and independent of drawing:
//! [`Layout`] divides the canvas, and [`Frame`] converts between pixels and data and returns the next [`View`] after a
//! drag or a turn of the wheel.
//!
//! Lengths are canvas pixels; a high-density screen has `density` of them per page pixel. Times are nanoseconds.

mod axis;
mod chart;
mod curves;
mod draw;
mod fit;
mod font;
mod frame;
mod icicle;
mod layout;
mod names;
mod palette;
mod samples;
mod scale;
mod svg;
mod times;
mod view;

pub use axis::{AxisSpec, Unit};
pub use chart::{Chart, Content};
pub use curves::{
    Crossing, CrossingLabel, CurveSeries, CurveStage, Curves, PlotPoint, PointOutcome, PointStats, Quartiles,
};
pub use draw::{DrawResult, draw, line_names};
pub use font::Font;
pub use frame::Frame;
pub use icicle::{IcicleCell, icicle};
pub use layout::{Layout, Rect};
pub use palette::{Palette, css};
pub use samples::{Bin, BinKind, CentreLines, Histogram, SampleRange, SampleSequence};
pub use scale::{AxisScale, Window};
pub use svg::svg;
pub use times::{SampleTimes, SortedTimes};
pub use view::View;
