//! Keys that work everywhere on the page.

use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::focus;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// To find a function.
    Find,
    /// To show or hide the help.
    Help,
    /// To measure.
    Measure,
    /// To stop.
    Stop,
    /// To fold the card of the machine.
    Fold,
}

/// The keys and what they do, for the help.
pub(super) const KEYS: [(&str, &str); 9] = [
    ("/", "find a function"),
    ("Ctrl Enter", "measure"),
    ("Esc", "stop measuring; in the plot: show all of it"),
    ("?", "this help"),
    ("+ −", "in the plot: zoom in and out"),
    ("← → ↑ ↓", "in the plot: move"),
    ("0", "in the plot: show all of it"),
    (", .", "in the plot: read the point before, the next point"),
    ("← →", "on a handle: one step; Page up and Page down: ten"),
];

/// Calls `on_asked` for each of the page's keys; what stops a measurement only while there is one.
#[hook]
pub(super) fn use_keys(is_measuring: bool, on_asked: Callback<Asked>) {
    use_effect_with((is_measuring, on_asked), move |(is_measuring, on_asked)| {
        let (is_measuring, on_asked) = (*is_measuring, on_asked.clone());
        let listener = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let event = event.dyn_ref::<KeyboardEvent>();
                let Some(event) = event.filter(|event| !event.default_prevented() && !event.is_composing()) else {
                    return;
                };
                if let Some(asked) = asked(event, is_measuring) {
                    event.prevent_default();
                    on_asked.emit(asked);
                }
            })
        });
        move || drop(listener)
    });
}

fn asked(event: &KeyboardEvent, is_measuring: bool) -> Option<Asked> {
    let command = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        // A dialog has its own keys, but for the one that closes it again.
        key if focus::is_there("dialog[open]") => (key == "?").then_some(Asked::Help),
        "Enter" if command => Some(Asked::Measure),
        // First whatever else it ends: a card that is open, a text that is searched for.
        "Escape" if focus::is_there("details.chip[open]") => Some(Asked::Fold),
        "Escape" if is_measuring && !holds_search(event) => Some(Asked::Stop),
        _ if command || event.alt_key() || is_typing(event) => None,
        "/" => Some(Asked::Find),
        "?" => Some(Asked::Help),
        _ => None,
    }
}

/// Whether the key goes into a search that holds a text.
fn holds_search(event: &KeyboardEvent) -> bool {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.is_some_and(|input| input.type_() == "search" && !input.value().is_empty())
}

/// Whether the key goes into a text.
fn is_typing(event: &KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else { return false };
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => matches!(element.get_attribute("type").as_deref(), None | Some("text" | "search")),
        _ => false,
    }
}
