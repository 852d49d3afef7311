//! The plane between the axes.

use plotters::prelude::*;

use super::ranged_axis::RangedAxis;

/// The plane between the axes. Its coordinates are positions.
pub(super) type Plane<DB> = DrawingArea<DB, Cartesian2d<RangedAxis, RangedAxis>>;

/// The result of drawing; the error is the backend's.
pub type DrawResult<T, DB> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;
