//! The gestures on an interactive chart, without a browser: drags zoom, pan or move the limit, the wheel and keys zoom, and hovering moves the
//! readout. Keys cover everything that the pointer can do.

use benchbook_chart::{Frame, View, Window};

use super::limit_line::LimitLine;
use super::snap_points::SnapPoints;

/// The zoom factor of one notch of the wheel, or of one key press.
const ZOOM: f64 = 1.25;

/// The pixels that browsers report for one notch. Touchpads report many small parts of one.
pub(super) const NOTCH: f64 = 100.0;

/// The distance of one key press, as a fraction of the plot.
const STEP: f64 = 0.1;

/// The button for drags: usually the left one, or a finger.
const PRIMARY: i16 = 0;

/// The chart that the user sees.
#[derive(Clone)]
pub(super) struct SeenChart {
    /// The geometry of the drawn chart.
    pub(super) frame: Frame,
    /// The view that shows everything.
    pub(super) full_view: View,
    /// Whether the view shows only a part.
    pub(super) is_zoomed: bool,
    pub(super) snap_points: SnapPoints,
    /// The horizontal line that the user can drag.
    pub(super) limit: Option<LimitLine>,
}

/// An input of the user. Positions are in page pixels relative to the canvas.
pub(super) enum ChartInput<'a> {
    /// A button of the mouse, a finger or a pen goes down. Of several fingers, the first one is the primary pointer.
    Down {
        at: (f64, f64),
        button: i16,
        is_primary: bool,
        shift: bool,
    },
    Move((f64, f64)),
    Up((f64, f64)),
    /// The browser takes the pointer: for a scroll, a dialog or another window. After an ordinary drag this has no effect.
    Cancel,
    Leave,
    /// The wheel turns by this many pixels, downwards if they are positive.
    Wheel {
        at: (f64, f64),
        pixels: f64,
    },
    DoubleClick,
    Key(&'a str),
}

/// What an input requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ChartRequest {
    /// Another view; `None` is the full view.
    Show(Option<View>),
    /// Another value of the limit.
    MoveLimit(f64),
    /// Nothing but the readout has changed.
    Read,
}

/// A drag from its start to its current position, in page pixels relative to the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drag {
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    pub(super) kind: DragKind,
}

/// The effect of a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DragKind {
    /// At its end, the view becomes the rectangle.
    Zoom,
    /// The view moves.
    Pan,
    /// The limit moves.
    Limit,
}

/// The gesture in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Gesture {
    pub(super) drag: Option<Drag>,
    /// The snap point of the readout.
    pub(super) selected: Option<f64>,
    /// Whether the pointer is near the limit, or drags it.
    pub(super) is_over_limit: bool,
}

impl Gesture {
    /// Handles an input. Returns what it requests; `None` leaves it to the page.
    pub(super) fn handle(&mut self, chart: &SeenChart, input: ChartInput<'_>) -> Option<ChartRequest> {
        match input {
            ChartInput::Down { at, button, is_primary, shift } => {
                let kind = match shift {
                    true => DragKind::Pan,
                    false if chart.is_near_limit(at.1) => DragKind::Limit,
                    false => DragKind::Zoom,
                };
                if button == PRIMARY && is_primary {
                    self.drag = Some(Drag { from: at, to: at, kind });
                }
                None
            }
            ChartInput::Move(to) => self.move_to(chart, to),
            ChartInput::Up(at) => {
                let drag = self.drag.take().filter(|drag| drag.kind == DragKind::Zoom)?;
                let view = chart.frame.zoom_to(chart.pixel(drag.from), chart.pixel(at));
                if view.is_none() {
                    // A finger that taps does not move.
                    self.selected = chart.snap_points.nearest(&chart.frame, chart.pixel(at).0);
                }
                view.map(|view| ChartRequest::Show(Some(view)))
            }
            ChartInput::Cancel => {
                self.drag = None;
                None
            }
            ChartInput::Leave => {
                (self.selected, self.is_over_limit) = (None, false);
                None
            }
            // In the full view, a turn that would zoom out scrolls the page instead.
            ChartInput::Wheel { pixels, .. } if pixels == 0.0 || (pixels > 0.0 && !chart.is_zoomed) => None,
            ChartInput::Wheel { at, pixels } => {
                Some(chart.show(chart.frame.zoom_about(chart.pixel(at), ZOOM.powf(-pixels / NOTCH))))
            }
            ChartInput::DoubleClick => Some(ChartRequest::Show(None)),
            ChartInput::Key(key) => self.press(chart, key),
        }
    }

