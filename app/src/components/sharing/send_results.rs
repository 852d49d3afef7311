//! Saves a reader's results as a file for the author of an article.

use benchbook_host::response::Machine;
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook;
use gloo::file::Blob;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::effects::browser::download::{file_name, offer};

#[derive(PartialEq, Properties)]
pub(crate) struct SendResultsProps {
    /// The article with the results of this reader, among others.
    pub(crate) document: Notebook,
    /// The machine of the reader's own results.
    pub(crate) own: Machine,
}

/// A button that downloads the reader's results, and a field for the processor, which browsers do not state.
#[component]
pub(crate) fn SendResults(props: &SendResultsProps) -> Html {
    let processor = use_state(|| props.own.processor.clone().unwrap_or_default());
    let outcome = use_state_eq(String::new);
    let onclick = {
        let (typed, outcome) = ((*processor).clone(), outcome.setter());
        let (document, own) = (props.document.clone(), props.own.clone());
        Callback::from(move |_: MouseEvent| {
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
    let oninput = {
        let processor = processor.setter();
        Callback::from(move |event: InputEvent| {
            processor.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    html! {
        <section class="cell note send-results" data-test="send-results">
            <h2>{ "Your results" }</h2>
            <p>{ "Your results appear next to the author's and exist only in this tab. Save them as a file and send it to the author, who can add them to the article." }</p>
            <p class="fields">
                <label>{ "Your processor " }<input type="text" maxlength="80" data-test="processor" value={(*processor).clone()} {oninput} /></label>
                <button data-test="save-results" {onclick}>{ "Save my results" }</button>
                <span role="status" data-test="saved-results">{ (*outcome).clone() }</span>
            </p>
        </section>
    }
}

/// The section, if the reader has measured a cell.
pub(crate) fn send_results(document: &Notebook, is_own: impl Fn(&Machine) -> bool) -> Html {
    let machines = document.results().map(|result| &result.setup.machine);
    // The last one: an update of the browser is another machine.
    let own = machines.filter(|machine| is_own(machine)).last().cloned();
    html! { { for own.map(|own| html! { <SendResults document={document.clone()} {own} /> }) } }
}
