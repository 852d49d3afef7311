//! Drawing on the plane: converts page lengths to pixels, values to positions, and clips shapes at the edges.

use plotters::element::{DashedPathElement, PathElement, Polygon};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::clip::{ClipRect, PlanePoint};
use super::line_style::LineStyle;
use super::marker::Marker;
use super::plane::{DrawResult, Plane};
use super::text::text_style;
use crate::chart::Chart;
use crate::layout::Layout;

/// Draws on the plane of a chart.
pub(super) struct Painter<'a, DB: DrawingBackend> {
    pub(super) chart: &'a Chart,
    pub(super) layout: &'a Layout,
    /// The visible part of the plane.
    pub(super) clip: ClipRect,
    plane: &'a Plane<DB>,
    /// Added to each position on the horizontal axis.
    shift: f64,
}

impl<'a, DB: DrawingBackend> Painter<'a, DB> {
    pub(super) fn new(chart: &'a Chart, layout: &'a Layout, plane: &'a Plane<DB>) -> Self {
        let frame = chart.frame(layout);
        Self { chart, layout, clip: ClipRect { x: frame.x_span(), y: frame.y_span() }, plane, shift: 0.0 }
    }

    /// A painter that draws values of the horizontal axis farther to the right by this difference of positions.
    pub(super) fn shifted(&self, shift: f64) -> Self {
        let Self { chart, layout, clip, plane, .. } = *self;
        Self { chart, layout, clip, plane, shift: self.shift + shift }
    }

    /// The position of a value of the horizontal axis, or `None` if the axis cannot show it.
    pub(super) fn x(&self, value: f64) -> Option<f64> {
        self.chart.x.scale.position(value).map(|position| position + self.shift)
    }

    /// The position of a value of the vertical axis, or `None` if the axis cannot show it.
    pub(super) fn y(&self, value: f64) -> Option<f64> {
        self.chart.y.scale.position(value)
    }

    /// The point of two values, or `None` if an axis cannot show its value.
    pub(super) fn point(&self, x: f64, y: f64) -> Option<PlanePoint> {
        Some((self.x(x)?, self.y(y)?))
    }

    /// A page length in canvas pixels, at least 1.
    pub(super) fn pixels(&self, length: f64) -> i32 {
        (length * self.chart.density).round().max(1.0) as i32
    }

    /// The width of a stroke in canvas pixels, scaled by the palette's boldness.
    fn stroke(&self, width: f64) -> i32 {
        self.pixels(width * self.chart.palette.boldness)
    }

    /// A page length along the horizontal axis, in positions.
    pub(super) fn horizontal(&self, length: f64) -> f64 {
        length * self.chart.density * self.clip.x.length() / self.layout.inner.width()
    }

    /// A page length along the vertical axis, in positions.
    pub(super) fn vertical(&self, length: f64) -> f64 {
        length * self.chart.density * self.clip.y.length() / self.layout.inner.height()
    }

    /// Draws the visible part of an area.
    pub(super) fn area(&self, outline: Vec<PlanePoint>, colour: RGBAColor) -> DrawResult<(), DB> {
        let visible = self.clip.area(outline);
        if visible.len() > 2 { self.plane.draw(&Polygon::new(visible, colour)) } else { Ok(()) }
    }

    /// Draws the visible part of a line.
    pub(super) fn line(&self, points: &[PlanePoint], style: LineStyle) -> DrawResult<(), DB> {
        let pieces = self.clip.line(points);
        let dash = style.dash.map(|(dash, gap)| (self.pixels(dash), self.pixels(gap)));
        let stroke = style.colour.stroke_width(self.stroke(style.width).unsigned_abs());
        pieces.iter().try_for_each(|piece| match dash {
            Some((dash, gap)) => self.plane.draw(&DashedPathElement::new(piece.iter().copied(), dash, gap, stroke)),
            None => self.plane.draw(&PathElement::new(piece.as_slice(), stroke)),
        })
    }

    /// Draws a text in a colour, to the right of a point: its middle is offset by these page pixels.
    pub(super) fn label(
        &self,
        text: String,
        at: PlanePoint,
        (right, down): (f64, f64),
        colour: RGBColor,
    ) -> DrawResult<(), DB> {
        let offset = [right, down].map(|length| (length * self.chart.density).round() as i32);
        let style = text_style(self.chart).color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
        self.plane.draw(&(EmptyElement::at(at) + Text::new(text, offset.into(), style)))
    }

    /// Draws a text whose anchor is offset from a point by these page pixels.
    pub(super) fn text(
        &self,
        text: &str,
        at: PlanePoint,
        (right, down): (f64, f64),
        anchor: Pos,
    ) -> DrawResult<(), DB> {
        let offset = [right, down].map(|length| (length * self.chart.density).round() as i32);
        let style = text_style(self.chart).pos(anchor);
        self.plane.draw(&(EmptyElement::at(at) + Text::new(text.to_owned(), offset.into(), style)))
    }

    /// Draws a polygon whose corners are offset from a point by these canvas pixels, right and down. Draws nothing if
    /// there are no corners.
    pub(super) fn shape(&self, at: PlanePoint, corners: Vec<(i32, i32)>, colour: RGBAColor) -> DrawResult<(), DB> {
        if corners.is_empty() {
            return Ok(());
        }
        self.plane.draw(&(EmptyElement::at(at) + Polygon::new(corners, colour)))
    }

    /// Draws a marker if its point is visible. Its offset may lead out of the plot.
    pub(super) fn marker(&self, marker: &Marker) -> DrawResult<(), DB> {
        if self.clip.contains(marker.at) { marker.draw(self.plane) } else { Ok(()) }
    }
}
