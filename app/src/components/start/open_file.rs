//! Opening a notebook file: from a file picker, and from an address.

use wasm_bindgen_futures::spawn_local;
use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

use crate::components::widgets::file_picker::FilePicker;
use crate::effects::documents::files::{fetch, open};
use crate::state::PageAction;

#[derive(PartialEq, Properties)]
pub(crate) struct OpenFileProps {
    /// Opens a file that turns out to be a suite.
    pub(crate) open_suite: Callback<File>,
    pub(crate) act: Callback<PageAction>,
}

/// A button that opens the browser's file picker, and a field for an address.
#[component]
pub(crate) fn OpenFile(props: &OpenFileProps) -> Html {
    let address = use_node_ref();
    let on_file = {
        let (open_suite, act) = (props.open_suite.clone(), props.act.clone());
        Callback::from(move |file: File| open(file, open_suite.clone(), act.clone()))
    };
    let onsubmit = {
        let (act, address) = (props.act.clone(), address.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(field) = address.cast::<HtmlInputElement>() else { return };
            let (url, act) = (field.value(), act.clone());
            spawn_local(async move { act.emit(PageAction::OpenDocument(fetch(url.trim()).await)) });
        })
    };
    html! {
        <>
            <FilePicker label="Open a file…" accept=".json,application/json" button_test="open-file" input_test="file-picker" {on_file} />
            <form class="address" {onsubmit}>
                <input type="text" inputmode="url" aria-label="Address of a notebook file" placeholder="https://… .benchbook.json" autocomplete="off"
                    spellcheck="false" data-test="file-address" ref={address} />
                <button data-test="open-address">{ "Open" }</button>
            </form>
        </>
    }
}
