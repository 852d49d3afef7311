//! The start view: an example that one click measures, links to others, and the lists of notebooks.

pub(crate) mod library;
pub(crate) mod notebook_files;
mod open_file;
pub(crate) mod open_suite;
pub(crate) mod suite_notes;

use std::rc::Rc;

use yew::prelude::*;

use crate::address::Address;
use crate::address::excerpt::excerpt;
use crate::address::link::Link;
use crate::state::PageAction;
use crate::state::site_config::Example;
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite};

#[derive(PartialEq, Properties)]
pub(crate) struct StartProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// The examples of the notebook.
    pub(crate) examples: Vec<Example>,
    /// Whether more suites may be loaded.
    pub(crate) is_loading: bool,
    /// Whether the page already shows problems.
    pub(crate) has_problems: bool,
    /// Opens an example and measures it.
    pub(crate) on_example: Callback<Link>,
    pub(crate) on_action: Callback<PageAction>,
    /// The lists of notebooks. They are rendered below the examples by this component: Yew may let the browser paint between the
    /// renderings of two components, and the examples would then push the lists down.
    pub(crate) children: Html,
}

/// The heading, the introduction and the loading text are also in `index.html`, which shows them before the page runs.
#[component]
pub(crate) fn Start(props: &StartProps) -> Html {
    html! {
        <>
            <section class="cell note" data-test="start">
                <h1>{ "Which is faster, at your sizes, on this machine?" }</h1>
                { invitation(props) }
            </section>
            { props.children.clone() }
        </>
    }
}

fn invitation(props: &StartProps) -> Html {
    match (props.is_loading, props.suites.is_empty()) {
        (true, true) => html! { <>{ introduction() }<p role="status">{ "Loading the suites…" }</p></> },
        (false, true) if props.has_problems => html! { <p>{ "No suite was loaded." }</p> },
        (false, true) => html! {
            <p data-test="problem">{ "This page has no suites. Open one at the end of the list, or list their addresses in notebook.json, under “suites”." }</p>
        },
        (_, false) => html! { <>{ introduction() }{ examples(props) }</> },
    }
}

fn introduction() -> Html {
    html! {
        <p>{ "The first curve takes about a second; its precision then improves. Choose a function from the list, or start with an example." }</p>
    }
}

/// The first example with a button, links to the others, and a problem for each that a browser cannot measure.
fn examples(props: &StartProps) -> Html {
    let link = |example: &Example| Link::read(&example.link).unwrap_or_else(|| Address::Cell(Box::default()).into());
    let all = props.examples.iter().map(|example| (example, link(example)));
    let is_measurable = |(_, link): &(&Example, Link)| {
        let (suite, path) = named(link);
        let mut suites = props.suites.iter().map(|loaded| &loaded.suite);
        suites.any(|known| known.name == suite && known.function(path).is_some_and(|function| !function.native))
    };
    let (measurable, broken): (Vec<_>, Vec<_>) = all.partition(is_measurable);
    // While suites are loading, a missing function may still appear.
    let broken = broken.into_iter().filter(|_| !props.is_loading).map(|(example, link)| {
        let (suite, path) = named(&link);
        let target = format!("{suite} {path}");
        html! {
            <p class="problem-note" data-test="problem">
                { format!("notebook.json: the example “{}” names no function that a browser can measure: {}.", example.question, excerpt(target.trim())) }
            </p>
        }
    });
    html! {
        <>
            { measurable_examples(props, measurable) }
            { for broken }
        </>
    }
}

/// The suite and the function that a link names; empty without one.
fn named(link: &Link) -> (&str, &str) {
    let setup = link.address.setup();
    let function = setup.and_then(|setup| setup.functions.first());
    (setup.map_or("", |setup| &setup.suite), function.map_or("", String::as_str))
}

fn measurable_examples(props: &StartProps, examples: Vec<(&Example, Link)>) -> Html {
    let mut examples = examples.into_iter().peekable();
    let Some((example, link)) = examples.next() else { return first_function(props) };
    let onclick = props.on_example.reform(move |_: MouseEvent| link.clone());
    html! {
        <>
            <div class="example">
                <p class="question" dir="auto">{ &example.question }</p>
                <button class="primary" data-test="example" {onclick}>{ "Measure" }</button>
            </div>
            if examples.peek().is_some() {
                <p>{ "More examples:" }</p>
                <ul class="examples">
                    { for examples.map(|(example, _)| html! {
                        <li><a href={format!("#{}", example.link)} dir="auto">{ &example.question }</a></li>
                    }) }
                </ul>
            }
        </>
    }
}

/// The first function that a browser can measure, for a notebook without examples.
fn first_function(props: &StartProps) -> Html {
    let first = props.suites.iter().find_map(|loaded| {
        let function = loaded.suite.functions.iter().find(|function| !function.native)?;
        Some((loaded, function))
    });
    let Some((loaded, function)) = first else { return html! {} };
    let link = Link::from(Address::of_function(&loaded.suite.name, &function.path));
    let id = FunctionId { suite: loaded.id, path: function.path.clone() };
    let measure = props.on_example.reform(move |_: MouseEvent| link.clone());
    let open = props.on_action.reform(move |_: MouseEvent| PageAction::Choose(id.clone()));
    html! {
        <div class="example">
            <p class="question"><code>{ &function.path }</code></p>
            <button class="primary" data-test="example" onclick={measure}>{ "Measure" }</button>
            <button onclick={open}>{ "Open" }</button>
        </div>
    }
}
