//! A horizontal line that the user drags.

use benchbook_chart::Frame;
use yew::prelude::*;

/// The distance in page pixels up to which a drag moves the line: half the smallest target size for pointers.
const REACH: f64 = 6.0;

/// A horizontal line across a chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LimitLine {
    /// Its value on the vertical axis.
    pub(crate) value: f64,
    /// Requests another value.
    pub(crate) on_move: Callback<f64>,
}

impl LimitLine {
    /// Whether a row of the page is near the line.
    pub(super) fn is_near(&self, frame: &Frame, row: f64) -> bool {
        let line = frame.y_to_pixel(self.value);
        line.is_some_and(|line| is_inside(frame, line) && (line / frame.density() - row).abs() <= REACH)
    }

    /// The value at a row of the page, or at the nearest edge, with three significant digits. `None` if it is not above 0.
    pub(super) fn value_at(frame: &Frame, row: f64) -> Option<f64> {
        let row = (row * frame.density()).clamp(frame.inner().top, frame.inner().bottom);
        let value: f64 = format!("{:.2e}", frame.y_from_pixel(row)).parse().ok()?;
        (value > 0.0).then_some(value)
    }
}

fn is_inside(frame: &Frame, row: f64) -> bool {
    (frame.inner().top..=frame.inner().bottom).contains(&row)
}

#[cfg(test)]
mod tests {
    use benchbook_chart::{AxisScale, Layout, View, Window};

    use super::*;

    /// A frame of times from 100 to 10 000 on a canvas with two pixels per page pixel.
    fn frame(scale: AxisScale, low: f64) -> Frame {
        let view = View { x: Window { low: 0.0, high: 1.0 }, y: Window { low, high: 1e4 } };
        Frame::new(&Layout::of(1_400, 600, 2.0), view, AxisScale::Linear, scale)
    }

    fn line(value: f64) -> LimitLine {
        LimitLine { value, on_move: Callback::noop() }
    }

    #[test]
    fn a_row_is_near_up_to_its_reach() {
        let frame = frame(AxisScale::Log, 100.0);
        let middle = frame.inner().top.midpoint(frame.inner().bottom) / frame.density();
        for (offset, expected) in [(0.0, true), (-5.9, true), (5.9, true), (-6.1, false), (6.1, false)] {
            assert_eq!(line(1e3).is_near(&frame, middle + offset), expected, "{offset}");
        }
        let top = frame.inner().top / frame.density();
        assert!(!line(1.1e4).is_near(&frame, top), "outside the view");
        assert!(!line(0.0).is_near(&frame, top), "without a logarithm");
    }

    #[test]
    fn the_value_has_three_digits_and_remains_in_view() {
        let log = frame(AxisScale::Log, 100.0);
        let (top, bottom) = (log.inner().top / log.density(), log.inner().bottom / log.density());
        assert_eq!(LimitLine::value_at(&log, top.midpoint(bottom)), Some(1e3));
        assert_eq!(LimitLine::value_at(&log, top - 50.0), Some(1e4));
        assert_eq!(LimitLine::value_at(&log, bottom + 50.0), Some(100.0));
        let value = LimitLine::value_at(&log, top + 10.3).expect("above 0");
        assert_eq!(format!("{value:.2e}").parse(), Ok(value));
        assert_eq!(LimitLine::value_at(&frame(AxisScale::Linear, 0.0), bottom), None);
    }
}
