//! The strips of a slot, one per series.

use plotters::prelude::DrawingBackend;

use crate::draw::painter::Painter;

/// The part of each slot in which a series is drawn. The strips of all series are centred in the slot.
pub(super) struct Strip {
    /// From the middle of the slot to the middle of the strip, in positions. It does not depend on the view, so that a zoom
    /// to a symbol shows that symbol.
    pub(super) offset: f64,
    /// The width in page pixels.
    width: f64,
}

impl Strip {
    /// The strip of the series with this index among `count`. The gap between the series of neighbouring categories is one
    /// strip wide, which sets the categories apart.
    pub(super) fn of<DB: DrawingBackend>(painter: &Painter<DB>, index: usize, count: usize) -> Self {
        let width = 1.0 / (count as f64 + 1.0);
        let offset = (index as f64 - (count as f64 - 1.0) / 2.0) * width;
        Self { offset, width: width / painter.horizontal(1.0) }
    }

    /// The width of a box, in page pixels.
    pub(super) fn bar(&self) -> f64 {
        (0.7 * self.width).min(24.0)
    }

    /// The width of the ends of a whisker, in page pixels.
    pub(super) fn whisker(&self) -> f64 {
        0.5 * self.bar()
    }

    /// The maximum width of a column of samples, in page pixels.
    pub(super) fn samples(&self) -> f64 {
        0.5 * self.bar()
    }

    /// The maximum width of a stroke along the strip, in page pixels.
    pub(super) fn stroke(&self) -> f64 {
        0.3 * self.width
    }

    /// The maximum radius of a symbol, in page pixels. Some symbols extend beyond their radius by a third.
    pub(super) fn symbol(&self) -> f64 {
        0.36 * self.width
    }
}
