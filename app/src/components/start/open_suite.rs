//! The dialog in which the user opens a suite from a file or an address.

use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

use super::suite_notes::progress;
use crate::components::widgets::code::with_code;
use crate::components::widgets::file_picker::FilePicker;
use crate::effects::suites::own_suites::OwnSuiteCommands;
use crate::state::PageAction;
use crate::state::suites::own_suites::{OwnSuiteAction, OwnSuites};

#[derive(PartialEq, Properties)]
pub(crate) struct OpenSuiteProps {
    pub(crate) own: OwnSuites,
    pub(crate) commands: OwnSuiteCommands,
    pub(crate) act: Callback<PageAction>,
}

#[component]
pub(crate) fn OpenSuite(props: &OpenSuiteProps) -> Html {
    let OpenSuiteProps { own, commands, act } = props;
    let (dialog, address) = (use_node_ref(), use_node_ref());
    {
        let (dialog, address) = (dialog.clone(), address.clone());
        use_effect_with(own.suggested.clone(), move |suggested| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // Fails only for a dialog that is already open, or not in the document.
                let _ = dialog.show_modal();
            }
            if let (Some(field), Some(suggested)) = (address.cast::<HtmlInputElement>(), suggested) {
                field.set_value(suggested);
            }
        });
    }
    // The browser closes a dialog at Escape, and returns the focus.
    let onclose = act.reform(|_: Event| PageAction::OwnSuites(OwnSuiteAction::ShowDialog(false)));
    let on_close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let onsubmit = {
        let (open_address, address) = (commands.open_address.clone(), address.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(field) = address.cast::<HtmlInputElement>() {
                open_address.emit(field.value().trim().to_owned());
            }
        })
    };
    html! {
        <dialog class="help open-suite" ref={dialog} aria-labelledby="open-suite-title" data-test="open-suite-dialog" {onclose}>
            <div class="help-head">
                <h2 id="open-suite-title">{ "Open a .wasm suite" }</h2>
                <button data-test="open-suite-close" onclick={on_close}>{ "Close" }</button>
            </div>
            if own.suggested.is_some() {
                <p class="notice" data-test="suggested-suite">
                    { "This link wants to open the suite below. Nothing loads until you press Open." }
                </p>
            }
            <p>{ "Choose a file that " }<code>{ "cargo benchbook build" }</code>{ " wrote, drop it anywhere on the page, or enter its address. \
                 A newer build replaces the one before it." }</p>
            <div class="go">
                <FilePicker label="Choose a file…" accept=".wasm,application/wasm" class="primary" button_test="choose-suite" input_test="suite-picker"
                    on_file={commands.open_file.clone()} />
                <form class="address" {onsubmit}>
                    <input type="text" inputmode="url" aria-label="Address of a suite" placeholder="https://… .wasm" autocomplete="off"
                        spellcheck="false" data-test="suite-address" ref={address} />
                    <button data-test="open-suite-address">{ "Open" }</button>
                </form>
            </div>
            if let Some(opening) = &own.opening {
                { progress(opening, commands) }
            }
            if let Some(problem) = &own.problem {
                <p class="problem-note" role="alert" data-test="suite-problem">{ with_code(problem) }</p>
            }
            <p>{ "The suite runs in a worker of this browser, without access to the page, to the network or to your notebooks. It is stored here for your next \
                 visit; nothing is uploaded." }</p>
        </dialog>
    }
}
