//! Key input of an interactive chart; it covers everything that the pointer can do.

use web_sys::KeyboardEvent;

use super::interaction::Interaction;

/// The zoom factor of one key press.
const ZOOM: f64 = 1.25;
/// The distance of one key press, as a fraction of the plot.
const STEP: f64 = 0.1;

/// Handles a key press.
pub(super) fn key_down(interaction: &Interaction, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let frame = &interaction.frame;
    let view = match event.key().as_str() {
        "+" | "=" => Some(frame.zoom_centre(ZOOM)),
        "-" | "\u{2212}" => Some(frame.zoom_centre(1.0 / ZOOM)),
        "ArrowLeft" => Some(frame.shift(-STEP, 0.0)),
        "ArrowRight" => Some(frame.shift(STEP, 0.0)),
        "ArrowUp" => Some(frame.shift(0.0, STEP)),
        "ArrowDown" => Some(frame.shift(0.0, -STEP)),
        // If there is nothing to reset, the page handles the key.
        "Escape" if !interaction.is_zoomed => return,
        "0" | "Escape" => None,
        "," | "." => {
            event.prevent_default();
            let next = interaction.snap_points.next(frame, *interaction.selected, event.key() == ".");
            return interaction.selected.set(next);
        }
        _ => return,
    };
    event.prevent_default();
    match view {
        Some(view) => interaction.zoom_to(view),
        None => interaction.on_zoom.emit(None),
    }
}
