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
    /// The colour of its inside, where that is another: the marker is then hollow.
    pub(super) core: Option<RGBAColor>,
}

/// What a marker looks like and so what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A measured point; each of the compared functions has its own among these four.
    Circle,
    Square,
    Triangle,
    Diamond,
    /// An upper bound: a bar at its place, and an arrow down from it.
    Limit,
    /// A failed point: a cross that stands on its place.
    Cross,
    /// A point that was not tried: a dash over its place, as high as the middle of a cross.
    Dash,
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
    pub(super) fn draw<DB: DrawingBackend>(&self, plane: &Plane<DB>) -> Drawn<(), DB> {
        self.fill(plane, self.radius, self.colour)?;
        let rim = (self.radius / 3).max(1);
        match self.core {
            Some(core) if self.radius > rim => self.fill(plane, self.radius - rim, core),
            _ => Ok(()),
        }
    }

    /// Draws the shape in this size, around the marker's place.
    fn fill<DB: DrawingBackend>(&self, plane: &Plane<DB>, r: i32, colour: RGBAColor) -> Drawn<(), DB> {
        // A shape with corners needs to reach farther than a circle to look as large.
        let far = r + (r + 2) / 4;
        let thin = (r / 2).max(1);
        let polygon =
            |corners: &[(i32, i32)]| plane.draw(&(EmptyElement::at(self.at) + Polygon::new(corners.to_vec(), colour)));
        match self.shape {
            Shape::Circle => plane.draw(&Circle::new(self.at, r, colour.filled())),
            Shape::Square => polygon(&[(-r, -r), (r, -r), (r, r), (-r, r)]),
            Shape::Triangle => polygon(&[(0, -far), (far, r), (-far, r)]),
            Shape::Diamond => polygon(&[(0, -far), (far, 0), (0, far), (-far, 0)]),
            Shape::Below => polygon(&[(-far, -2 * r), (far, -2 * r), (0, 0)]),
            Shape::Before => polygon(&[(2 * r, -far), (2 * r, far), (0, 0)]),
            Shape::Dash => polygon(&[(-r, -r), (r, -r), (r, thin - r), (-r, thin - r)]),
            Shape::Limit => {
                let half = (thin / 2).max(1);
                polygon(&[(-far, -half), (far, -half), (far, half), (-far, half)])?;
                polygon(&[(-half, half), (half, half), (half, 2 * r), (-half, 2 * r)])?;
                polygon(&[(-r, 2 * r), (r, 2 * r), (0, 2 * r + far)])
            }
            Shape::Cross => {
                let stroke = colour.stroke_width(thin.unsigned_abs());
                plane.draw(&(EmptyElement::at(self.at) + Cross::new((0, -r), r, stroke)))
            }
        }
    }
}
