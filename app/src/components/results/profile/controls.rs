//! What the profile shows: the function, the metric, what it is compared with, and whether the standard library has frames.

use benchbook_notebook::view::{ProfileView, ViewAction};
use benchbook_profile::ProfileMetric;
use yew::prelude::*;

use super::heading;
use crate::components::results::sources::{Source, Sources};
use crate::components::widgets::choice::Choice;

#[derive(PartialEq, Properties)]
pub(super) struct ControlsProps {
    pub(super) sources: Sources,
    pub(super) shown: Source,
    pub(super) view: ProfileView,
    pub(super) on_present: Callback<ViewAction>,
}

#[component]
pub(super) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { sources, shown, view, on_present } = props;
    let change = |set: fn(&mut ProfileView, Option<String>)| {
        let view = view.clone();
        on_present.reform(move |value: String| {
            let mut changed = view.clone();
            set(&mut changed, Some(value).filter(|value| !value.is_empty()));
            ViewAction::Profile(changed)
        })
    };
    let functions: Vec<_> = sources.current.iter().map(|source| (source.key.clone(), source.label.clone())).collect();
    let metrics = ProfileMetric::ALL.map(|metric| (metric.name().to_owned(), heading(metric).to_owned())).to_vec();
    let comparable = sources.comparable(shown).into_iter().map(|source| (source.key.clone(), source.label.clone()));
    let comparable: Vec<_> = std::iter::once((String::new(), "nothing".to_owned())).chain(comparable).collect();
    let by = view.by.clone().unwrap_or_else(|| ProfileMetric::default().name().to_owned());
    let toggle_library = {
        let view = view.clone();
        let shows_library = !view.shows_library;
        on_present.reform(move |_: MouseEvent| ViewAction::Profile(ProfileView { shows_library, ..view.clone() }))
    };
    html! {
        <div class="toolbar">
            if functions.len() > 1 {
                <Choice label="Function" test="profile-function" options={functions} value={shown.key.clone()}
                    on_choose={change(|view, function| (view.function, view.before) = (function, None))} />
            }
            <Choice label="Count" test="profile-by" options={metrics} value={by} on_choose={change(|view, by| view.by = by)} />
            if comparable.len() > 1 {
                <Choice label="Compare with" is_labelled=true test="profile-before" options={comparable} value={view.before.clone().unwrap_or_default()}
                    on_choose={change(|view, before| view.before = before)} />
            }
            <button class="small" data-test="profile-std" aria-pressed={view.shows_library.to_string()} onclick={toggle_library}
                title="Show the standard library's functions instead of adding them to their callers">{ "std" }</button>
        </div>
    }
}
