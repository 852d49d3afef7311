//! Drawing curves over categories. Neighbouring categories have no order, so that no line connects their points: each is a
//! box for the quartiles, a whisker for the standard deviation, and a marker.

mod distribution;
mod legend;
mod strip;

use plotters::prelude::DrawingBackend;

use super::banded_line::BandedLine;
use super::{outcomes, samples, whiskers};
use crate::curves::{CurveSeries, Curves};
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use strip::Strip;

/// Draws all series side by side in each slot, and the legend.
pub(super) fn draw<DB: DrawingBackend>(painter: &Painter<DB>, curves: &Curves) -> DrawResult<(), DB> {
    curves.series.iter().enumerate().try_for_each(|(index, series)| {
        let strip = Strip::of(painter, index, curves.series.len());
        draw_series(&painter.shifted(strip.offset), series, curves, &strip)
    })?;
    legend::draw(painter, curves)
}

/// Draws a series in its strip: boxes at the back, then samples, whiskers and medians, and markers in front.
fn draw_series<DB: DrawingBackend>(
    painter: &Painter<DB>,
    series: &CurveSeries,
    curves: &Curves,
    strip: &Strip,
) -> DrawResult<(), DB> {
    let palette = &painter.chart.palette;
    let mean = curves.show_mean.then(|| BandedLine::mean(series, palette));
    let median = curves.show_median.then(|| BandedLine::median(series, palette, 1.0));
    median.iter().try_for_each(|median| distribution::draw_boxes(painter, median, strip))?;
    if curves.show_samples {
        samples::draw_centred(painter, series, strip.width_in_box())?;
    }
    mean.iter().try_for_each(|mean| whiskers::draw(painter, mean, strip.width_in_box(), strip.max_stroke()))?;
    median.iter().try_for_each(|median| distribution::draw_medians(painter, median, strip))?;
    // The line at the median shows no stability, so a marker does if the mean is hidden.
    mean.or(median).iter().try_for_each(|line| outcomes::draw_markers(painter, line, strip.max_radius()))?;
    outcomes::draw_gaps(painter, series, 0, strip.max_radius())
}
