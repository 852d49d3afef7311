//! The start view: what the page is for, a finished example that one click measures, how to measure one's own crate, and the lists of
//! notebooks.

mod cards;
mod figure;
pub(crate) mod library;
pub(crate) mod notebook_files;
mod open_file;
pub(crate) mod open_suite;
mod own_crate;
pub(crate) mod suite_notes;

use std::rc::Rc;

use yew::prelude::*;

use crate::address::Address;
use crate::address::excerpt::excerpt;
use crate::address::link::Link;
use crate::state::PageAction;
use crate::state::site_config::{Example, SiteConfig};
use crate::state::suites::loaded_suite::{FunctionId, LoadedSuite};
use cards::site_notebooks;
use figure::ResultFigure;
use own_crate::own_crate;

#[derive(PartialEq, Properties)]
pub(crate) struct StartProps {
    pub(crate) suites: Vec<Rc<LoadedSuite>>,
    /// The configuration of the site, once it is loaded.
    pub(crate) config: Option<Rc<SiteConfig>>,
    /// Whether suites that the start needs are still loading.
    pub(crate) is_loading: bool,
    /// Whether the page already shows problems.
    pub(crate) has_problems: bool,
    /// Opens an example and measures it.
    pub(crate) on_example: Callback<Link>,
    pub(crate) on_action: Callback<PageAction>,
    /// Whether everything is shown: what is below the example waits until everything above it has its final height.
    pub(crate) is_complete: bool,
    /// The user's notebooks, and those of the runner.
    pub(crate) children: Html,
}

/// The heading, the introduction, the loading text and the frame of the result are also in `index.html`, which shows them before the page runs.
#[component]
pub(crate) fn Start(props: &StartProps) -> Html {
    let config = props.config.as_deref();
    let examples = Examples::of(props);
    let first = examples.measurable.first().map(|(example, _)| *example);
    let digest = first.and_then(|first| props.config.as_ref()?.result_of(first).cloned());
    html! {
        <>
            <section class="hero" data-test="start">
                <div class="pitch">
                    <h1>{ "Benchmark Rust functions, and read the answer." }</h1>
                    <p>{ "Benchbook times Rust functions over a range of input sizes, here in the browser or on a quiet machine, and says which is fastest, from what size, and how certain that is." }</p>
                    { invitation(props, &examples) }
                </div>
                <ResultFigure question={first.map(|first| first.question.clone()).unwrap_or_default()} {digest} />
            </section>
            { for examples.problems() }
            if props.is_complete {
                { for config.and_then(|config| config.install.as_deref()).map(own_crate) }
                { for config.map(|config| site_notebooks(&config.notebooks)) }
                { more_examples(&examples) }
                { props.children.clone() }
            }
        </>
    }
}

fn invitation(props: &StartProps, examples: &Examples<'_>) -> Html {
    match (props.is_loading, props.suites.is_empty()) {
        (true, true) => html! { <p class="go soft" role="status">{ "Loading the suites…" }</p> },
        (false, true) if props.has_problems => html! { <p class="go">{ "No suite was loaded." }</p> },
        (false, true) => html! {
            <p class="go" data-test="problem">{ "This page has no suites. Open one at the end of the list, or list their URLs in notebook.json, under “suites”." }</p>
        },
        (_, false) => match examples.measurable.first() {
            Some((_, link)) => {
                let link = link.clone();
                let onclick = props.on_example.reform(move |_: MouseEvent| link.clone());
                html! { <div class="go"><button class="primary" data-test="example" {onclick}>{ "Measure this example" }</button>{ promise() }</div> }
            }
            None => first_function(props),
        },
    }
}

fn promise() -> Html {
    html! { <span class="soft">{ "First curve in a second." }<br />{ "Nothing to install." }</span> }
}

/// The first function that a browser can measure, for a notebook without examples.
fn first_function(props: &StartProps) -> Html {
    let first = props.suites.iter().find_map(|loaded| {
        let function = loaded.suite.functions.iter().find(|function| !function.native)?;
        Some((loaded, function))
    });
    let Some((loaded, function)) = first else {
        return html! { <p class="go">{ "Choose a function from the list." }</p> };
    };
    let link = Link::from(Address::of_function(&loaded.suite.name, &function.path));
    let id = FunctionId { suite: loaded.id, path: function.path.clone() };
    let measure = props.on_example.reform(move |_: MouseEvent| link.clone());
    let open = props.on_action.reform(move |_: MouseEvent| PageAction::Choose(id.clone()));
    html! {
        <div class="go">
            <button class="primary" data-test="example" onclick={measure}>{ "Measure " }<code>{ &function.path }</code></button>
            <button onclick={open}>{ "Open" }</button>
        </div>
    }
}

/// The examples of the site.
struct Examples<'c> {
    /// Those that a browser can measure, with their links.
    measurable: Vec<(&'c Example, Link)>,
    /// The others. Empty while suites are loading: a missing function may still appear.
    broken: Vec<(&'c Example, Link)>,
}

impl<'c> Examples<'c> {
    fn of(props: &'c StartProps) -> Self {
        let all = props.config.iter().flat_map(|config| &config.examples).map(|example| {
            let link = Link::read(&example.link).unwrap_or_else(|| Address::Cell(Box::default()).into());
            (example, link)
        });
        let is_measurable = |(_, link): &(&Example, Link)| {
            let (suite, path) = named(link);
            let mut suites = props.suites.iter().map(|loaded| &loaded.suite);
            suites.any(|known| known.name == suite && known.function(path).is_some_and(|function| !function.native))
        };
        let (measurable, broken): (Vec<_>, Vec<_>) = all.partition(is_measurable);
        Self { measurable, broken: if props.is_loading || props.suites.is_empty() { Vec::new() } else { broken } }
    }

    /// A sentence for each example that a browser cannot measure.
    fn problems(&self) -> impl Iterator<Item = Html> {
        self.broken.iter().map(|(example, link)| {
            let (suite, path) = named(link);
            let target = format!("{suite} {path}");
            html! {
                <p class="problem-note" data-test="problem">
                    { format!("notebook.json: the example “{}” names no function that a browser can measure: {}.", example.question, excerpt(target.trim())) }
                </p>
            }
        })
    }
}

/// The suite and the function that a link names; empty without one.
fn named(link: &Link) -> (&str, &str) {
    let setup = link.address.setup();
    let function = setup.and_then(|setup| setup.functions.first());
    (setup.map_or("", |setup| &setup.suite), function.map_or("", String::as_str))
}

/// Links to all examples but the first; nothing without any.
fn more_examples(examples: &Examples<'_>) -> Html {
    let more = examples.measurable.get(1..).unwrap_or_default();
    if more.is_empty() {
        return html! {};
    }
    html! {
        <section>
            <h2>{ "More to measure" }</h2>
            <ul class="examples">
                { for more.iter().map(|(example, _)| html! {
                    <li><a href={format!("#{}", example.link)} dir="auto">{ &example.question }</a></li>
                }) }
            </ul>
        </section>
    }
}
