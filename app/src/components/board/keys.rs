//! What keys do to a board: all that the pointer does.

use web_sys::KeyboardEvent;

use super::pointer::Pointer;

/// How much one key zooms.
const ZOOM: f64 = 1.25;
/// How far one key moves, in parts of the plot.
const MOVE: f64 = 0.1;

/// Acts on a key.
pub(super) fn down(pointer: &Pointer, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let frame = &pointer.frame;
    let view = match event.key().as_str() {
        "+" | "=" => Some(frame.zoom_centre(ZOOM)),
        "-" | "\u{2212}" => Some(frame.zoom_centre(1.0 / ZOOM)),
        "ArrowLeft" => Some(frame.shift(-MOVE, 0.0)),
        "ArrowRight" => Some(frame.shift(MOVE, 0.0)),
        "ArrowUp" => Some(frame.shift(0.0, MOVE)),
        "ArrowDown" => Some(frame.shift(0.0, -MOVE)),
        // Where there is nothing to reset, the key is the page's.
        "Escape" if !pointer.is_zoomed => return,
        "0" | "Escape" => None,
        "," | "." => {
            event.prevent_default();
            let next = pointer.stops.next(frame, *pointer.reading, event.key() == ".");
            return pointer.reading.set(next);
        }
        _ => return,
    };
    event.prevent_default();
    match view {
        Some(view) => pointer.ask(view),
        None => pointer.on_zoom.emit(None),
    }
}