    fn move_to(&mut self, chart: &SeenChart, to: (f64, f64)) -> Option<ChartRequest> {
        self.selected = chart.snap_points.nearest(&chart.frame, chart.pixel(to).0);
        let Some(drag) = self.drag else {
            self.is_over_limit = chart.is_near_limit(to.1);
            return None;
        };
        self.drag = Some(Drag { to, ..drag });
        match drag.kind {
            DragKind::Pan => {
                let (right, down) = chart.pixel((to.0 - drag.to.0, to.1 - drag.to.1));
                Some(ChartRequest::Show(Some(chart.frame.pan(right, down))))
            }
            DragKind::Limit => LimitLine::value_at(&chart.frame, to.1).map(ChartRequest::MoveLimit),
            DragKind::Zoom => None,
        }
    }

    fn press(&mut self, chart: &SeenChart, key: &str) -> Option<ChartRequest> {
        let frame = &chart.frame;
        let view = match key {
            "+" | "=" => frame.zoom_centre(ZOOM),
            "-" | "\u{2212}" => frame.zoom_centre(1.0 / ZOOM),
            "ArrowLeft" => frame.shift(-STEP, 0.0),
            "ArrowRight" => frame.shift(STEP, 0.0),
            "ArrowUp" => frame.shift(0.0, STEP),
            "ArrowDown" => frame.shift(0.0, -STEP),
            "Escape" if self.drag.take().is_some() => return Some(ChartRequest::Read),
            // If there is nothing to cancel or to reset, the page handles the key.
            "Escape" if !chart.is_zoomed => return None,
            "0" | "Escape" => return Some(ChartRequest::Show(None)),
            "," | "." => {
                self.selected = chart.snap_points.next(frame, self.selected, key == ".");
                return Some(ChartRequest::Read);
            }
            _ => return None,
        };
        Some(chart.show(view))
    }
}

impl SeenChart {
    /// Requests a view, or the full view if this one contains it.
    fn show(&self, view: View) -> ChartRequest {
        let contains = |outer: Window, inner: Window| outer.low <= inner.low && outer.high >= inner.high;
        let is_full = contains(view.x, self.full_view.x) && contains(view.y, self.full_view.y);
        ChartRequest::Show((!is_full).then_some(view))
    }

    fn is_near_limit(&self, row: f64) -> bool {
        self.limit.as_ref().is_some_and(|limit| limit.is_near(&self.frame, row))
    }

    /// A position in canvas pixels.
    fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x * self.frame.density(), y * self.frame.density())
    }
}

#[cfg(test)]
mod tests {
    use benchbook_chart::{AxisScale, Layout};
    use yew::Callback;

    use super::*;

    const FULL: View = View { x: Window { low: 100.0, high: 10_000.0 }, y: Window { low: 10.0, high: 1_000.0 } };

    /// A chart on logarithmic axes that shows this view, on a canvas with two pixels per page pixel.
    fn chart(view: View) -> SeenChart {
        SeenChart {
            frame: Frame::new(&Layout::of(1_400, 600, 2.0), view, AxisScale::Log, AxisScale::Log),
            full_view: FULL,
            is_zoomed: view != FULL,
            snap_points: [100.0, 1_000.0, 10_000.0].into_iter().collect(),
            limit: None,
        }
    }

    /// A position as fractions of the plot's width and height, in page pixels.
    fn at(chart: &SeenChart, right: f64, down: f64) -> (f64, f64) {
        let (inner, density) = (chart.frame.inner(), chart.frame.density());
        ((inner.left + right * inner.width()) / density, (inner.top + down * inner.height()) / density)
    }

