//! The geometry of a drawn chart: conversions between pixels and data, and the views after pointer or key input.

use crate::layout::{Layout, Rect};
use crate::scale::{AxisScale, Span};
use crate::view::View;

/// The shortest drag that is not a click, in page pixels.
const MIN_DRAG: f64 = 5.0;

/// A view on a canvas. Pixels are canvas pixels, from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    inner: Rect,
    density: f64,
    view: View,
    x: FrameAxis,
    y: FrameAxis,
}

/// One axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FrameAxis {
    scale: AxisScale,
    span: Span,
}

impl Frame {
    /// The frame of a view on a canvas with this layout.
    pub fn new(layout: &Layout, view: View, x: AxisScale, y: AxisScale) -> Self {
        Self {
            inner: layout.inner,
            density: layout.density,
            view,
            x: FrameAxis { scale: x, span: x.span(view.x) },
            y: FrameAxis { scale: y, span: y.span(view.y) },
        }
    }

    /// The column of a value of the horizontal axis, or `None` if the axis cannot show it.
    pub fn x_to_pixel(&self, value: f64) -> Option<f64> {
        let fraction = self.x.span.fraction(self.x.scale.position(value)?);
        Some(self.inner.left + fraction * self.inner.width())
    }

    /// The row of a value of the vertical axis, or `None` if the axis cannot show it.
    pub fn y_to_pixel(&self, value: f64) -> Option<f64> {
        let fraction = self.y.span.fraction(self.y.scale.position(value)?);
        Some(self.inner.bottom - fraction * self.inner.height())
    }

    /// Whether a value of the horizontal axis is visible.
    pub fn shows_x(&self, value: f64) -> bool {
        self.x.scale.position(value).is_some_and(|position| self.x.span.contains(position))
    }

    /// The value of the horizontal axis at a column.
    pub fn x_from_pixel(&self, pixel: f64) -> f64 {
        self.x.scale.value(self.x.span.at(self.x_fraction(pixel)))
    }

    /// The value of the vertical axis at a row.
    pub fn y_from_pixel(&self, pixel: f64) -> f64 {
        self.y.scale.value(self.y.span.at(self.y_fraction(pixel)))
    }

    /// The view after a drag from one pixel to another. A flat drag zooms only x, a narrow one only y. Returns `None` if
    /// the drag is too short for either.
    pub fn zoom_to(&self, from: (f64, f64), to: (f64, f64)) -> Option<View> {
        let min = MIN_DRAG * self.density;
        let (wide, tall) = ((to.0 - from.0).abs() >= min, (to.1 - from.1).abs() >= min);
        let columns = [from.0, to.0].map(|pixel| self.x_fraction(pixel).clamp(0.0, 1.0));
        let rows = [from.1, to.1].map(|pixel| self.y_fraction(pixel).clamp(0.0, 1.0));
        let x = if wide { self.x.span.between(columns[0], columns[1]) } else { self.x.span };
        let y = if tall { self.y.span.between(rows[0], rows[1]) } else { self.y.span };
        (wide || tall).then(|| self.moved_to(x, y))
    }

    /// The view enlarged `factor` times around a pixel, whose data stay in place. A factor below 1 zooms out.
    pub fn zoom_about(&self, (x, y): (f64, f64), factor: f64) -> View {
        let around = |span: Span, fixed: f64| span.between(fixed - fixed / factor, fixed + (1.0 - fixed) / factor);
        self.moved_to(around(self.x.span, self.x_fraction(x)), around(self.y.span, self.y_fraction(y)))
    }

    /// The view after a drag of the plane by these numbers of pixels.
    pub fn pan(&self, right: f64, down: f64) -> View {
        let (dx, dy) = (right / self.inner.width().max(1.0), down / self.inner.height().max(1.0));
        self.moved_to(self.x.span.between(-dx, 1.0 - dx), self.y.span.between(dy, 1.0 + dy))
    }

    /// The view enlarged `factor` times around its centre.
    pub fn zoom_centre(&self, factor: f64) -> View {
        self.zoom_about(
            (self.inner.left.midpoint(self.inner.right), self.inner.top.midpoint(self.inner.bottom)),
            factor,
        )
    }

    /// The view moved by these fractions of its width and height.
    pub fn shift(&self, right: f64, up: f64) -> View {
        self.moved_to(self.x.span.between(right, 1.0 + right), self.y.span.between(up, 1.0 + up))
    }

    /// The rectangle between the axes.
    pub fn inner(&self) -> Rect {
        self.inner
    }

    /// Canvas pixels per page pixel.
    pub fn density(&self) -> f64 {
        self.density
    }

    pub(crate) fn x_span(&self) -> Span {
        self.x.span
    }

    pub(crate) fn y_span(&self) -> Span {
        self.y.span
    }

    fn x_fraction(&self, pixel: f64) -> f64 {
        (pixel - self.inner.left) / self.inner.width().max(1.0)
    }

    fn y_fraction(&self, pixel: f64) -> f64 {
        (self.inner.bottom - pixel) / self.inner.height().max(1.0)
    }

    /// The view of these spans. An axis is unchanged if its span cannot be drawn or labelled.
    fn moved_to(&self, x: Span, y: Span) -> View {
        let moved = |axis: FrameAxis, span: Span| axis.can_show(span).then(|| axis.scale.window(span));
        View { x: moved(self.x, x).unwrap_or(self.view.x), y: moved(self.y, y).unwrap_or(self.view.y) }
    }
}

