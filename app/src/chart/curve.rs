//! Drawing the curves: bands below, lines over them, markers on top.

use plotters::prelude::*;

use super::clip::{Clip, Place};
use super::draw::{Drawn, Plane};
use super::layout::Layout;
use super::markers::{Marker, Shape};
use super::model::{Chart, Figures, Series, Weight};

/// How opaque the ± sd band is; it is the wider one, so it is the fainter.
const SD_BAND: f64 = 0.14;
/// How opaque the quartile band is.
const QUARTILE_BAND: f64 = 0.22;
/// How much fainter the bands of a preliminary curve are.
const PRELIMINARY_BAND: f64 = 0.6;
/// How opaque the arrow of a band is, so that nobody takes it for a point's.
const FAINT_ARROW: f64 = 0.45;
/// Half the width of a failed point's cross, in pixels of the page.
const CROSS: f64 = 4.0;
/// Half the width of a band that has a single point, in pixels of the page: a marker's.
const BAR: f64 = 3.0;

/// Draws every series.
pub(super) fn draw_all<DB: DrawingBackend>(plane: &mut Plane<'_, DB>, chart: &Chart, layout: &Layout) -> Drawn<(), DB> {
    let frame = chart.frame(layout);
    let clip = Clip { x: frame.x_span(), y: frame.y_span() };
    let bar = BAR * chart.density * clip.x.length() / layout.inner.width();
    let pen = Pen { chart, clip, bar };
    let curves: Vec<Curve> = chart.series.iter().flat_map(|series| pen.curves(series)).collect();
    for curve in &curves {
        pen.band(plane, curve)?;
    }
    for curve in &curves {
        pen.line(plane, curve)?;
    }
    for curve in &curves {
        pen.markers(plane, curve)?;
    }
    chart.series.iter().try_for_each(|series| pen.failures(plane, series))
}

/// One line of a series with its band: the mean's or the median's.
struct Curve<'a> {
    series: &'a Series,
    colour: RGBColor,
    band_opacity: f64,
    /// A point's lower edge, line and upper edge, in nanoseconds; absent where it is withheld or the point failed.
    figure: fn(&Figures) -> Option<[f64; 3]>,
}

impl Curve<'_> {
    fn points(&self) -> impl Iterator<Item = (f64, Option<[f64; 3]>)> {
        self.series.points().iter().map(|point| (point.x, point.figures.as_ref().and_then(self.figure)))
    }
}

/// How a weight looks, in pixels of the page.
struct Stroke {
    width: f64,
    /// The length of a dash; solid without.
    dash: Option<f64>,
    marker: f64,
}

/// Between two dashes.
const DASH_GAP: f64 = 4.0;

impl Stroke {
    fn of(weight: Weight) -> Self {
        match weight {
            Weight::Preliminary(..=1) => Self { width: 1.0, dash: Some(3.0), marker: 2.0 },
            Weight::Preliminary(2) => Self { width: 1.4, dash: Some(6.0), marker: 2.4 },
            Weight::Preliminary(3) => Self { width: 1.8, dash: Some(9.0), marker: 2.7 },
            Weight::Preliminary(4..) => Self { width: 2.2, dash: Some(14.0), marker: 3.0 },
            Weight::Final => Self { width: 2.2, dash: None, marker: 3.0 },
        }
    }
}

/// What drawing needs beside the curve itself.
struct Pen<'a> {
    chart: &'a Chart,
    clip: Clip,
    /// [`BAR`] in positions.
    bar: f64,
}

