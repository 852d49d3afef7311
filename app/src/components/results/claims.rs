//! What the results say: the headline, and further claims on demand.

use std::rc::Rc;

use yew::prelude::*;

use benchbook_report::shown_trace::{ShownTrace, builds_compared};

use super::conclusions::Conclusions;
use crate::components::widgets::code::with_code;

/// The headline: the first claim, in the bar that stays in view. `is_measuring`: later results may change it.
pub(crate) fn headline(claims: &[String], is_measuring: bool) -> Html {
    html! {
        if let Some(first) = claims.first() {
            <p class="says" data-test="answer" title={first.replace('`', "")}>{ with_code(first) }{ if is_measuring { " so far" } else { "" } }</p>
        } else {
            <p class="says"></p>
        }
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct MoreClaimsProps {
    pub(super) conclusions: Rc<Conclusions>,
    pub(super) shown: Vec<ShownTrace>,
}

/// The line below the headline: the second claim, and on demand the others. It has its room even if it is empty, so that nothing moves.
#[component]
pub(super) fn MoreClaims(props: &MoreClaimsProps) -> Html {
    let is_open = use_state_eq(|| false);
    let onclick = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let more = props.conclusions.claims.get(1..).unwrap_or_default();
    let (second, others) = more.split_first().map_or((None, more), |(second, others)| (Some(second), others));
    html! {
        <div class="second">
            if let Some(builds) = builds_compared(&props.shown) {
                <span class="builds-compared" data-test="builds-compared">{ builds }</span>
            }
            if let Some(second) = second {
                <span data-test="claim">{ with_code(second) }</span>
            }
            if !others.is_empty() {
                <button class="link" aria-expanded={is_open.to_string()} data-test="more-claims" {onclick}>
                    { if *is_open { "Less".to_owned() } else { format!("+{} more", others.len()) } }
                </button>
                <ul hidden={!*is_open}>{ for others.iter().map(|claim| html! { <li data-test="claim">{ with_code(claim) }</li> }) }</ul>
            }
        </div>
    }
}
