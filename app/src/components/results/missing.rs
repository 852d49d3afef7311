//! What a tab shows without a profile, or without code.

use benchbook_notebook::view::{Tab, ViewAction};
use yew::prelude::*;

/// Whether what a tab shows can be loaded.
#[derive(Clone, PartialEq)]
pub(crate) enum Availability {
    /// Choosing the tab loads it.
    Possible,
    /// It is being loaded.
    Running,
    /// A measurement is in progress; it is loaded after that.
    Waiting,
    /// Why it cannot be loaded: a sentence.
    Impossible(AttrValue),
}

/// Whether what tabs show can be loaded: a context. Where it is absent, nothing can.
#[derive(Clone, PartialEq)]
pub(crate) struct Availabilities {
    /// The profiles of the functions.
    pub(crate) profile: Availability,
    /// Their code.
    pub(crate) code: Availability,
}

#[derive(PartialEq, Properties)]
pub(super) struct MissingProps {
    pub(super) tab: Tab,
    /// Whether something is stored that this version cannot read.
    pub(super) is_unreadable: bool,
    /// Why to load it: a sentence.
    pub(super) offer: &'static str,
    /// The label of the button that loads it.
    pub(super) command: &'static str,
    pub(super) on_present: Callback<ViewAction>,
}

/// Says why there is nothing, or offers to load it.
#[component]
pub(super) fn Missing(props: &MissingProps) -> Html {
    let MissingProps { tab, is_unreadable, offer, command, on_present } = props;
    let onclick = {
        let tab = *tab;
        on_present.reform(move |_: MouseEvent| ViewAction::Tab(tab))
    };
    let availability =
        use_context::<Availabilities>().map(|all| if *tab == Tab::Profile { all.profile } else { all.code });
    let text = match availability {
        Some(Availability::Running) if *tab == Tab::Profile => "Counting what each call executes …".into(),
        Some(Availability::Running) => "Loading the code …".into(),
        Some(Availability::Waiting) => "Waiting until the measurement is complete.".into(),
        Some(Availability::Impossible(reason)) => reason,
        Some(Availability::Possible) => {
            return html! {
                <p class="missing" data-test={format!("{}-missing", tab.name())}>{ offer }{ " " }
                    <button class="small" data-test={tab.name()} {onclick}>{ command }</button>
                </p>
            };
        }
        None if *is_unreadable => "This page is too old to read these results. Update Benchbook.".into(),
        None => {
            AttrValue::from(format!("These results have no {}.", if *tab == Tab::Profile { "profile" } else { "code" }))
        }
    };
    html! { <p class="missing" role="status" data-test={format!("{}-missing", tab.name())}>{ text }</p> }
}
