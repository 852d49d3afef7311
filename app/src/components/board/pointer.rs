//! What acts on the pointer: drags zoom or pan, the wheel zooms, hovering reads.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{HtmlCanvasElement, PointerEvent, WheelEvent};
use yew::prelude::*;

use super::stops::Stops;
use benchbook_chart::{Frame, View, Window};

/// How much one notch of the wheel zooms.
const WHEEL_STEP: f64 = 1.25;

/// What browsers report for a notch, in pixels; touchpads report many small parts of one.
const NOTCH: f64 = 100.0;

/// Pixels to what a wheel reports: pixels, lines or pages, by the mode of its event.
fn pixels_of(mode: u32) -> f64 {
    match mode {
        WheelEvent::DOM_DELTA_LINE => NOTCH / 3.0,
        WheelEvent::DOM_DELTA_PAGE => 4.0 * NOTCH,
        _ => 1.0,
    }
}

/// The button that a drag is made with: the left one, for most people, or a finger.
const PRIMARY: i16 = 0;

/// A drag in page pixels, relative to the canvas: where it began and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drag {
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    pub(super) pans: bool,
}

#[derive(Clone)]
pub(super) struct Pointer {
    pub(super) canvas: NodeRef,
    /// The geometry of what is drawn.
    pub(super) frame: Frame,
    /// Asks for another part of the plane; absent: all of it.
    pub(super) on_zoom: Callback<Option<View>>,
    pub(super) is_zoomed: bool,
    /// All of the plane.
    pub(super) whole: View,
    pub(super) dragging: Rc<RefCell<Option<Drag>>>,
    pub(super) drag: UseStateHandle<Option<Drag>>,
    pub(super) stops: Stops,
    /// The stop that is read.
    pub(super) reading: UseStateHandle<Option<f64>>,
}

impl Pointer {
    pub(super) fn down(&self, event: &PointerEvent) {
        if event.button() != PRIMARY || !event.is_primary() {
            return;
        }
        let at = place(event);
        self.set_drag(Some(Drag { from: at, to: at, pans: event.shift_key() }));
        if let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>() {
            // A drag that leaves the canvas goes on; where the browser refuses, it ends at the edge.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
    }

    pub(super) fn moved(&self, event: &PointerEvent) {
        let to = place(event);
        self.reading.set(self.stops.nearest(&self.frame, to.0 * self.frame.density()));
        let Some(drag) = *self.dragging.borrow() else { return };
        if drag.pans {
            let (right, down) = (to.0 - drag.to.0, to.1 - drag.to.1);
            let density = self.frame.density();
            self.on_zoom.emit(Some(self.frame.pan(right * density, down * density)));
        }
        self.set_drag(Some(Drag { to, ..drag }));
    }

    pub(super) fn up(&self, event: &PointerEvent) {
        let Some(drag) = self.dragging.take() else { return };
        self.drag.set(None);
        if drag.pans {
            return;
        }
        let scaled = |(x, y): (f64, f64)| (x * self.frame.density(), y * self.frame.density());
        if let Some(view) = self.frame.zoom_to(scaled(drag.from), scaled(place(event))) {
            self.on_zoom.emit(Some(view));
        }
    }

    /// The browser took the pointer away: for a scroll, a dialog, another window. After an ordinary drag there is none
    /// left to end.
    pub(super) fn lost(&self, _event: &PointerEvent) {
        self.set_drag(None);
    }

    pub(super) fn left(&self, _event: &PointerEvent) {
        self.reading.set(None);
    }

    /// Zooms about the pointer. Where all of the plane is to be seen already, a turn that would show more scrolls the page.
    pub(super) fn wheel(&self, event: &WheelEvent) {
        let pixels = event.delta_y() * pixels_of(event.delta_mode());
        if pixels == 0.0 || (pixels > 0.0 && !self.is_zoomed) {
            return;
        }
        event.prevent_default();
        let density = self.frame.density();
        let at = (f64::from(event.offset_x()) * density, f64::from(event.offset_y()) * density);
        self.ask(self.frame.zoom_about(at, WHEEL_STEP.powf(-pixels / NOTCH)));
    }

    /// Asks for a part of the plane; for all of it where that is what it comes to.
    pub(super) fn ask(&self, view: View) {
        let holds = |outer: Window, inner: Window| outer.low <= inner.low && outer.high >= inner.high;
        let is_whole = holds(view.x, self.whole.x) && holds(view.y, self.whole.y);
        self.on_zoom.emit((!is_whole).then_some(view));
    }

    fn set_drag(&self, drag: Option<Drag>) {
        *self.dragging.borrow_mut() = drag;
        self.drag.set(drag);
    }
}

fn place(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

/// The style of a box between two corners.
pub(super) fn rectangle(from: (f64, f64), to: (f64, f64)) -> String {
    let (left, top) = (from.0.min(to.0), from.1.min(to.1));
    format!("left:{left}px;top:{top}px;width:{}px;height:{}px", (from.0 - to.0).abs(), (from.1 - to.1).abs())
}
