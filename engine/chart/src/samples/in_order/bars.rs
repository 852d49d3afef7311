//! Columns of samples as bars: those beside each other have one outline, since one shape is drawn faster than many.

use plotters::prelude::DrawingBackend;

use super::columns::Column;
use crate::pen::Pen;

/// The least height of a bar, in pixels of the page: a dot's.
const LEAST: f64 = 3.0;

/// The outlines of the visible bars, in pixels right and down from the lower left corner of the plot.
pub(super) fn outlines<DB: DrawingBackend>(pen: &Pen<DB>, columns: &[Column]) -> Vec<Vec<(i32, i32)>> {
    let bars: Vec<Bar> = columns.iter().filter_map(|column| Bar::of(pen, column)).collect();
    bars.chunk_by(|one, next| one.right == next.left).map(outline).collect()
}

/// One column, in pixels right and down from the lower left corner of the plot.
#[derive(Clone, Copy)]
struct Bar {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Bar {
    /// The visible part; what is too small for a logarithmic axis lies at its lower end.
    fn of<DB: DrawingBackend>(pen: &Pen<DB>, column: &Column) -> Option<Self> {
        let visible = pen.clip.y;
        let place = |time| pen.y(time).unwrap_or(visible.low);
        let (low, high) = (place(column.low), place(column.high));
        if high < visible.low || low > visible.high {
            return None;
        }
        let highest = -(pen.layout.inner.height().round() as i32);
        let down = |position| -(visible.fraction(position) * pen.layout.inner.height()).round() as i32;
        let (top, bottom) = (down(high.min(visible.high)), down(low.max(visible.low)));
        let lacking = (pen.pixels(LEAST) - (bottom - top)).max(0);
        let (top, bottom) = (top - lacking / 2, bottom + (lacking + 1) / 2);
        let right = |index: i32| (index * pen.pixels(1.0)).min(pen.layout.inner.width().round() as i32 + 1);
        let (left, right) = (right(column.index), right(column.index + 1));
        Some(Self { left, right, top: top.max(highest), bottom: bottom.min(0) })
    }
}

/// Along the tops to the right, and back along the bottoms.
fn outline(bars: &[Bar]) -> Vec<(i32, i32)> {
    let tops = bars.iter().flat_map(|bar| [(bar.left, bar.top), (bar.right, bar.top)]);
    let bottoms = bars.iter().rev().flat_map(|bar| [(bar.right, bar.bottom), (bar.left, bar.bottom)]);
    tops.chain(bottoms).collect()
}
