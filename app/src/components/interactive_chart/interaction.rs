//! Pointer input of an interactive chart: drags zoom, pan or move the limit, the wheel zooms, hovering moves the readout.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_chart::{Frame, View, Window};
use web_sys::{HtmlCanvasElement, PointerEvent, WheelEvent};
use yew::prelude::*;

use super::limit_line::LimitLine;
use super::snap_points::SnapPoints;

/// The zoom factor of one notch of the wheel.
const WHEEL_STEP: f64 = 1.25;

/// The pixels that browsers report for one notch. Touchpads report many small parts of one.
const NOTCH: f64 = 100.0;

/// The pixels per unit of a wheel event, by its mode: pixels, lines or pages.
fn wheel_unit(mode: u32) -> f64 {
    match mode {
        WheelEvent::DOM_DELTA_LINE => NOTCH / 3.0,
        WheelEvent::DOM_DELTA_PAGE => 4.0 * NOTCH,
        _ => 1.0,
    }
}

/// The button for drags: usually the left one, or a finger.
const PRIMARY: i16 = 0;

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

/// The state and callbacks that pointer and key input act on.
#[derive(Clone)]
pub(super) struct Interaction {
    pub(super) canvas: NodeRef,
    /// The geometry of the drawn chart.
    pub(super) frame: Frame,
    /// Requests another view; `None` requests the full view.
    pub(super) on_zoom: Callback<Option<View>>,
    pub(super) is_zoomed: bool,
    /// The view that shows everything.
    pub(super) full_view: View,
    pub(super) drag: Rc<RefCell<Option<Drag>>>,
    /// The drag as of the last rendering.
    pub(super) visible_drag: UseStateHandle<Option<Drag>>,
    pub(super) snap_points: SnapPoints,
    /// The snap point of the readout.
    pub(super) selected: UseStateHandle<Option<f64>>,
    /// The horizontal line that the user can drag.
    pub(super) limit: Option<LimitLine>,
    /// Whether the pointer is near that line, or drags it.
    pub(super) is_over_limit: UseStateHandle<bool>,
}

impl Interaction {
    pub(super) fn pointer_down(&self, event: &PointerEvent) {
        if event.button() != PRIMARY || !event.is_primary() {
            return;
        }
        let at = position(event);
        let kind = match event.shift_key() {
            true => DragKind::Pan,
            false if self.is_near_limit(at.1) => DragKind::Limit,
            false => DragKind::Zoom,
        };
        self.set_drag(Some(Drag { from: at, to: at, kind }));
        if let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() {
            // With capture, a drag continues outside the canvas. If the browser rejects it, the drag ends at the edge.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
    }

    pub(super) fn pointer_move(&self, event: &PointerEvent) {
        let to = position(event);
        self.selected.set(self.snap_points.nearest(&self.frame, to.0 * self.frame.density()));
        let drag = *self.drag.borrow();
        let Some(drag) = drag else { return self.is_over_limit.set(self.is_near_limit(to.1)) };
        match (drag.kind, &self.limit) {
            (DragKind::Pan, _) => {
                let (right, down) = (to.0 - drag.to.0, to.1 - drag.to.1);
                let density = self.frame.density();
                self.on_zoom.emit(Some(self.frame.pan(right * density, down * density)));
            }
            (DragKind::Limit, Some(limit)) => limit.move_to(&self.frame, to.1),
            (DragKind::Limit, None) | (DragKind::Zoom, _) => {}
        }
        self.set_drag(Some(Drag { to, ..drag }));
    }

    pub(super) fn pointer_up(&self, event: &PointerEvent) {
        let Some(drag) = self.drag.take() else { return };
        self.visible_drag.set(None);
        if drag.kind != DragKind::Zoom {
            return;
        }
        let scaled = |(x, y): (f64, f64)| (x * self.frame.density(), y * self.frame.density());
        if let Some(view) = self.frame.zoom_to(scaled(drag.from), scaled(position(event))) {
            self.on_zoom.emit(Some(view));
        }
    }

    /// Cancels the drag because the browser took the pointer: for a scroll, a dialog or another window. After an ordinary
    /// drag this has no effect.
    pub(super) fn cancel_drag(&self, _event: &PointerEvent) {
        self.set_drag(None);
    }

    pub(super) fn pointer_leave(&self, _event: &PointerEvent) {
        self.selected.set(None);
        self.is_over_limit.set(false);
    }

    fn is_near_limit(&self, row: f64) -> bool {
        self.limit.as_ref().is_some_and(|limit| limit.is_near(&self.frame, row))
    }

    /// Zooms around the pointer. In the full view, a turn that would zoom out scrolls the page instead.
    pub(super) fn wheel(&self, event: &WheelEvent) {
        let pixels = event.delta_y() * wheel_unit(event.delta_mode());
        if pixels == 0.0 || (pixels > 0.0 && !self.is_zoomed) {
            return;
        }
        event.prevent_default();
        let density = self.frame.density();
        let at = (f64::from(event.offset_x()) * density, f64::from(event.offset_y()) * density);
        self.zoom_to(self.frame.zoom_about(at, WHEEL_STEP.powf(-pixels / NOTCH)));
    }

    /// Requests a view, or the full view if this one contains it.
    pub(super) fn zoom_to(&self, view: View) {
        let contains = |outer: Window, inner: Window| outer.low <= inner.low && outer.high >= inner.high;
        let is_full = contains(view.x, self.full_view.x) && contains(view.y, self.full_view.y);
        self.on_zoom.emit((!is_full).then_some(view));
    }

    fn set_drag(&self, drag: Option<Drag>) {
        *self.drag.borrow_mut() = drag;
        self.visible_drag.set(drag);
    }
}

fn position(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

/// The style of a box between two corners.
pub(super) fn rectangle(from: (f64, f64), to: (f64, f64)) -> String {
    let (left, top) = (from.0.min(to.0), from.1.min(to.1));
    format!("left:{left}px;top:{top}px;width:{}px;height:{}px", (from.0 - to.0).abs(), (from.1 - to.1).abs())
}
