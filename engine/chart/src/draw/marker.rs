//! The small symbols at points and at the edges of the plot.

use plotters::prelude::*;

use super::clip::PlanePoint;
use super::plane::{DrawResult, Plane};

/// A symbol of a fixed size in pixels at a point of the plane.
pub(super) struct Marker {
    pub(super) at: PlanePoint,
    /// From the point to the centre, in canvas pixels.
    pub(super) offset: (i32, i32),
    pub(super) shape: MarkerShape,
    /// From the centre to the edge, in canvas pixels.
    pub(super) radius: i32,
    pub(super) colour: RGBAColor,
    /// The fill colour of a hollow marker; `None` for a filled one.
    pub(super) core: Option<RGBAColor>,
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkerShape {
    /// A measured point; the compared functions have different ones of these four.
    Circle,
    Square,
    Triangle,
    Diamond,
    /// An upper bound: a bar at the point with an arrow below it.
    UpperBound,
    /// A failed point: a cross that stands on the point.
    Cross,
    /// A skipped point: a dash above the point, at the height of a cross's centre.
    Dash,
    /// A value below the axis: an arrow whose tip is the point.
    ArrowDown,
    /// A value to the left of the axis: an arrow whose tip is the point.
    ArrowLeft,
}

impl MarkerShape {
    /// The shape of a measured point of the function with this index among the compared ones.
    pub(super) fn of(ordinal: usize) -> Self {
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond][ordinal % 4]
    }
}

impl Marker {
    pub(super) fn draw<DB: DrawingBackend>(&self, plane: &Plane<DB>) -> DrawResult<(), DB> {
        self.fill(plane, self.radius, self.colour)?;
        let rim = (self.radius / 3).max(1);
        match self.core {
            Some(core) if self.radius > rim => self.fill(plane, self.radius - rim, core),
            _ => Ok(()),
        }
    }

    /// Draws the shape with radius `r`.
    fn fill<DB: DrawingBackend>(&self, plane: &Plane<DB>, r: i32, colour: RGBAColor) -> DrawResult<(), DB> {
        // A polygon must extend farther than a circle to look as large.
        let far = r + (r + 2) / 4;
        let thin = (r / 2).max(1);
        let (right, down) = self.offset;
        let polygon = |corners: &[(i32, i32)]| {
            let corners: Vec<(i32, i32)> = corners.iter().map(|(x, y)| (x + right, y + down)).collect();
            plane.draw(&(EmptyElement::at(self.at) + Polygon::new(corners, colour)))
        };
        match self.shape {
            MarkerShape::Circle => {
                plane.draw(&(EmptyElement::at(self.at) + Circle::new(self.offset, r, colour.filled())))
            }
            MarkerShape::Square => polygon(&[(-r, -r), (r, -r), (r, r), (-r, r)]),
            MarkerShape::Triangle => polygon(&[(0, -far), (far, r), (-far, r)]),
            MarkerShape::Diamond => polygon(&[(0, -far), (far, 0), (0, far), (-far, 0)]),
            MarkerShape::ArrowDown => polygon(&[(-far, -2 * r), (far, -2 * r), (0, 0)]),
            MarkerShape::ArrowLeft => polygon(&[(2 * r, -far), (2 * r, far), (0, 0)]),
            MarkerShape::Dash => polygon(&[(-r, -r), (r, -r), (r, thin - r), (-r, thin - r)]),
            MarkerShape::UpperBound => {
                let half = (thin / 2).max(1);
                polygon(&[(-far, -half), (far, -half), (far, half), (-far, half)])?;
                polygon(&[(-half, half), (half, half), (half, 2 * r), (-half, 2 * r)])?;
                polygon(&[(-r, 2 * r), (r, 2 * r), (0, 2 * r + far)])
            }
            MarkerShape::Cross => {
                let stroke = colour.stroke_width(thin.unsigned_abs());
                plane.draw(&(EmptyElement::at(self.at) + Cross::new((right, down - r), r, stroke)))
            }
        }
    }
}
