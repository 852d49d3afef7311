//! A chart as plain data: two axes, the visible part of their plane, its looks, and what is drawn on it.

use plotters::style::{FontDesc, FontFamily, FontStyle, TextStyle};

use super::curves::{Curves, Series};
use super::frame::Frame;
use super::layout::Layout;
use super::palette::Palette;
use super::samples::{Histogram, InOrder};
use super::scale::{Scale, Window};
use super::view::View;

/// Everything that [`draw()`](super::draw()) needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is drawn between the axes.
    pub content: Content,
    /// The axis across.
    pub x: AxisSpec,
    /// The axis upwards.
    pub y: AxisSpec,
    /// The visible part of the plane.
    pub view: View,
    /// The colours.
    pub palette: Palette,
    /// The typeface of labels and titles.
    pub font: Font,
    /// Canvas pixels to a pixel of the page. Every stroke, margin and letter is multiplied by it.
    pub density: f64,
}

/// What is drawn between the axes of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The time a call against the varied parameter.
    Curves(Curves),
    /// The samples of one point in the order taken.
    InOrder(InOrder),
    /// How the samples of one point are spread.
    Histogram(Histogram),
}

impl Chart {
    /// The chart's geometry on a canvas laid out so.
    pub fn frame(&self, layout: &Layout) -> Frame {
        Frame::new(layout, self.view, self.x.scale, self.y.scale)
    }

    /// The curves; none where something else is drawn.
    pub fn series(&self) -> &[Series] {
        match &self.content {
            Content::Curves(curves) => &curves.series,
            Content::InOrder(_) | Content::Histogram(_) => &[],
        }
    }

    /// How labels and titles look.
    pub(super) fn text_style(&self) -> TextStyle<'_> {
        // `into_font` would look for the names of generic families first, in small letters: Unicode's tables of them are
        // 7 KB of the page as it is sent.
        let family = FontFamily::Name(&self.font.family);
        FontDesc::new(family, self.font.size * self.density, FontStyle::Normal).color(&self.palette.text)
    }
}

/// One axis: what it says and how values are spread along it.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisSpec {
    /// What is shown, such as "Number of keys".
    pub title: String,
    /// The unit of the values.
    pub unit: Unit,
    /// How values are spread.
    pub scale: Scale,
    /// What a fitted view shows at least: the requested range, so that the axis stands still while points arrive.
    pub range: Option<Window>,
}

impl AxisSpec {
    /// The title with its unit, where the labels do not name it and the title does not hold it already.
    pub(super) fn heading(&self) -> String {
        match &self.unit {
            Unit::Named(unit)
                if !unit.is_empty() && !self.title.to_ascii_lowercase().contains(&unit.to_ascii_lowercase()) =>
            {
                format!("{} ({unit})", self.title)
            }
            _ => self.title.clone(),
        }
    }
}

/// The unit of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds; labels choose ns, µs, ms or s.
    Nanoseconds,
    /// None, since whole things are counted; labels are short counts such as 20k.
    Count,
    /// A parameter's own unit, possibly empty; labels are short counts such as 20k.
    Named(String),
}

/// The typeface of labels and titles.
#[derive(Clone, Debug, PartialEq)]
pub struct Font {
    /// A CSS family list, such as `system-ui, sans-serif`.
    pub family: String,
    /// The height in pixels of the page.
    pub size: f64,
}

impl Font {
    /// The size of the page's small print.
    const SIZE: f64 = 11.0;
    /// `plotters-svg` takes a size for the height of a line and divides by this to get the letters' size.
    const SVG_LINE_HEIGHT: f64 = 1.24;

    /// For the canvas, which takes the size as it is.
    pub fn canvas(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE }
    }

    /// For SVG, so that letters come out as large as on the canvas.
    pub fn svg(family: impl Into<String>) -> Self {
        Self { family: family.into(), size: Self::SIZE * Self::SVG_LINE_HEIGHT }
    }
}
