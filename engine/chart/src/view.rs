//! The visible part of the plane.

use crate::scale::{AxisScale, Span, Window};

/// The visible part of the plane, in values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The visible part of the horizontal axis.
    pub x: Window,
    /// The visible part of the vertical axis.
    pub y: Window,
}

impl View {
    /// A view from outside, such as from a link, by the ends of its windows. A window that its scale can show only in
    /// part, or that is too narrow to draw, is repaired. Returns `None` if a scale cannot show any part of its window.
    pub fn from_parts(x: [f64; 2], y: [f64; 2], x_scale: AxisScale, y_scale: AxisScale) -> Option<Self> {
        Some(Self { x: drawable(x, x_scale)?, y: drawable(y, y_scale)? })
    }
}

/// The window between these ends, in either order, wide enough for its scale. Returns `None` if an end is not finite or
/// the window is beyond the scale.
fn drawable([one, other]: [f64; 2], scale: AxisScale) -> Option<Window> {
    if !(one.is_finite() && other.is_finite()) {
        return None;
    }
    let window = Window { low: one.min(other), high: one.max(other) };
    let high = scale.position(window.high)?;
    let low = scale.position(window.low);
    // The tolerance keeps a repaired window stable when it returns from a link.
    let is_wide = |span: Span| span.length() >= 0.99 * scale.min_length(span);
    let is_drawable =
        low.map(|low| Span { low, high }).is_some_and(|span| is_wide(span) && span.max_abs() <= scale.max_position());
    if is_drawable {
        return Some(window);
    }
    let span = scale.span(window);
    let repaired = span.at_least(scale.min_length(span));
    (repaired.max_abs() <= scale.max_position()).then(|| scale.window(repaired))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn repairs_or_rejects_windows_from_outside() {
        let linear = |low, high| drawable([low, high], AxisScale::Linear).map(|window| (window.low, window.high));
        let log = |low, high| drawable([low, high], AxisScale::Log).map(|window| (window.low, window.high));
        assert_eq!(linear(-3.0, 8.0), Some((-3.0, 8.0)));
        assert_eq!(linear(8.0, -3.0), Some((-3.0, 8.0)), "reversed");
        assert_eq!(linear(100.0, 100.0), Some((50.0, 150.0)), "without a width");
        assert_eq!(linear(100.0, 100.000_01).map(|(low, high)| high - low > 0.09), Some(true), "too narrow");
        assert_eq!(linear(-1e300, 1e300), Some((-1e15, 1e15)), "too wide");
        assert_eq!(log(1e3, 1e5), Some((1e3, 1e5)));
        assert_eq!(log(-5.0, 1e4), Some((10.0, 1e4)), "to 0 and below");
        assert_eq!([log(-5.0, 0.0), log(f64::NAN, 1.0), linear(0.0, f64::INFINITY)], [None; 3]);
    }

    proptest! {
        #[test]
        fn accepted_views_are_drawable_and_stable(
            x in [proptest::num::f64::ANY, proptest::num::f64::ANY], y in [-1e3..1e6, -1e3..1e6], log: bool,
        ) {
            let scale = if log { AxisScale::Log } else { AxisScale::Linear };
            if let Some(view) = View::from_parts(x, y, scale, scale) {
                for window in [view.x, view.y] {
                    prop_assert!(window.low < window.high && window.low.is_finite() && window.high.is_finite());
                    prop_assert!(scale.position(window.low).is_some());
                }
                let again = View::from_parts([view.x.low, view.x.high], [view.y.low, view.y.high], scale, scale);
                let near = |a: Window, b: Window| (a.low - b.low).abs() <= 1e-9 * a.low.abs() && (a.high - b.high).abs() <= 1e-9 * a.high.abs();
                prop_assert!(again.is_some_and(|again| near(again.x, view.x) && near(again.y, view.y)), "{:?} {:?}", view, again);
            }
        }
    }
}
