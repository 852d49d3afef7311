//! Passes the browser's events to the gestures of an interactive chart, and its requests to the page.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_chart::View;
use web_sys::{HtmlCanvasElement, KeyboardEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

use super::gestures::{ChartInput, ChartRequest, Gesture, NOTCH, SeenChart};

/// The pixels per unit of a wheel event, by its mode: pixels, lines or pages.
fn wheel_unit(mode: u32) -> f64 {
    match mode {
        WheelEvent::DOM_DELTA_LINE => NOTCH / 3.0,
        WheelEvent::DOM_DELTA_PAGE => 4.0 * NOTCH,
        _ => 1.0,
    }
}

/// The state and callbacks that pointer and key input act on.
#[derive(Clone)]
pub(super) struct Interaction {
    pub(super) canvas: NodeRef,
    pub(super) chart: SeenChart,
    /// Requests another view; `None` requests the full view.
    pub(super) on_zoom: Callback<Option<View>>,
    /// Pointer events are more frequent than rendering: this one is always current.
    pub(super) gesture: Rc<RefCell<Gesture>>,
    /// The gesture as of the last rendering.
    pub(super) visible: UseStateHandle<Gesture>,
}

impl Interaction {
    pub(super) fn pointer_down(&self, event: &PointerEvent) {
        let (button, is_primary, shift) = (event.button(), event.is_primary(), event.shift_key());
        self.handle(ChartInput::Down { at: position(event), button, is_primary, shift });
        let is_dragging = self.gesture.borrow().drag.is_some();
        if let Some(canvas) = self.canvas.cast::<HtmlCanvasElement>().filter(|_| is_dragging) {
            // With capture, a drag continues outside the canvas. If the browser rejects it, the drag ends at the edge.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
    }

    pub(super) fn pointer_move(&self, event: &PointerEvent) {
        self.handle(ChartInput::Move(position(event)));
    }

    pub(super) fn pointer_up(&self, event: &PointerEvent) {
        self.handle(ChartInput::Up(position(event)));
    }

    /// The browser scrolls, for example: what the finger has read on its way is of no interest.
    pub(super) fn pointer_cancel(&self, _event: &PointerEvent) {
        self.handle(ChartInput::Cancel);
        self.handle(ChartInput::Leave);
    }

    pub(super) fn cancel_drag(&self, _event: &PointerEvent) {
        self.handle(ChartInput::Cancel);
    }

    /// A finger leaves when it is lifted: then the readout stays.
    pub(super) fn pointer_leave(&self, event: &PointerEvent) {
        if event.pointer_type() != "touch" {
            self.handle(ChartInput::Leave);
        }
    }

    pub(super) fn blur(&self, _event: &FocusEvent) {
        self.handle(ChartInput::Leave);
    }

    pub(super) fn double_click(&self, _event: &MouseEvent) {
        self.handle(ChartInput::DoubleClick);
    }

    pub(super) fn wheel(&self, event: &WheelEvent) {
        let pixels = event.delta_y() * wheel_unit(event.delta_mode());
        if self.handle(ChartInput::Wheel { at: position(event), pixels }) {
            event.prevent_default();
        }
    }

    pub(super) fn key_down(&self, event: &KeyboardEvent) {
        let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        if !has_modifier && self.handle(ChartInput::Key(&event.key())) {
            event.prevent_default();
        }
    }

    /// Returns whether the input has an effect besides a drag or hovering.
    fn handle(&self, input: ChartInput<'_>) -> bool {
        let request = self.gesture.borrow_mut().handle(&self.chart, input);
        self.visible.set(*self.gesture.borrow());
        match (request, &self.chart.limit) {
            (Some(ChartRequest::Show(view)), _) => self.on_zoom.emit(view),
            (Some(ChartRequest::MoveLimit(value)), Some(limit)) => limit.on_move.emit(value),
            (Some(ChartRequest::MoveLimit(_) | ChartRequest::Read) | None, _) => {}
        }
        request.is_some()
    }
}

fn position(event: &MouseEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

/// The style of a box between two corners.
pub(super) fn rectangle(from: (f64, f64), to: (f64, f64)) -> String {
    let (left, top) = (from.0.min(to.0), from.1.min(to.1));
    format!("left:{left}px;top:{top}px;width:{}px;height:{}px", (from.0 - to.0).abs(), (from.1 - to.1).abs())
}
