//! The plots: the time a call against the varied parameter, and the samples of one point.
//!
//! A [`Chart`] is plain data: two axes and what is drawn between them. [`draw()`] draws it on any backend of `plotters`: the page's canvas, or SVG for export
//! and for tests. The pointer's geometry is pure and needs no drawing: [`Layout`] says where the plot lies on the canvas,
//! [`Frame`] turns pixels into data and back, and answers a drag or a turn of the wheel with the next [`View`].
//!
//! Lengths are pixels of the canvas, which on a high-density screen has `density` of them to a pixel of the page. Times
//! are nanoseconds.

mod axis;
mod clip;
mod curves;
mod draw;
mod frame;
mod labels;
mod layout;
mod line;
mod markers;
mod model;
mod palette;
mod pen;
mod samples;
mod scale;
mod ticks;
mod times;
mod view;

#[cfg(test)]
mod tests;

pub use curves::{Crossing, Curves, Figures, Mark, PlotPoint, Quartiles, Series, Weight};
pub use draw::draw;
pub use frame::Frame;
pub use layout::Layout;
pub use model::{AxisSpec, Chart, Content, Font, Unit};
pub use palette::{Palette, css};
pub use samples::{Centre, Histogram, Holds, InOrder};
pub use scale::{Scale, Window};
pub use times::Sorted;
pub use view::View;
