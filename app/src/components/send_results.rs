//! What a reader measured in an article, as a file for its author.

use benchbook_host::response::Machine;
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook;
use gloo::file::Blob;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::download::{file_name, offer};

#[derive(PartialEq, Properties)]
pub(super) struct SendResultsProps {
    /// The article with the results of this reader, among others.
    pub(super) document: Notebook,
    /// The machine of the reader's own results.
    pub(super) own: Machine,
}

/// A button that downloads the reader's results, and a field for the processor, which browsers do not state.
#[component]
pub(super) fn SendResults(props: &SendResultsProps) -> Html {
    let processor = use_node_ref();
    let outcome = use_state_eq(String::new);
    let onclick = {
        let (processor, outcome) = (processor.clone(), outcome.setter());
        let (document, own) = (props.document.clone(), props.own.clone());
        Callback::from(move |_: MouseEvent| {
            let typed = processor.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
            let results = document.results_of(&own, Some(typed.trim()).filter(|typed| !typed.is_empty()));
            let name = format!("{}-results{}", file_name(&document.title), file::EXTENSION);
            let blob =
                Blob::new_with_options(file::write_for_reading(&results).text.as_str(), Some("application/json"));
            outcome.set(match offer(&blob, &name) {
                Some(()) => format!("Downloaded {name}. Send it to the author."),
                None => "The browser rejected the download.".to_owned(),
            });
        })
    };
    html! {
        <section class="cell note send-results" data-test="send-results">
            <h2>{ "Your results" }</h2>
            <p>{ "They are next to the author's, and stay in this tab. The author can add them to the article: save them as a file and send it." }</p>
            <p class="fields">
                <label>{ "Your processor " }<input type="text" maxlength="80" ref={processor} data-test="processor" value={props.own.processor.clone()} /></label>
                <button data-test="save-results" {onclick}>{ "Save my results" }</button>
                <span role="status" data-test="saved-results">{ (*outcome).clone() }</span>
            </p>
        </section>
    }
}

/// The section, if the reader has measured a cell.
pub(super) fn send_results(document: &Notebook, is_own: impl Fn(&Machine) -> bool) -> Html {
    let machines = document.results().map(|result| &result.setup.machine);
    // The last one: an update of the browser is another machine.
    let own = machines.filter(|machine| is_own(machine)).last().cloned();
    html! { { for own.map(|own| html! { <SendResults document={document.clone()} {own} /> }) } }
}
