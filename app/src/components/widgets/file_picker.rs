//! A button that opens the browser's file picker.

use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct FilePickerProps {
    /// The label of the button.
    pub(crate) label: AttrValue,
    /// The file extensions and media types that the picker offers.
    pub(crate) accept: AttrValue,
    #[prop_or_default]
    pub(crate) class: Classes,
    /// The `data-test` attribute of the button.
    pub(crate) button_test: &'static str,
    /// The `data-test` attribute of the input, which is hidden.
    pub(crate) input_test: &'static str,
    /// Whether several files can be chosen.
    #[prop_or_default]
    pub(crate) is_multiple: bool,
    /// Receives each chosen file.
    #[prop_or_default]
    pub(crate) on_file: Callback<File>,
    /// Receives all chosen files together.
    #[prop_or_default]
    pub(crate) on_files: Callback<Vec<File>>,
}

#[component]
pub(crate) fn FilePicker(props: &FilePickerProps) -> Html {
    let FilePickerProps { label, accept, class, button_test, input_test, is_multiple, on_file, on_files } = props;
    let input = use_node_ref();
    let onchange = {
        let (on_file, on_files) = (on_file.clone(), on_files.clone());
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let files = input.files();
            let files: Vec<File> =
                files.iter().flat_map(|files| (0..files.length()).filter_map(|index| files.get(index))).collect();
            if !files.is_empty() {
                files.iter().for_each(|file| on_file.emit(file.clone()));
                on_files.emit(files);
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
            <input type="file" hidden=true multiple={*is_multiple} accept={accept.clone()} ref={input} data-test={*input_test} {onchange} />
            <button class={class.clone()} data-test={*button_test} {onclick}>{ label }</button>
        </>
    }
}
