//! The link that measures two builds of accepted results interleaved, or the reason why that is impossible.

use yew::prelude::*;

use crate::state::machines::runner_builds::BuildOffer;

pub(super) fn build_offer(offer: &BuildOffer) -> Html {
    match offer {
        BuildOffer::Compared(link, builds) => html! {
            <a href={format!("#{link}")} data-test="compare-accepted-builds" aria-label={format!("Compare builds: {builds}")}
                title={format!("Measure {builds} on the runner, interleaved")}>{ "Compare builds" }</a>
        },
        BuildOffer::Unavailable(reason) => html! { <span class="soft">{ reason }</span> },
    }
}
