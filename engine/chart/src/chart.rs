//! A chart as plain data.

use crate::axis::AxisSpec;
use crate::curves::{CurveSeries, Curves};
use crate::font::Font;
use crate::frame::Frame;
use crate::layout::Layout;
use crate::palette::Palette;
use crate::samples::{Histogram, SampleSequence};
use crate::view::View;

/// The complete input of [`draw()`](crate::draw()).
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The content between the axes.
    pub content: Content,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis.
    pub y: AxisSpec,
    /// The visible part of the plane.
    pub view: View,
    /// The colours.
    pub palette: Palette,
    /// The typeface of labels and titles.
    pub font: Font,
    /// Canvas pixels per page pixel. It scales all strokes, margins and letters.
    pub density: f64,
}

/// The content between the axes of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The time per call against the varied parameter.
    Curves(Curves),
    /// The samples of one point in measurement order.
    Sequence(SampleSequence),
    /// The distribution of the samples of one point.
    Histogram(Histogram),
}

impl Chart {
    /// The chart's geometry on a canvas with this layout.
    pub fn frame(&self, layout: &Layout) -> Frame {
        Frame::new(layout, self.view, self.x.scale, self.y.scale)
    }

    /// The series of a chart of curves; empty for other content.
    pub fn series(&self) -> &[CurveSeries] {
        match &self.content {
            Content::Curves(curves) => &curves.series,
            Content::Sequence(_) | Content::Histogram(_) => &[],
        }
    }
}