    fn down(at: (f64, f64)) -> ChartInput<'static> {
        ChartInput::Down { at, button: PRIMARY, is_primary: true, shift: false }
    }

    /// The view that an input requests from a new gesture.
    fn shown(chart: &SeenChart, input: ChartInput<'_>) -> Option<View> {
        match Gesture::default().handle(chart, input) {
            Some(ChartRequest::Show(view)) => view,
            other => panic!("no view: {other:?}"),
        }
    }

    fn assert_near(actual: Window, low: f64, high: f64) {
        assert!((actual.low / low - 1.0).abs() < 1e-6 && (actual.high / high - 1.0).abs() < 1e-6, "{actual:?}");
    }

    /// Whether `inner` is a proper part of `outer`.
    fn contains(outer: View, inner: View) -> bool {
        let is_part = |outer: Window, inner: Window| outer.low < inner.low && inner.high < outer.high;
        is_part(outer.x, inner.x) && is_part(outer.y, inner.y)
    }

    #[test]
    fn a_drag_zooms_to_its_rectangle_at_its_end() {
        let chart = chart(FULL);
        let mut gesture = Gesture::default();
        assert_eq!(gesture.handle(&chart, down(at(&chart, 0.25, 0.25))), None);
        assert_eq!(gesture.handle(&chart, ChartInput::Move(at(&chart, 0.5, 0.5))), None);
        assert_eq!(gesture.drag.map(|drag| (drag.to, drag.kind)), Some((at(&chart, 0.5, 0.5), DragKind::Zoom)));
        let end = gesture.handle(&chart, ChartInput::Up(at(&chart, 0.75, 0.75)));
        let Some(ChartRequest::Show(Some(view))) = end else { panic!("{end:?}") };
        assert_near(view.x, 10_f64.powf(2.5), 10_f64.powf(3.5));
        assert_near(view.y, 10_f64.powf(1.5), 10_f64.powf(2.5));
        assert_eq!(gesture.drag, None);
        // A click is too short for a drag.
        gesture.handle(&chart, down(at(&chart, 0.5, 0.5)));
        assert_eq!(gesture.handle(&chart, ChartInput::Up(at(&chart, 0.5, 0.5))), None);
    }

    #[test]
    fn another_button_a_second_finger_and_a_cancelled_drag_do_not_zoom() {
        let chart = chart(FULL);
        let rows = [
            (1, true, None),
            (PRIMARY, false, None),
            (PRIMARY, true, Some(ChartInput::Cancel)),
            (PRIMARY, true, Some(ChartInput::Key("Escape"))),
        ];
        for (button, is_primary, cancel) in rows {
            let mut gesture = Gesture::default();
            let from = at(&chart, 0.25, 0.25);
            gesture.handle(&chart, ChartInput::Down { at: from, button, is_primary, shift: false });
            if let Some(input) = cancel {
                gesture.handle(&chart, input);
            }
            assert_eq!(gesture.handle(&chart, ChartInput::Up(at(&chart, 0.75, 0.75))), None, "{button} {is_primary}");
        }
    }

    #[test]
    fn a_drag_with_shift_moves_the_range_at_the_same_scale() {
        let chart = chart(FULL);
        let mut gesture = Gesture::default();
        let from = at(&chart, 0.5, 0.5);
        gesture.handle(&chart, ChartInput::Down { at: from, button: PRIMARY, is_primary: true, shift: true });
        let moved = gesture.handle(&chart, ChartInput::Move(at(&chart, 0.25, 0.5)));
        let Some(ChartRequest::Show(Some(view))) = moved else { panic!("{moved:?}") };
        assert_near(view.x, 10_f64.powf(2.5), 10_f64.powf(4.5));
        assert_near(view.y, FULL.y.low, FULL.y.high);
        // The next one starts where the last one ended.
        assert_eq!(gesture.drag.map(|drag| drag.to), Some(at(&chart, 0.25, 0.5)));
        assert_eq!(gesture.handle(&chart, ChartInput::Up(at(&chart, 0.25, 0.5))), None);
    }

    #[test]
    fn a_drag_of_the_limit_moves_it() {
        let limit = LimitLine { value: 100.0, on_move: Callback::noop() };
        let chart = SeenChart { limit: Some(limit), ..chart(FULL) };
        let mut gesture = Gesture::default();
        for (down, expected) in [(0.5, true), (0.3, false)] {
            gesture.handle(&chart, ChartInput::Move(at(&chart, 0.5, down)));
            assert_eq!(gesture.is_over_limit, expected, "{down}");
        }
        gesture.handle(&chart, down(at(&chart, 0.5, 0.5)));
        let moved = gesture.handle(&chart, ChartInput::Move(at(&chart, 0.5, 0.25)));
        assert_eq!(moved, Some(ChartRequest::MoveLimit(316.0)), "three digits");
        assert_eq!(gesture.handle(&chart, ChartInput::Up(at(&chart, 0.5, 0.25))), None, "it does not zoom");
    }

    #[test]
    fn the_wheel_zooms_by_its_delta_around_the_pointer_up_to_the_full_range() {
        let whole = chart(FULL);
        let wheel = |chart: &SeenChart, pixels: f64| ChartInput::Wheel { at: at(chart, 0.5, 0.5), pixels };
        let notch = shown(&whole, wheel(&whole, -NOTCH)).expect("a part");
        let touchpad = shown(&whole, wheel(&whole, -5.0)).expect("a part");
        assert!(contains(FULL, touchpad) && contains(touchpad, notch), "{touchpad:?} {notch:?}");
        let log = |window: Window| (window.high / window.low).log10();
        assert!((log(FULL.x) / log(notch.x) - ZOOM).abs() < 1e-6, "{notch:?}");
        for pixels in [NOTCH, 0.0] {
            assert_eq!(Gesture::default().handle(&whole, wheel(&whole, pixels)), None, "the page scrolls");
        }
        let part = chart(notch);
        assert!(shown(&part, wheel(&part, 50.0)).is_some_and(|view| contains(view, notch)));
        assert_eq!(shown(&part, wheel(&part, 2.0 * NOTCH)), None, "the full range is the limit");
        assert_eq!(shown(&part, ChartInput::DoubleClick), None);
    }

    #[test]
    fn keys_zoom_move_and_reset() {
        let whole = chart(FULL);
        let zoomed = shown(&whole, ChartInput::Key("+")).expect("a part");
        assert!(contains(FULL, zoomed), "{zoomed:?}");
        let part = chart(zoomed);
        for (key, right, up) in
            [("ArrowRight", 1.0, 0.0), ("ArrowLeft", -1.0, 0.0), ("ArrowUp", 0.0, 1.0), ("ArrowDown", 0.0, -1.0)]
        {
            let moved = shown(&part, ChartInput::Key(key)).expect("a part");
            let way = |before: Window, after: Window, direction: f64| {
                let step = (before.high / before.low).powf(direction * STEP);
                assert_near(after, before.low * step, before.high * step);
            };
            way(zoomed.x, moved.x, right);
            way(zoomed.y, moved.y, up);
        }
        for key in ["-", "0", "Escape"] {
            assert_eq!(shown(&part, ChartInput::Key(key)), None, "{key}");
        }
        for key in ["Escape", "a", "Tab"] {
            assert_eq!(Gesture::default().handle(&whole, ChartInput::Key(key)), None, "{key} is the page's");
        }
        // Cancelling a drag does not also stop the measurement.
        let mut gesture = Gesture::default();
        gesture.handle(&whole, down(at(&whole, 0.5, 0.5)));
        assert_eq!(gesture.handle(&whole, ChartInput::Key("Escape")), Some(ChartRequest::Read));
    }

    #[test]
    fn hovering_and_keys_move_the_readout() {
        let chart = chart(FULL);
        let mut gesture = Gesture::default();
        gesture.handle(&chart, ChartInput::Move(at(&chart, 0.45, 0.5)));
        assert_eq!(gesture.selected, Some(1_000.0));
        for (key, expected) in [(".", 10_000.0), (",", 1_000.0), (",", 100.0)] {
            assert_eq!(gesture.handle(&chart, ChartInput::Key(key)), Some(ChartRequest::Read));
            assert_eq!(gesture.selected, Some(expected), "{key}");
        }
        gesture.handle(&chart, ChartInput::Leave);
        assert_eq!(gesture, Gesture::default());
        gesture.handle(&chart, down(at(&chart, 0.45, 0.5)));
        assert_eq!(gesture.selected, None, "it may be the beginning of a scroll");
        gesture.handle(&chart, ChartInput::Up(at(&chart, 0.45, 0.5)));
        assert_eq!(gesture.selected, Some(1_000.0));
    }
}
