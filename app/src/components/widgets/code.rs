//! Code within sentences.

use yew::prelude::*;

/// A sentence whose code is between backticks.
pub(crate) fn with_code(sentence: &str) -> Html {
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => html! { { part } },
        _ => html! { <code>{ part }</code> },
    };
    html! { { for sentence.split('`').enumerate().map(part) } }
}
