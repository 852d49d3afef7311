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
    /// It was not loaded, or only a part of it: sentences that say why. Choosing the tab tries again.
    Failed(AttrValue),
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

impl Availabilities {
    /// Whether what a tab shows can be loaded.
    fn of(self, tab: Tab) -> Availability {
        if tab == Tab::Profile { self.profile } else { self.code }
    }
}

#[derive(PartialEq, Properties)]
pub(super) struct LoadProblemProps {
    pub(super) tab: Tab,
    pub(super) on_present: Callback<ViewAction>,
}

/// Says why something was not loaded, and offers to try again; nothing if all was.
#[component]
pub(super) fn LoadProblem(props: &LoadProblemProps) -> Html {
    let LoadProblemProps { tab, on_present } = props;
    match use_context::<Availabilities>().map(|all| all.of(*tab)) {
        Some(Availability::Failed(reasons)) => html! {
            <p class="missing" role="status" data-test={format!("{}-problem", tab.name())}>{ reasons }{ " " }
                <button class="small" data-test={format!("{}-again", tab.name())} onclick={load(*tab, on_present)}>{ "Try again" }</button>
            </p>
        },
        _ => html! {},
    }
}

/// Chooses a tab, which loads what it shows.
fn load(tab: Tab, on_present: &Callback<ViewAction>) -> Callback<MouseEvent> {
    on_present.reform(move |_| ViewAction::Tab(tab))
}

/// Says why there is nothing, or offers to load it.
#[component]
pub(super) fn Missing(props: &MissingProps) -> Html {
    let MissingProps { tab, is_unreadable, offer, command, on_present } = props;
    let text = match use_context::<Availabilities>().map(|all| all.of(*tab)) {
        Some(Availability::Failed(_)) => return html! { <LoadProblem tab={*tab} on_present={on_present.clone()} /> },
        Some(Availability::Impossible(_)) | None if *is_unreadable => {
            "Can't show this: a newer Benchbook stored it, or it is damaged. Update this page.".into()
        }
        Some(Availability::Running) if *tab == Tab::Profile => "Counting what each call executes …".into(),
        Some(Availability::Running) => "Loading the code …".into(),
        Some(Availability::Waiting) => "Waiting until the measurement is complete.".into(),
        Some(Availability::Impossible(reason)) => reason,
        Some(Availability::Possible) => {
            return html! {
                <p class="missing" data-test={format!("{}-missing", tab.name())}>{ offer }{ " " }
                    <button class="small" data-test={tab.name()} onclick={load(*tab, on_present)}>{ command }</button>
                </p>
            };
        }
        None => {
            AttrValue::from(format!("These results have no {}.", if *tab == Tab::Profile { "profile" } else { "code" }))
        }
    };
    html! { <p class="missing" role="status" data-test={format!("{}-missing", tab.name())}>{ text }</p> }
}
