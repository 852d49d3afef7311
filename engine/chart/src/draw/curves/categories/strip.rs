//! The strips of a slot, one per series.

use plotters::prelude::DrawingBackend;

use crate::draw::painter::Painter;

/// The widest box, in page pixels: as wide as a short label.
const MAX_BOX: f64 = 24.0;
/// The width of a box as a fraction of the strip, which leaves a gap between two boxes.
const BOX: f64 = 0.7;
/// The width of the ends of a whisker and of a column of samples, as a fraction of a box, which remains visible behind them.
const IN_BOX: f64 = 0.5;
/// The width of a stroke along the strip, as a fraction of it.
const STROKE: f64 = 0.3;
/// The radius of a symbol as a fraction of the strip. Some symbols extend beyond their radius by a third.
const SYMBOL: f64 = 0.36;

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
    pub(super) fn box_width(&self) -> f64 {
        (BOX * self.width).min(MAX_BOX)
    }

    /// The maximum width of the ends of a whisker and of a column of samples, in page pixels.
    pub(super) fn width_in_box(&self) -> f64 {
        IN_BOX * self.box_width()
    }

    /// The maximum width of a stroke along the strip, in page pixels.
    pub(super) fn max_stroke(&self) -> f64 {
        STROKE * self.width
    }

    /// The maximum radius of a symbol, in page pixels.
    pub(super) fn max_radius(&self) -> f64 {
        SYMBOL * self.width
    }
}
