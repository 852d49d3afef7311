//! The small shapes at points and at the edges of the plot.

use plotters::prelude::*;

use super::clip::Place;
use super::draw::{Drawn, Plane};

/// A shape of a fixed size in pixels at a place of the plane.
pub(super) struct Marker {
    pub(super) at: Place,
    pub(super) shape: Shape,
    /// From the middle to the edge, in pixels of the canvas.
    pub(super) radius: i32,
    pub(super) colour: RGBAColor,
}

/// What a marker looks like and so what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A measured point; each of the compared functions has its own among these four.
    Circle,
    Square,
    Triangle,
    Diamond,
    /// A failed point: a cross that stands on its place.
    Cross,
    /// Something below the axis's lower end: an arrow whose tip is its place.
    Below,
    /// Something to the left of the axis's beginning.
    Before,
}

impl Shape {
    /// The shape of a measured point of the function with this ordinal.
    pub(super) fn of(ordinal: usize) -> Self {
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond][ordinal % 4]
    }
}

impl Marker {
    pub(super) fn draw<DB: DrawingBackend>(&self, plane: &Plane<'_, DB>) -> Drawn<(), DB> {
        let r = self.radius;
        // A shape with corners needs to reach farther than a circle to look as large.
        let far = r + (r + 2) / 4;
        let area = plane.plotting_area();
        let polygon = |corners: &[(i32, i32)]| {
            area.draw(&(EmptyElement::at(self.at) + Polygon::new(corners.to_vec(), self.colour)))
        };
        match self.shape {
            Shape::Circle => area.draw(&Circle::new(self.at, r, self.colour.filled())),
            Shape::Square => polygon(&[(-r, -r), (r, -r), (r, r), (-r, r)]),
            Shape::Triangle => polygon(&[(0, -far), (far, r), (-far, r)]),
            Shape::Diamond => polygon(&[(0, -far), (far, 0), (0, far), (-far, 0)]),
            Shape::Below => polygon(&[(-far, -2 * r), (far, -2 * r), (0, 0)]),
            Shape::Before => polygon(&[(2 * r, -far), (2 * r, far), (0, 0)]),
            Shape::Cross => {
                let stroke = self.colour.stroke_width((r / 2).max(1).unsigned_abs());
                area.draw(&(EmptyElement::at(self.at) + Cross::new((0, -r), r, stroke)))
            }
        }
    }
}
