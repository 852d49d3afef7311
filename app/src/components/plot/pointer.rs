//! What acts on the pointer: drags zoom or pan, the wheel zooms, hovering reads.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{HtmlCanvasElement, PointerEvent, WheelEvent};
use yew::prelude::*;

use super::surface::Size;
use crate::chart::{Chart, Frame, Layout, View};

/// How much one notch of the wheel zooms.
const WHEEL_STEP: f64 = 1.25;

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
    pub(super) size: Size,
    pub(super) chart: Rc<Chart>,
    pub(super) zoom: UseStateHandle<Option<View>>,
    pub(super) dragging: Rc<RefCell<Option<Drag>>>,
    pub(super) drag: UseStateHandle<Option<Drag>>,
    /// The pointer's x in page pixels.
    pub(super) hover: UseStateHandle<Option<f64>>,
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
        self.hover.set(Some(to.0));
        let Some(drag) = *self.dragging.borrow() else { return };
        if drag.pans {
            let (right, down) = (to.0 - drag.to.0, to.1 - drag.to.1);
            let density = self.chart.density;
            self.zoom.set(Some(self.frame().pan(right * density, down * density)));
        }
        self.set_drag(Some(Drag { to, ..drag }));
    }

    pub(super) fn up(&self, event: &PointerEvent) {
        let Some(drag) = self.dragging.take() else { return };
        self.drag.set(None);
        if drag.pans {
            return;
        }
        let scaled = |(x, y): (f64, f64)| (x * self.chart.density, y * self.chart.density);
        if let Some(view) = self.frame().zoom_to(scaled(drag.from), scaled(place(event))) {
            self.zoom.set(Some(view));
        }
    }

    /// The browser took the pointer away: for a scroll, a dialog, another window. After an ordinary drag there is none
    /// left to end.
    pub(super) fn lost(&self, _event: &PointerEvent) {
        self.set_drag(None);
    }

    pub(super) fn left(&self, _event: &PointerEvent) {
        self.hover.set(None);
    }

    /// Zooms about the pointer; without Ctrl or a zoomed view the wheel scrolls the page, as everywhere else.
    pub(super) fn wheel(&self, event: &WheelEvent) {
        if !event.ctrl_key() && self.zoom.is_none() {
            return;
        }
        event.prevent_default();
        let density = self.chart.density;
        let at = (f64::from(event.offset_x()) * density, f64::from(event.offset_y()) * density);
        let factor = if event.delta_y() < 0.0 { WHEEL_STEP } else { 1.0 / WHEEL_STEP };
        self.zoom.set(Some(self.frame().zoom_about(at, factor)));
    }

    fn set_drag(&self, drag: Option<Drag>) {
        *self.dragging.borrow_mut() = drag;
        self.drag.set(drag);
    }

    /// The geometry of what is drawn.
    pub(super) fn frame(&self) -> Frame {
        self.chart.frame(&self.layout())
    }

    /// Where it lies on the canvas.
    pub(super) fn layout(&self) -> Layout {
        let sharp = |length: u32| (f64::from(length) * self.chart.density).round() as u32;
        Layout::of(sharp(self.size.0), sharp(self.size.1), self.chart.density)
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
