//! What the results say: the headline, and further claims on demand.

use std::rc::Rc;

use yew::prelude::*;

use benchbook_report::ranking::{MachineRanking, all_claims, changes};
use benchbook_report::reproduction::Reproduction;
use benchbook_report::shown_trace::{ShownTrace, builds_compared};

use super::ranking::with_code;

/// The claims about the results, the most important one first, with function names between backticks: what changed since the last build, then which
/// function is the fastest, and what follows. Whether an original measurement held is always the second claim.
pub(crate) fn claims_of(
    shown: &[ShownTrace],
    rankings: &[MachineRanking],
    (margin, ranked_at): (f64, Option<&str>),
    reproduction: Option<&Reproduction>,
) -> Vec<String> {
    let changes = rankings.first().map(|latest| changes(shown, latest, ranked_at)).unwrap_or_default();
    let mut claims: Vec<String> = changes.into_iter().chain(all_claims(rankings, margin)).collect();
    if let (Some(summary), false) = (reproduction.and_then(|one| one.sentences.first()), claims.is_empty()) {
        claims.insert(1, summary.clone());
    }
    claims.into_iter().map(|claim| claim.trim_end_matches('.').to_owned()).collect()
}

/// The headline: the first claim, in the bar that stays in view.
pub(crate) fn headline(claims: &[String]) -> Html {
    html! {
        if let Some(first) = claims.first() {
            <p class="says" data-test="answer" title={first.replace('`', "")}>{ with_code(first) }</p>
        } else {
            <p class="says"></p>
        }
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct MoreClaimsProps {
    pub(super) claims: Rc<Vec<String>>,
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
    let more = props.claims.get(1..).unwrap_or_default();
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