impl FrameAxis {
    fn can_show(self, span: Span) -> bool {
        // A span that is already shorter than the limit may grow.
        span.length() >= self.scale.min_length(span).min(self.span.length())
            && span.max_abs() <= self.scale.max_position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::Window;
    use proptest::prelude::*;

    const LAYOUT: fn() -> Layout = || Layout::of(700, 300, 1.0);

    fn frame(view: View, scale: AxisScale) -> Frame {
        Frame::new(&LAYOUT(), view, scale, scale)
    }

    fn view(x: (f64, f64), y: (f64, f64)) -> View {
        View { x: Window { low: x.0, high: x.1 }, y: Window { low: y.0, high: y.1 } }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    #[test]
    fn view_fills_plot() {
        let frame = frame(view((1e3, 1e5), (100.0, 1e4)), AxisScale::Log);
        let inner = LAYOUT().inner;
        assert_eq!(frame.x_to_pixel(1e3), Some(inner.left));
        assert_eq!(frame.x_to_pixel(1e5), Some(inner.right));
        assert_eq!(frame.y_to_pixel(1e3), Some(inner.top.midpoint(inner.bottom)));
        assert_eq!(frame.y_to_pixel(0.0), None);
    }

    #[test]
    fn flat_drag_zooms_only_x_and_click_zooms_nothing() {
        let whole = view((0.0, 100.0), (0.0, 10.0));
        let frame = frame(whole, AxisScale::Linear);
        let flat = frame.zoom_to((100.0, 100.0), (300.0, 103.0)).expect("wide enough");
        assert!(flat.x.high < whole.x.high && near(flat.y.low, whole.y.low) && near(flat.y.high, whole.y.high));
        assert_eq!(frame.zoom_to((100.0, 100.0), (103.0, 97.0)), None);
    }

    #[test]
    fn zoom_stops_before_labels_grow_too_long() {
        let mut view = view((1e3, 1e5), (100.0, 1e4));
        for _ in 0..200 {
            view = frame(view, AxisScale::Linear).zoom_about((300.0, 100.0), 1.5);
        }
        assert!((view.x.high - view.x.low) / view.x.high >= 0.99e-3);
    }

    #[test]
    fn zooms_around_centre_and_shifts_by_fractions() {
        let frame = frame(view((0.0, 100.0), (0.0, 10.0)), AxisScale::Linear);
        let zoomed = frame.zoom_centre(2.0);
        assert!(near(zoomed.x.low, 25.0) && near(zoomed.x.high, 75.0) && near(zoomed.y.low, 2.5));
        let shifted = frame.shift(0.25, -0.5);
        assert_eq!(shifted, view((25.0, 125.0), (-5.0, 5.0)));
    }

    #[test]
    fn repairs_view_that_scale_cannot_show() {
        let frame = frame(view((0.0, 100.0), (-5.0, -1.0)), AxisScale::Log);
        assert!(frame.x_from_pixel(LAYOUT().inner.left) > 0.0);
        assert!(frame.y_from_pixel(LAYOUT().inner.top) > frame.y_from_pixel(LAYOUT().inner.bottom));
    }

    proptest! {
        #[test]
        fn pixels_convert_to_data_and_back(
            x in 60.0..680.0, y in 30.0..250.0, low in -3.0..6.0, decades in 0.1..9.0, log: bool,
        ) {
            let scale = if log { AxisScale::Log } else { AxisScale::Linear };
            let window = (10_f64.powf(low), 10_f64.powf(low + decades));
            let frame = frame(view(window, window), scale);
            prop_assert!(near(frame.x_to_pixel(frame.x_from_pixel(x)).expect("visible"), x));
            prop_assert!(near(frame.y_to_pixel(frame.y_from_pixel(y)).expect("visible"), y));
        }

        #[test]
        fn zoom_and_pan_are_reversible(
            x in 60.0..680.0, y in 30.0..250.0, factor in 1.01..4.0, right in -300.0..300.0, down in -100.0..100.0,
        ) {
            let whole = view((1e3, 1e5), (100.0, 1e4));
            let same = |other: View| {
                let pairs = [(whole.x.low, other.x.low), (whole.x.high, other.x.high), (whole.y.low, other.y.low)];
                pairs.iter().all(|&(a, b)| near(a, b))
            };
            let zoomed = frame(whole, AxisScale::Log).zoom_about((x, y), factor);
            prop_assert!(near(frame(zoomed, AxisScale::Log).x_from_pixel(x), frame(whole, AxisScale::Log).x_from_pixel(x)));
            prop_assert!(same(frame(zoomed, AxisScale::Log).zoom_about((x, y), 1.0 / factor)));
            let panned = frame(whole, AxisScale::Log).pan(right, down);
            prop_assert!(same(frame(panned, AxisScale::Log).pan(-right, -down)));
        }

        #[test]
        fn dragged_rectangle_fills_plot(
            left in 70.0..300.0, right in 320.0..670.0, top in 30.0..120.0, bottom in 140.0..250.0, log: bool,
        ) {
            let scale = if log { AxisScale::Log } else { AxisScale::Linear };
            let (inner, before) = (LAYOUT().inner, frame(view((1e3, 1e5), (100.0, 1e4)), scale));
            let after = frame(before.zoom_to((right, top), (left, bottom)).expect("long enough"), scale);
            prop_assert!(near(after.x_from_pixel(inner.left), before.x_from_pixel(left)));
            prop_assert!(near(after.x_from_pixel(inner.right), before.x_from_pixel(right)));
            prop_assert!(near(after.y_from_pixel(inner.top), before.y_from_pixel(top)));
            prop_assert!(near(after.y_from_pixel(inner.bottom), before.y_from_pixel(bottom)));
        }
    }
}
