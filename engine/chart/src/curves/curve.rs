//! One line of a series with its band: the mean's or the median's.

use plotters::prelude::*;

use super::stroke::Stroke;
use super::{Curves, Figures, PlotPoint, Series, Weight};
use crate::clip::Place;
use crate::draw::Drawn;
use crate::line::Line;
use crate::palette::Palette;
use crate::pen::Pen;

/// How opaque the ± sd band is; it is the wider one, so it is the fainter.
const SD_BAND: f64 = 0.14;
/// How opaque the quartile band is.
const QUARTILE_BAND: f64 = 0.22;
/// How much fainter the bands of a preliminary or an unpaired curve are.
const FAINT: f64 = 0.6;
/// Half the width of a band that has a single point, in pixels of the page: a marker's.
const BAR: f64 = 3.0;

/// One line of a series with its band.
pub(super) struct Curve<'a> {
    pub(super) series: &'a Series,
    pub(super) colour: RGBColor,
    band_opacity: f64,
    /// Whether the line is a double one: of compared functions the median is, so that hue is left for the function.
    is_double: bool,
    /// A point's lower edge, line and upper edge, in nanoseconds; absent where it is withheld.
    figure: fn(&Figures) -> Option<[f64; 3]>,
}

impl<'a> Curve<'a> {
    /// The lines of a series that are switched on.
    pub(super) fn of(series: &'a Series, curves: &Curves, palette: &Palette) -> impl Iterator<Item = Self> {
        let is_faint = series.unpaired || series.weight != Weight::Final;
        // Bands lie over each other, lines cross: the more there are, the fainter each band.
        let opacity = if is_faint { FAINT } else { 1.0 } / (curves.series.len() as f64).cbrt();
        let mean = curves.show_mean.then(|| Curve {
            series,
            colour: palette.mean(series.ordinal),
            band_opacity: SD_BAND * opacity,
            is_double: false,
            figure: |figures| Some([figures.mean - figures.sd, figures.mean, figures.mean + figures.sd]),
        });
        let median = curves.show_median.then(|| Curve {
            series,
            colour: palette.median(series.ordinal),
            band_opacity: QUARTILE_BAND * opacity,
            is_double: palette.compares,
            figure: |figures| figures.quartiles.map(|quartiles| [quartiles.q1, quartiles.median, quartiles.q3]),
        });
        mean.into_iter().chain(median)
    }

    /// The points with lower edge, line and upper edge, in nanoseconds; absent where the curve has a gap.
    pub(super) fn points(&self) -> impl Iterator<Item = (&PlotPoint, Option<[f64; 3]>)> {
        self.series.points().iter().map(|point| (point, point.mark.on_curve().and_then(self.figure)))
    }

    /// Draws the band, in as many areas as there are gaps between.
    pub(super) fn draw_bands<DB: DrawingBackend>(&self, pen: &Pen<DB>) -> Drawn<(), DB> {
        let bar = pen.across(BAR);
        let edges = self.points().map(|(point, figure)| {
            let [low, _, high] = figure?;
            // A lower edge that the axis cannot show lies beyond its end.
            let low = pen.y(low).unwrap_or(pen.clip.y.low);
            Some((pen.x(point.x)?, low, pen.y(high)?))
        });
        runs(edges).try_for_each(|run| {
            let outline: Vec<Place> = match run[..] {
                [(x, low, high)] => {
                    let (left, right) = (x - bar, x + bar);
                    vec![(left, low), (right, low), (right, high), (left, high)]
                }
                _ => {
                    let upper = run.iter().map(|&(x, _, high)| (x, high));
                    let lower = run.iter().rev().map(|&(x, low, _)| (x, low));
                    upper.chain(lower).collect()
                }
            };
            pen.area(outline, self.colour.mix(self.band_opacity))
        })
    }

    /// Draws the line, in as many pieces as there are gaps between.
    pub(super) fn draw_line<DB: DrawingBackend>(&self, pen: &Pen<DB>) -> Drawn<(), DB> {
        let Stroke { width, dash, .. } = Stroke::of(self.series);
        let line = Line { colour: self.colour, width, dash, is_double: self.is_double };
        let places = self.points().map(|(point, figure)| pen.place(point.x, figure?[1]));
        runs(places).try_for_each(|run| pen.line(&run, line))
    }
}

/// The longest stretches without a gap.
fn runs<T: Copy>(places: impl Iterator<Item = Option<T>>) -> impl Iterator<Item = Vec<T>> {
    let places: Vec<Option<T>> = places.collect();
    let runs: Vec<Vec<T>> = places.split(Option::is_none).map(|run| run.iter().copied().flatten().collect()).collect();
    runs.into_iter().filter(|run| !run.is_empty())
}
