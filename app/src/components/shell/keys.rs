//! Keys that work anywhere on the page.

use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::landmarks::Landmarks;
use crate::components::sharing::ShareAction;

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

/// The parts of the page's state that decide the effect of a key.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct KeyContext {
    pub(super) is_measuring: bool,
    pub(super) is_help_open: bool,
    /// Whether another dialog is open, which handles all keys itself.
    pub(super) is_dialog_open: bool,
}

/// Emits the command of each key that has one.
#[hook]
pub(super) fn use_keys(context: KeyContext, landmarks: Landmarks, on_command: Callback<KeyCommand>) {
    use_effect_with((context, landmarks, on_command), move |(context, landmarks, on_command)| {
        let (context, landmarks, on_command) = (*context, landmarks.clone(), on_command.clone());
        let listener = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let event = event.dyn_ref::<KeyboardEvent>();
                let Some(event) = event.filter(|event| !event.default_prevented() && !event.is_composing()) else {
                    return;
                };
                let press = KeyPress {
                    key: &event.key(),
                    has_modifier: event.ctrl_key() || event.meta_key(),
                    has_shift: event.shift_key(),
                    has_alt: event.alt_key(),
                    is_typing: is_typing(event),
                    is_in_filled_search: is_in_filled_search(event),
                    has_open_card: landmarks.has_open_card(),
                };
                // The dialog opens before this effect of the page's next rendering.
                let context = KeyContext { is_help_open: context.is_help_open || landmarks.is_help_open(), ..context };
                if let Some(command) = context.command(&press) {
                    event.prevent_default();
                    on_command.emit(command);
                }
            })
        });
        move || drop(listener)
    });
}

/// A key that was pressed, and where.
struct KeyPress<'a> {
    key: &'a str,
    /// Control, or Command on a Mac.
    has_modifier: bool,
    has_shift: bool,
    has_alt: bool,
    /// Whether the key goes to a field that takes text.
    is_typing: bool,
    /// Whether the key goes to a search field that contains text.
    is_in_filled_search: bool,
    /// Whether the card of the clock or of the runner is open, or the sheet with the contents.
    has_open_card: bool,
}

impl KeyContext {
    fn command(&self, press: &KeyPress<'_>) -> Option<KeyCommand> {
        let &KeyPress { key, has_modifier, has_shift, has_alt, is_typing, is_in_filled_search, has_open_card } = press;
        match key {
            _ if self.is_dialog_open => None,
            // The dialog handles all other keys itself.
            key if self.is_help_open => (key == "?").then_some(KeyCommand::ToggleHelp),
            "Enter" if has_modifier && has_shift => Some(KeyCommand::MeasureAll),
            "Enter" if has_modifier => Some(KeyCommand::Measure),
            "s" | "S" if has_modifier && !has_shift => Some(KeyCommand::Share(ShareAction::DownloadFile)),
            "l" | "L" if has_modifier && has_shift => Some(KeyCommand::Share(ShareAction::CopyLink)),
            // A field undoes its own text.
            "z" | "Z" if has_modifier && !is_typing => {
                Some(if has_shift { KeyCommand::Redo } else { KeyCommand::Undo })
            }
            "y" if has_modifier && !is_typing => Some(KeyCommand::Redo),
            // Escape first closes an open card, then clears the search field, and only then stops.
            "Escape" if has_open_card => Some(KeyCommand::CloseCard),
            "Escape" if self.is_measuring && !is_in_filled_search => Some(KeyCommand::Stop),
            _ if has_modifier || has_alt || is_typing => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURING: KeyContext = KeyContext { is_measuring: true, is_help_open: false, is_dialog_open: false };

    fn press(key: &str) -> KeyPress<'_> {
        KeyPress {
            key,
            has_modifier: false,
            has_shift: false,
            has_alt: false,
            is_typing: false,
            is_in_filled_search: false,
            has_open_card: false,
        }
    }

    #[test]
    fn keys_of_the_browser_remain_its_own() {
        // Private window, print, screenshot, save as, network monitor, and so on.
        for key in ["p", "P", "s", "S", "e", "E", "t", "n", "w", "r", "c", "v", "f"] {
            let shifted = KeyPress { has_modifier: true, has_shift: true, ..press(key) };
            assert_eq!(MEASURING.command(&shifted), None, "Ctrl Shift {key}");
        }
        for key in ["p", "e", "t", "n", "w", "r", "c", "v", "f", "l"] {
            assert_eq!(MEASURING.command(&KeyPress { has_modifier: true, ..press(key) }), None, "Ctrl {key}");
        }
    }

    #[test]
    fn escape_acts_on_the_innermost_element() {
        let table = [
            (
                KeyPress { has_open_card: true, is_in_filled_search: true, ..press("Escape") },
                Some(KeyCommand::CloseCard),
            ),
            (KeyPress { is_in_filled_search: true, is_typing: true, ..press("Escape") }, None),
            (press("Escape"), Some(KeyCommand::Stop)),
        ];
        for (press, expected) in table {
            assert_eq!(MEASURING.command(&press), expected);
        }
        assert_eq!(KeyContext { is_measuring: false, ..MEASURING }.command(&press("Escape")), None);
        assert_eq!(
            KeyContext { is_dialog_open: true, ..MEASURING }.command(&press("Escape")),
            None,
            "it closes itself"
        );
    }

    #[test]
    fn letters_are_no_commands_in_a_field() {
        for (key, command) in [("/", KeyCommand::FindFunction), ("?", KeyCommand::ToggleHelp)] {
            assert_eq!(MEASURING.command(&press(key)), Some(command));
            assert_eq!(MEASURING.command(&KeyPress { is_typing: true, ..press(key) }), None, "{key}");
        }
        // With Caps Lock.
        let save = KeyPress { has_modifier: true, ..press("S") };
        assert_eq!(MEASURING.command(&save), Some(KeyCommand::Share(ShareAction::DownloadFile)));
        let undo = KeyPress { has_modifier: true, ..press("z") };
        assert_eq!(MEASURING.command(&KeyPress { is_typing: true, has_modifier: true, ..press("z") }), None);
        assert_eq!(MEASURING.command(&undo), Some(KeyCommand::Undo));
    }
}
