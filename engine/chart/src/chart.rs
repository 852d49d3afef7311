//! A chart as plain data.

use crate::axis::AxisSpec;
use crate::curves::{CurveSeries, Curves};
use crate::font::Font;
use crate::frame::Frame;
use crate::layout::{LABEL_GAP, Layout, MARKER_ROOM, RIGHT};
use crate::names;
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
    /// The layout of a canvas of this size in canvas pixels.
    pub fn layout(&self, width: u32, height: u32) -> Layout {
        let page_width = f64::from(width) / self.density;
        let right = self.name_width(page_width).map_or(RIGHT, |width| (self.name_gap() + width + LABEL_GAP).max(RIGHT));
        Layout::with_right_margin(width, height, self.density, right)
    }

    /// The width of the functions' names right of the plot, in page pixels. `None` for charts without these names: narrow ones, and
    /// those of a single series.
    pub(crate) fn name_width(&self, page_width: f64) -> Option<f64> {
        names::name_width(self.series().iter().map(|series| series.name.as_str()), page_width)
    }

    /// The distance from the plot to the names, in page pixels. Categories have no lines that lead to the names, so that each name
    /// follows a marker.
    pub(crate) fn name_gap(&self) -> f64 {
        if self.x.is_categorical() { LABEL_GAP + MARKER_ROOM } else { LABEL_GAP }
    }

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
