//! What stands in the place of a cell before a function is chosen.

use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct WelcomeProps {
    /// Whether suites are still to come.
    pub(crate) loading: bool,
    /// Whether there is no suite.
    pub(crate) empty: bool,
    /// Whether what is wrong was told already.
    pub(crate) told: bool,
}

#[component]
pub(crate) fn Welcome(props: &WelcomeProps) -> Html {
    let text = match (props.loading, props.empty) {
        (true, true) => html! { <p>{ "Loading the suites…" }</p> },
        (false, true) if props.told => html! { <p>{ "There is no suite to choose a function from." }</p> },
        (false, true) => html! {
            <p data-test="problem">{ "This notebook names no suite: notebook.json lists their addresses under “suites”." }</p>
        },
        (_, false) => html! {
            <p>{ "Choose a function on the left. A first curve takes about a second, then its figures get better on their own." }</p>
        },
    };
    html! {
        <section class="cell note">
            <h1>{ "Which is faster, at your sizes, on this machine?" }</h1>
            { text }
        </section>
    }
}
