//! The style of labels and titles.

use plotters::prelude::*;

use crate::chart::Chart;

pub(super) use crate::layout::CHARACTER;

/// The style of a chart's labels and titles.
pub(super) fn text_style(chart: &Chart) -> TextStyle<'_> {
    (chart.font.family.as_str(), chart.font.size * chart.density).into_font().color(&chart.palette.text)
}
