//! The points of a series as the plot draws them: the median as a line with the quartile band, or the mean as marks.

use plotters::prelude::*;

use super::series_style::SeriesStyle;
use crate::curves::{CurveSeries, CurveStage, Curves, PlotPoint, PointStats};
use crate::draw::clip::PlanePoint;
use crate::draw::line_style::LineStyle;
use crate::draw::painter::Painter;
use crate::draw::plane::DrawResult;
use crate::palette::Palette;

/// The opacity of the quartile band.
const QUARTILE_BAND: f64 = 0.22;
/// The factor for the radius of the marks of the means.
const MEAN_MARK: f64 = 0.6;
/// The factor for the opacity of the bands of a preliminary or dashed curve.
const FAINT: f64 = 0.6;
/// Half the width of the band of a single point, in page pixels: the radius of a marker.
const SINGLE_POINT: f64 = 3.0;

/// A statistic of a series: the median with the quartiles, or the mean ± sd.
pub(super) struct BandedLine<'a> {
    pub(super) series: &'a CurveSeries,
    pub(super) colour: RGBColor,
    pub(super) band_opacity: f64,
    /// The factor for the radius of the marks.
    pub(super) mark: f64,
    /// A point's lower edge, line and upper edge, in nanoseconds.
    values: fn(&PointStats) -> [f64; 3],
}

impl<'a> BandedLine<'a> {
    /// The medians of all series, if they are shown. Bands overlap, lines only cross: the more bands there are, the fainter each is.
    pub(super) fn medians(curves: &'a Curves, palette: &Palette) -> Vec<Self> {
        let opacity = 1.0 / (curves.series.len() as f64).cbrt();
        let shown = curves.series.iter().filter(|_| curves.show_median);
        shown.map(|series| Self::median(series, palette, opacity)).collect()
    }

    /// The means of all series, if they are shown.
    pub(super) fn means(curves: &'a Curves, palette: &Palette) -> Vec<Self> {
        curves.series.iter().filter(|_| curves.show_mean).map(|series| Self::mean(series, palette)).collect()
    }

    /// The mean ± sd.
    pub(super) fn mean(series: &'a CurveSeries, palette: &Palette) -> Self {
        Self {
            series,
            colour: palette.mean(series.ordinal),
            band_opacity: 0.0,
            mark: MEAN_MARK,
            values: |stats| [stats.mean - stats.sd, stats.mean, stats.mean + stats.sd],
        }
    }

    /// The median with the quartiles, or the mean without a band where they are unavailable. `opacity` is a factor for the opacity of the band.
    pub(super) fn median(series: &'a CurveSeries, palette: &Palette, opacity: f64) -> Self {
        Self {
            series,
            colour: palette.median(series.ordinal),
            band_opacity: QUARTILE_BAND * opacity * boldness(series),
            mark: 1.0,
            values: |stats| {
                let median = stats.quartiles.map(|quartiles| [quartiles.q1, quartiles.median, quartiles.q3]);
                median.unwrap_or([stats.mean; 3])
            },
        }
    }

    /// The points with lower edge, line and upper edge, in nanoseconds; `None` if the curve has a gap.
    pub(super) fn points(&self) -> impl Iterator<Item = (&PlotPoint, Option<[f64; 3]>)> {
        self.series.points().iter().map(|point| (point, point.outcome.stats_on_curve().map(self.values)))
    }

    /// Draws the band as one area between each two gaps.
    pub(super) fn draw_bands<DB: DrawingBackend>(&self, painter: &Painter<DB>) -> DrawResult<(), DB> {
        let half_width = painter.horizontal(SINGLE_POINT);
        let edges = self.points().map(|(point, values)| {
            let [low, _, high] = values?;
            // A lower edge that the axis cannot show is beyond its low end.
            let low = painter.y(low).unwrap_or(painter.clip.y.low);
            Some((painter.x(point.x)?, low, painter.y(high)?))
        });
        without_gaps(edges).try_for_each(|edges| {
            let outline: Vec<PlanePoint> = match edges[..] {
                [(x, low, high)] => {
                    let (left, right) = (x - half_width, x + half_width);
                    vec![(left, low), (right, low), (right, high), (left, high)]
                }
                _ => {
                    let upper = edges.iter().map(|&(x, _, high)| (x, high));
                    let lower = edges.iter().rev().map(|&(x, low, _)| (x, low));
                    upper.chain(lower).collect()
                }
            };
            painter.area(outline, self.colour.mix(self.band_opacity))
        })
    }

    /// Draws the line as one piece between each two gaps.
    pub(super) fn draw_line<DB: DrawingBackend>(&self, painter: &Painter<DB>) -> DrawResult<(), DB> {
        let SeriesStyle { width, dash, .. } = SeriesStyle::of(self.series);
        let style = LineStyle { colour: self.colour, width, dash };
        let points = self.points().map(|(point, values)| painter.point(point.x, values?[1]));
        without_gaps(points).try_for_each(|points| painter.line(&points, style))
    }
}

/// The factor for the opacity of the bands of a series.
fn boldness(series: &CurveSeries) -> f64 {
    if series.dashed || series.stage != CurveStage::Final { FAINT } else { 1.0 }
}

/// The longest sequences without a gap.
fn without_gaps<T: Copy>(points: impl Iterator<Item = Option<T>>) -> impl Iterator<Item = Vec<T>> {
    let points: Vec<Option<T>> = points.collect();
    let pieces: Vec<Vec<T>> =
        points.split(Option::is_none).map(|piece| piece.iter().copied().flatten().collect()).collect();
    pieces.into_iter().filter(|piece| !piece.is_empty())
}
