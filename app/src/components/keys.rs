//! Keys that work anywhere on the page.

use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::landmarks::Landmarks;
use super::share_menu::ShareAction;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyCommand {
    FindFunction,
    /// Opens or closes the help.
    ToggleHelp,
    Measure,
    /// Measures all cells in order.
    MeasureAll,
    Undo,
    Redo,
    Share(ShareAction),
    Stop,
    /// Closes the card of the clock or of the runner, or the sheet with the contents.
    CloseCard,
}

/// The keys and their effects, as the help lists them.
pub(super) const KEYS: [(&str, &str); 18] = [
    ("/", "find a function"),
    ("Ctrl Enter", "measure the current cell; in a text: finish editing"),
    ("Ctrl Shift Enter", "measure all cells in order"),
    ("Ctrl S", "download the notebook as a file"),
    ("Ctrl Shift P", "download the notebook as a page that needs no server"),
    ("Ctrl Shift S", "copy the file as text"),
    ("Ctrl Shift L", "copy a link to the notebook"),
    ("Ctrl Shift E", "export the results of the current cell"),
    ("Ctrl Z", "undo"),
    ("Ctrl Shift Z", "redo"),
    ("Esc", "stop measuring; in the plot: reset the zoom"),
    ("?", "open or close this help"),
    ("+ −", "in the plot: zoom in or out"),
    ("← → ↑ ↓", "in the plot: move"),
    ("0", "in the plot: reset the zoom"),
    (", .", "in the plot: read the previous or next point"),
    ("Alt ↑ ↓, Del", "in the outline: move or remove a cell"),
    ("← →", "on a slider: 1 %; Page up and Page down: 10 %"),
];

/// The parts of the page's state that decide the effect of a key.
#[derive(Clone, PartialEq)]
pub(super) struct KeyContext {
    pub(super) is_measuring: bool,
    pub(super) is_help_open: bool,
    /// Whether another dialog is open, which handles all keys itself.
    pub(super) is_dialog_open: bool,
    pub(super) landmarks: Landmarks,
}

/// Emits the command of each key that has one.
#[hook]
pub(super) fn use_keys(context: KeyContext, on_command: Callback<KeyCommand>) {
    use_effect_with((context, on_command), move |(context, on_command)| {
        let (context, on_command) = (context.clone(), on_command.clone());
        let listener = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let event = event.dyn_ref::<KeyboardEvent>();
                let Some(event) = event.filter(|event| !event.default_prevented() && !event.is_composing()) else {
                    return;
                };
                if let Some(command) = context.command(event) {
                    event.prevent_default();
                    on_command.emit(command);
                }
            })
        });
        move || drop(listener)
    });
}

impl KeyContext {
    fn command(&self, event: &KeyboardEvent) -> Option<KeyCommand> {
        let has_modifier = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            _ if self.is_dialog_open => None,
            // The dialog handles all other keys itself.
            key if self.is_help_open => (key == "?").then_some(KeyCommand::ToggleHelp),
            "Enter" if has_modifier && event.shift_key() => Some(KeyCommand::MeasureAll),
            "Enter" if has_modifier => Some(KeyCommand::Measure),
            "s" if has_modifier && !event.shift_key() => Some(KeyCommand::Share(ShareAction::DownloadFile)),
            "s" | "S" if has_modifier => Some(KeyCommand::Share(ShareAction::CopyFile)),
            "p" | "P" if has_modifier && event.shift_key() => Some(KeyCommand::Share(ShareAction::DownloadPage)),
            "l" | "L" if has_modifier && event.shift_key() => Some(KeyCommand::Share(ShareAction::CopyLink)),
            "e" | "E" if has_modifier && event.shift_key() => Some(KeyCommand::Share(ShareAction::Export)),
            // A field undoes its own text.
            "z" | "Z" if has_modifier && !is_typing(event) => {
                Some(if event.shift_key() { KeyCommand::Redo } else { KeyCommand::Undo })
            }
            "y" if has_modifier && !is_typing(event) => Some(KeyCommand::Redo),
            // Escape first closes an open card, then clears the search field, and only then stops.
            "Escape" if self.landmarks.has_open_card() => Some(KeyCommand::CloseCard),
            "Escape" if self.is_measuring && !is_in_filled_search(event) => Some(KeyCommand::Stop),
            _ if has_modifier || event.alt_key() || is_typing(event) => None,
            "/" => Some(KeyCommand::FindFunction),
            "?" => Some(KeyCommand::ToggleHelp),
            _ => None,
        }
    }
}

/// Whether the key goes to a search field that contains text.
fn is_in_filled_search(event: &KeyboardEvent) -> bool {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.is_some_and(|input| input.type_() == "search" && !input.value().is_empty())
}

/// Whether the key goes to a field that takes text.
fn is_typing(event: &KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else { return false };
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => matches!(element.get_attribute("type").as_deref(), None | Some("text" | "search")),
        _ => false,
    }
}
