//! The style of labels and titles.

use plotters::prelude::*;

use crate::chart::Chart;

/// The width of a letter of the page's small print, in page pixels.
pub(super) const CHARACTER: f64 = 6.0;

/// The style of a chart's labels and titles.
pub(super) fn text_style(chart: &Chart) -> TextStyle<'_> {
    (chart.font.family.as_str(), chart.font.size * chart.density).into_font().color(&chart.palette.text)
}
