//! Columns of samples as bars. Adjacent bars share one outline, since one shape is faster to draw than many.

use plotters::prelude::DrawingBackend;

use crate::draw::painter::Painter;
use crate::samples::columns::Column;

/// The minimum height of a bar, in page pixels: that of a dot.
const MIN_HEIGHT: f64 = 3.0;

/// The outlines of the visible bars, in pixels right and down from the lower left corner of the plot.
pub(super) fn outlines<DB: DrawingBackend>(painter: &Painter<DB>, columns: &[Column]) -> Vec<Vec<(i32, i32)>> {
    let bars: Vec<Bar> = columns.iter().filter_map(|column| Bar::of(painter, column)).collect();
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
    /// The visible part. A time that is too short for a logarithmic axis is placed at its low end.
    fn of<DB: DrawingBackend>(painter: &Painter<DB>, column: &Column) -> Option<Self> {
        let visible = painter.clip.y;
        let position = |time| painter.y(time).unwrap_or(visible.low);
        let (low, high) = (position(column.low), position(column.high));
        if high < visible.low || low > visible.high {
            return None;
        }
        let inner = painter.layout.inner;
        let highest = -(inner.height().round() as i32);
        let down = |position| -(visible.fraction(position) * inner.height()).round() as i32;
        let (top, bottom) = (down(high.min(visible.high)), down(low.max(visible.low)));
        let missing = (painter.pixels(MIN_HEIGHT) - (bottom - top)).max(0);
        let (top, bottom) = (top - missing / 2, bottom + (missing + 1) / 2);
        let edge = |index: i32| (index * painter.pixels(1.0)).min(inner.width().round() as i32 + 1);
        let (left, right) = (edge(column.index), edge(column.index + 1));
        Some(Self { left, right, top: top.max(highest), bottom: bottom.min(0) })
    }
}

/// The outline along the tops to the right, and back along the bottoms.
fn outline(bars: &[Bar]) -> Vec<(i32, i32)> {
    let tops = bars.iter().flat_map(|bar| [(bar.left, bar.top), (bar.right, bar.top)]);
    let bottoms = bars.iter().rev().flat_map(|bar| [(bar.right, bar.bottom), (bar.left, bar.bottom)]);
    tops.chain(bottoms).collect()
}