impl Pen<'_> {
    /// The lines of a series that are switched on.
    fn curves<'s>(&self, series: &'s Series) -> impl Iterator<Item = Curve<'s>> {
        let faint = if series.weight == Weight::Final { 1.0 } else { PRELIMINARY_BAND };
        let mean = self.chart.show_mean.then(|| Curve {
            series,
            colour: self.chart.palette.mean(series.ordinal),
            band_opacity: SD_BAND * faint,
            figure: |figures| Some([figures.mean - figures.sd, figures.mean, figures.mean + figures.sd]),
        });
        let median = self.chart.show_median.then(|| Curve {
            series,
            colour: self.chart.palette.median(series.ordinal),
            band_opacity: QUARTILE_BAND * faint,
            figure: |figures| figures.quartiles.map(|quartiles| [quartiles.q1, quartiles.median, quartiles.q3]),
        });
        mean.into_iter().chain(median)
    }

    fn band<DB: DrawingBackend>(&self, plane: &mut Plane<'_, DB>, curve: &Curve) -> Drawn<(), DB> {
        let edges = curve.points().map(|(x, figure)| {
            let [low, _, high] = figure?;
            // A lower edge that the axis cannot show lies beyond its end.
            let low = self.y(low).unwrap_or(self.clip.y.low);
            Some((self.x(x)?, low, self.y(high)?))
        });
        let areas = runs(edges).map(|run| match run[..] {
            [(x, low, high)] => {
                let (left, right) = (x - self.bar, x + self.bar);
                vec![(left, low), (right, low), (right, high), (left, high)]
            }
            _ => {
                let upper = run.iter().map(|&(x, _, high)| (x, high));
                let lower = run.iter().rev().map(|&(x, low, _)| (x, low));
                upper.chain(lower).collect()
            }
        });
        let visible = areas.map(|outline| self.clip.area(outline)).filter(|outline| outline.len() > 2);
        let colour = curve.colour.mix(curve.band_opacity);
        plane.draw_series(visible.map(|outline| Polygon::new(outline, colour)))?;
        Ok(())
    }

    fn line<DB: DrawingBackend>(&self, plane: &mut Plane<'_, DB>, curve: &Curve) -> Drawn<(), DB> {
        let stroke = Stroke::of(curve.series.weight);
        let style = curve.colour.stroke_width(self.pixels(stroke.width) as u32);
        let places = curve.points().map(|(x, figure)| self.place(x, figure?[1]));
        for piece in runs(places).flat_map(|run| self.clip.line(&run)) {
            if let Some(dash) = stroke.dash {
                let (dash, gap) = (self.pixels(dash), self.pixels(DASH_GAP));
                plane.draw_series(DashedLineSeries::new(piece, dash, gap, style))?;
            } else {
                plane.draw_series(LineSeries::new(piece, style))?;
            }
        }
        Ok(())
    }

    /// Draws a marker at each point, and an arrow at the edge for what a logarithmic axis cannot show: a full one for a
    /// point, a faint one for a band that reaches there.
    fn markers<DB: DrawingBackend>(&self, plane: &Plane<'_, DB>, curve: &Curve) -> Drawn<(), DB> {
        let radius = self.pixels(Stroke::of(curve.series.weight).marker);
        let (full, faint) = (curve.colour.mix(1.0), curve.colour.mix(FAINT_ARROW));
        let (left, bottom) = (self.clip.x.low, self.clip.y.low);
        let mut markers = Vec::new();
        for (x, figure) in curve.points() {
            let Some([low, line, _]) = figure else { continue };
            let (shape, at, colour) = match (self.x(x), self.y(line)) {
                (Some(x), Some(y)) => {
                    if self.y(low).is_none() {
                        markers.push(Marker { at: (x, bottom), shape: Shape::Below, radius, colour: faint });
                    }
                    (Shape::of(curve.series.ordinal), (x, y), full)
                }
                (Some(x), None) => (Shape::Below, (x, bottom), full),
                (None, Some(y)) => (Shape::Before, (left, y), full),
                (None, None) => (Shape::Before, (left, bottom), full),
            };
            markers.push(Marker { at, shape, radius, colour });
        }
        markers.iter().filter(|marker| self.clip.contains(marker.at)).try_for_each(|marker| marker.draw(plane))
    }

    /// Draws a cross at the lower edge for each failed point.
    fn failures<DB: DrawingBackend>(&self, plane: &Plane<'_, DB>, series: &Series) -> Drawn<(), DB> {
        let (radius, colour) = (self.pixels(CROSS), self.chart.palette.failed.mix(1.0));
        let failed = series.points().iter().filter(|point| point.figures.is_none());
        let places = failed.filter_map(|point| Some((self.x(point.x)?, self.clip.y.low)));
        let mut visible = places.filter(|&at| self.clip.contains(at));
        visible.try_for_each(|at| Marker { at, shape: Shape::Cross, radius, colour }.draw(plane))
    }

    fn x(&self, value: f64) -> Option<f64> {
        self.chart.x.scale.position(value)
    }

    fn y(&self, nanoseconds: f64) -> Option<f64> {
        self.chart.y.scale.position(nanoseconds)
    }

    fn place(&self, x: f64, nanoseconds: f64) -> Option<Place> {
        Some((self.x(x)?, self.y(nanoseconds)?))
    }

    /// A length on the page, in pixels of the canvas, at least one.
    fn pixels(&self, length: f64) -> i32 {
        (length * self.chart.density).round().max(1.0) as i32
    }
}

/// The longest stretches without a gap.
fn runs<T: Copy>(places: impl Iterator<Item = Option<T>>) -> impl Iterator<Item = Vec<T>> {
    let places: Vec<Option<T>> = places.collect();
    let runs: Vec<Vec<T>> = places.split(Option::is_none).map(|run| run.iter().copied().flatten().collect()).collect();
    runs.into_iter().filter(|run| !run.is_empty())
}
