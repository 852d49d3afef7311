//! What a chart shows, as plain data.

use super::frame::Frame;
use super::layout::Layout;
use super::palette::Palette;
use super::scale::{Scale, Window};
use super::view::View;

/// Everything that [`draw()`](super::draw()) needs to know.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// The curves, drawn in this order: a later one lies over an earlier one.
    pub(crate) series: Vec<Series>,
    /// The axis of the varied parameter.
    pub(crate) x: AxisSpec,
    /// The axis of the time a call.
    pub(crate) y: AxisSpec,
    /// The visible part of the plane.
    pub(crate) view: View,
    /// Whether the mean and its ± sd band are drawn.
    pub(crate) show_mean: bool,
    /// Whether the median and its quartile band are drawn.
    pub(crate) show_median: bool,
    /// The colours.
    pub(crate) palette: Palette,
    /// The typeface of labels and titles.
    pub(crate) font: Font,
    /// Canvas pixels to a pixel of the page. Every stroke, margin and letter is multiplied by it.
    pub(crate) density: f64,
}

impl Chart {
    /// The chart's geometry on a canvas laid out so.
    pub(crate) fn frame(&self, layout: &Layout) -> Frame {
        Frame::new(layout, self.view, self.x.scale, self.y.scale)
    }
}

/// One axis: what it says and how values are spread along it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisSpec {
    /// What is shown, such as "Number of keys".
    pub(crate) title: String,
    /// The unit of the values.
    pub(crate) unit: Unit,
    /// How values are spread.
    pub(crate) scale: Scale,
    /// What a fitted view shows at least: the requested range, so that the axis stands still while points arrive.
    pub(crate) range: Option<Window>,
}

impl AxisSpec {
    /// The title with its unit, where the labels do not name it and the title does not hold it already.
    pub(super) fn heading(&self) -> String {
        match &self.unit {
            Unit::Named(unit) if !unit.is_empty() && !self.title.to_lowercase().contains(&unit.to_lowercase()) => {
                format!("{} ({unit})", self.title)
            }
            _ => self.title.clone(),
        }
    }
}

/// The unit of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Nanoseconds; labels choose ns, µs, ms or s.
    Nanoseconds,
    /// A parameter's own unit, possibly empty; labels are short counts such as 20k.
    Named(String),
}

/// One curve: a function's points from one machine at one priority.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// The function's name, for whoever reads a hit.
    pub(crate) name: String,
    /// Which of the compared functions this is, from 0: chooses shade and marker. The same for all its priorities.
    pub(crate) ordinal: usize,
    /// How final the curve is.
    pub(crate) weight: Weight,
    points: Vec<PlotPoint>,
}

impl Series {
    /// A curve through `points`, which may come in any order.
    pub(crate) fn new(name: impl Into<String>, ordinal: usize, weight: Weight, mut points: Vec<PlotPoint>) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Self { name: name.into(), ordinal, weight, points }
    }

    /// The points by rising x.
    pub(crate) fn points(&self) -> &[PlotPoint] {
        &self.points
    }
}

/// How much a curve can be relied on, and so how boldly it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Measured at this priority, 1 to 4, with a better one to come: dashed, thicker with each priority.
    Preliminary(u8),
    /// As good as it gets: solid.
    Final,
}

/// What was measured at one axis value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlotPoint {
    /// The axis value.
    pub(crate) x: f64,
    /// Absent where the point failed.
    pub(crate) figures: Option<Figures>,
}

impl PlotPoint {
    /// A point at which measuring failed.
    pub(crate) fn failed(x: f64) -> Self {
        Self { x, figures: None }
    }

    /// A point with its figures.
    pub(crate) fn measured(x: f64, figures: Figures) -> Self {
        Self { x, figures: Some(figures) }
    }
}

/// A point's figures in nanoseconds a call. They may be 0 or less, since the empty loop's cost is subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    /// The mean.
    pub(crate) mean: f64,
    /// The standard deviation.
    pub(crate) sd: f64,
    /// Absent where they are withheld.
    pub(crate) quartiles: Option<Quartiles>,
}

/// The three quartiles, in nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quartiles {
    /// The first quartile.
    pub q1: f64,
    /// The second quartile.
    pub(crate) median: f64,
    /// The third quartile.
    pub q3: f64,
}

/// The typeface of labels and titles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Font {
    /// A CSS family list, such as `system-ui, sans-serif`.
    pub(crate) family: String,
    /// The height in pixels of the page.
    pub(crate) size: f64,
}

impl Font {
    /// The size of the page's small print.
    const SIZE: f64 = 11.0;
    /// `plotters-svg` takes a size for the height of a line and divides by this to get the letters' size.
    #[cfg(test)]
    const SVG_LINE_HEIGHT: f64 = 1.24;

    /// For the canvas, which takes the size as it is.
    pub(crate) fn canvas(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE }
    }

    /// For SVG, so that letters come out as large as on the canvas.
    #[cfg(test)]
    pub(crate) fn svg(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE * Self::SVG_LINE_HEIGHT }
    }
}
