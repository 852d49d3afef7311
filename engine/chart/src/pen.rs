//! What everything between the axes is drawn with: lengths of the page and values of the axes become pixels here.

use plotters::element::{DashedPathElement, PathElement, Polygon};
use plotters::prelude::*;
use plotters::style::text_anchor::Pos;

use super::clip::{Clip, Place};
use super::draw::{Drawn, Plane};
use super::layout::Layout;
use super::line::{DOUBLE, Line};
use super::markers::Marker;
use super::model::Chart;

/// The plane of a chart, ready to be drawn on.
pub(super) struct Pen<'a, DB: DrawingBackend> {
    pub(super) chart: &'a Chart,
    pub(super) layout: &'a Layout,
    /// The visible part of the plane.
    pub(super) clip: Clip,
    plane: &'a Plane<DB>,
}

impl<'a, DB: DrawingBackend> Pen<'a, DB> {
    pub(super) fn new(chart: &'a Chart, layout: &'a Layout, plane: &'a Plane<DB>) -> Self {
        let frame = chart.frame(layout);
        Self { chart, layout, clip: Clip { x: frame.x_span(), y: frame.y_span() }, plane }
    }

    /// The position of a value of the axis across.
    pub(super) fn x(&self, value: f64) -> Option<f64> {
        self.chart.x.scale.position(value)
    }

    /// The position of a value of the axis upwards.
    pub(super) fn y(&self, value: f64) -> Option<f64> {
        self.chart.y.scale.position(value)
    }

    pub(super) fn place(&self, x: f64, y: f64) -> Option<Place> {
        Some((self.x(x)?, self.y(y)?))
    }

    /// A length on the page, in pixels of the canvas, at least one.
    pub(super) fn pixels(&self, length: f64) -> i32 {
        (length * self.chart.density).round().max(1.0) as i32
    }

    /// The width of a stroke, bolder where the palette is.
    fn stroke(&self, width: f64) -> i32 {
        self.pixels(width * self.chart.palette.boldness)
    }

    /// A length on the page along the axis across, in positions.
    pub(super) fn across(&self, length: f64) -> f64 {
        length * self.chart.density * self.clip.x.length() / self.layout.inner.width()
    }

    /// A length on the page along the axis upwards, in positions.
    pub(super) fn upwards(&self, length: f64) -> f64 {
        length * self.chart.density * self.clip.y.length() / self.layout.inner.height()
    }

    /// What is visible of an area.
    pub(super) fn area(&self, outline: Vec<Place>, colour: RGBAColor) -> Drawn<(), DB> {
        let visible = self.clip.area(outline);
        if visible.len() > 2 { self.plane.draw(&Polygon::new(visible, colour)) } else { Ok(()) }
    }

    /// What is visible of a line.
    pub(super) fn line(&self, places: &[Place], line: Line) -> Drawn<(), DB> {
        let pieces = self.clip.line(places);
        let dash = line.dash.map(|(dash, gap)| (self.pixels(dash), self.pixels(gap)));
        let draw = |colour: RGBColor, width: i32| {
            let style = colour.stroke_width(width.unsigned_abs());
            pieces.iter().try_for_each(|piece| match dash {
                Some((dash, gap)) => self.plane.draw(&DashedPathElement::new(piece.iter().copied(), dash, gap, style)),
                None => self.plane.draw(&PathElement::new(piece.as_slice(), style)),
            })
        };
        if line.is_double {
            // Whole pixels each, lest one side comes out wider than the other.
            let side = self.stroke(line.width * DOUBLE);
            draw(line.colour, 3 * side)?;
            draw(self.chart.palette.surface, side)
        } else {
            draw(line.colour, self.stroke(line.width))
        }
    }

    /// Words whose anchor lies so many pixels of the page right and down from a place.
    pub(super) fn text(&self, words: &str, at: Place, (right, down): (f64, f64), anchor: Pos) -> Drawn<(), DB> {
        let offset = [right, down].map(|length| (length * self.chart.density).round() as i32);
        let style = self.chart.text_style().pos(anchor);
        self.plane.draw(&(EmptyElement::at(at) + Text::new(words.to_owned(), offset.into(), style)))
    }

    /// A shape with corners so many pixels right and down from a place; nothing where it has none.
    pub(super) fn shape(&self, at: Place, corners: Vec<(i32, i32)>, colour: RGBAColor) -> Drawn<(), DB> {
        if corners.is_empty() {
            return Ok(());
        }
        self.plane.draw(&(EmptyElement::at(at) + Polygon::new(corners, colour)))
    }

    /// The marker, where its place is visible.
    pub(super) fn marker(&self, marker: &Marker) -> Drawn<(), DB> {
        if self.clip.contains(marker.at) { marker.draw(self.plane) } else { Ok(()) }
    }
}
