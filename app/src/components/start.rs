//! What stands in the place of a cell before a function is chosen: an example that one press measures.

use std::rc::Rc;

use yew::prelude::*;

use crate::share::excerpt::excerpt;
use crate::share::link::Link;
use crate::state::cell::CellId;
use crate::state::loaded_suite::LoadedSuite;
use crate::state::page::PageAction;
use crate::state::site_config::Example;

#[derive(PartialEq, Properties)]
pub(crate) struct StartProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// What the notebook offers.
    pub(crate) examples: Vec<Example>,
    /// Whether suites are still to come.
    pub(crate) loading: bool,
    /// Whether what is wrong was told already.
    pub(crate) told: bool,
    /// Opens an example and measures it.
    pub(crate) on_example: Callback<Link>,
    pub(crate) on_action: Callback<PageAction>,
}

#[component]
pub(crate) fn Start(props: &StartProps) -> Html {
    html! {
        <section class="cell note" data-test="start">
            <h1>{ "Which is faster, at your sizes, on this machine?" }</h1>
            { invitation(props) }
        </section>
    }
}

fn invitation(props: &StartProps) -> Html {
    match (props.loading, props.suites.is_empty()) {
        (true, true) => html! { <p role="status">{ "Loading the suites…" }</p> },
        (false, true) if props.told => html! { <p>{ "There is no suite to choose a function from." }</p> },
        (false, true) => html! {
            <p data-test="problem">{ "This notebook names no suite: notebook.json lists their addresses under “suites”." }</p>
        },
        (_, false) => html! {
            <>
                <p>{ "A first curve takes about a second, then its figures get better on their own. Choose a function from the list, or begin with this one." }</p>
                { examples(props) }
            </>
        },
    }
}

/// The first example with its button, and links to the others.
fn examples(props: &StartProps) -> Html {
    let linked = props.examples.iter().map(|example| (example, Link::read(&example.link).unwrap_or_default()));
    let is_there = |(_, link): &(&Example, Link)| {
        let mut suites = props.suites.iter().map(|loaded| &loaded.suite);
        suites.any(|suite| {
            suite.name == link.suite && suite.function(&link.function).is_some_and(|function| !function.native)
        })
    };
    let (known, lost): (Vec<_>, Vec<_>) = linked.partition(is_there);
    // A suite that is still to come may have them.
    let lost = lost.into_iter().filter(|_| !props.loading).map(|(example, link)| {
        let place = format!("{} {}", link.suite, link.function);
        html! {
            <p class="problem-note" data-test="problem">
                { format!("notebook.json has an example, “{}”, that goes where a browser can measure nothing: {}.", example.question, excerpt(place.trim())) }
            </p>
        }
    });
    html! {
        <>
            { known_examples(props, known) }
            { for lost }
        </>
    }
}

fn known_examples(props: &StartProps, known: Vec<(&Example, Link)>) -> Html {
    let mut known = known.into_iter().peekable();
    let Some((example, link)) = known.next() else { return first_function(props) };
    let onclick = props.on_example.reform(move |_: MouseEvent| link.clone());
    html! {
        <>
            <div class="example">
                <p class="question">{ &example.question }</p>
                <button class="primary" data-test="example" {onclick}>{ "Measure" }</button>
            </div>
            if known.peek().is_some() {
                <p>{ "More questions that the list answers:" }</p>
                <ul class="examples">
                    { for known.map(|(example, _)| html! {
                        <li><a href={format!("#{}", example.link)}>{ &example.question }</a></li>
                    }) }
                </ul>
            }
        </>
    }
}

/// Where the notebook offers nothing, the first function that a browser can measure.
fn first_function(props: &StartProps) -> Html {
    let found = props.suites.iter().find_map(|loaded| {
        let function = loaded.suite.functions.iter().find(|function| !function.native)?;
        Some((loaded, function))
    });
    let Some((loaded, function)) = found else { return html! {} };
    let link = Link { suite: loaded.suite.name.clone(), function: function.path.clone(), ..Link::default() };
    let id = CellId { suite: loaded.id, path: function.path.clone() };
    let measure = props.on_example.reform(move |_: MouseEvent| link.clone());
    let look = props.on_action.reform(move |_: MouseEvent| PageAction::Choose(id.clone()));
    html! {
        <div class="example">
            <p class="question"><code>{ &function.path }</code></p>
            <button class="primary" data-test="example" onclick={measure}>{ "Measure" }</button>
            <button onclick={look}>{ "Look at it first" }</button>
        </div>
    }
}
