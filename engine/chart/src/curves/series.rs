//! One curve: a function's points from one machine, and how much they can be relied on together.

use super::point::PlotPoint;

/// One curve: a function's points from one machine at one priority.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The function's name, for whoever reads a hit.
    pub name: String,
    /// Which of the compared functions this is, from 0: chooses colours and marker. The same for all its priorities.
    pub ordinal: usize,
    /// How final the curve is.
    pub weight: Weight,
    /// Whether it was measured apart from the others: at another time, with other inputs or by another generator. It
    /// cannot be held against them point by point, and so is dotted.
    pub unpaired: bool,
    points: Vec<PlotPoint>,
}

impl Series {
    /// A paired curve through these points, which may come in any order. They are few, and mostly in order already.
    pub fn new(name: impl Into<String>, ordinal: usize, weight: Weight, unsorted: Vec<PlotPoint>) -> Self {
        let mut points: Vec<PlotPoint> = Vec::with_capacity(unsorted.len());
        for point in unsorted {
            points.insert(points.partition_point(|other| other.x.total_cmp(&point.x).is_le()), point);
        }
        Self { name: name.into(), ordinal, weight, unpaired: false, points }
    }

    /// The points by rising x.
    pub fn points(&self) -> &[PlotPoint] {
        &self.points
    }
}

/// How much a curve can be relied on, and so how boldly it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Measured at this priority, 1 to 4, with a better one to come: dashed, thicker with each priority.
    Preliminary(u8),
    /// As good as it gets: solid.
    Final,
}
