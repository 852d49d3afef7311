//! A button that opens the browser's file picker.

use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct FilePickerProps {
    /// The label of the button.
    pub(super) label: AttrValue,
    /// The file extensions and media types that the picker offers.
    pub(super) accept: AttrValue,
    #[prop_or_default]
    pub(super) class: Classes,
    /// The `data-test` attribute of the button.
    pub(super) button_test: &'static str,
    /// The `data-test` attribute of the input, which is hidden.
    pub(super) input_test: &'static str,
    /// Receives the chosen file.
    pub(super) on_file: Callback<File>,
}

#[component]
pub(super) fn FilePicker(props: &FilePickerProps) -> Html {
    let FilePickerProps { label, accept, class, button_test, input_test, on_file } = props;
    let input = use_node_ref();
    let onchange = {
        let on_file = on_file.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                on_file.emit(file);
            }
            // The same file can be opened again, after it has changed.
            input.set_value("");
        })
    };
    let onclick = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    html! {
        <>
            <input type="file" hidden=true accept={accept.clone()} ref={input} data-test={*input_test} {onchange} />
            <button class={class.clone()} data-test={*button_test} {onclick}>{ label }</button>
        </>
    }
}
