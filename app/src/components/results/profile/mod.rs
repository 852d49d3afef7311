//! What the calls of a function execute, by function: a chart, how the shares change over the axis, and a table.

mod controls;
pub(crate) mod export;
mod held;
mod icicle;
pub(crate) mod model;
mod shares;
mod table;

use std::rc::Rc;

use benchbook_notebook::view::{CellView, ProfileView, Tab, ViewAction};
use benchbook_profile::{ProfileMetric, in_percent, short_number};
use benchbook_report::results::Results;
use yew::prelude::*;

use super::missing::Missing;
use super::sources::{Source, Sources};
use controls::Controls;
use held::Held;
use icicle::Icicle;
use model::{Part, ProfileModel};
use shares::Shares;
use table::ProfileTable;

/// The profiles of a cell, and the shown one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShownProfile {
    sources: Sources,
    shown: Option<Source>,
    /// Absent if this version can't read it, and without a profile.
    pub(super) model: Option<Rc<ProfileModel>>,
}

/// Returns the profile that a view shows; nothing unless it shows the tab.
#[hook]
pub(super) fn use_profile(results: &Results, view: &CellView) -> ShownProfile {
    let is_shown = view.tab == Tab::Profile;
    let sources = match is_shown {
        true => Sources::of(results, |result, function| Some(&result.profile(function)?.profile)),
        false => Sources::default(),
    };
    let shown = use_memo((sources, view.profile.clone()), |(sources, view)| {
        let shown = sources.shown(view.function.as_ref());
        let before = shown.and_then(|shown| sources.before(shown, view.before.as_ref()));
        let model = shown.and_then(|shown| ProfileModel::new(shown, before, view)).map(Rc::new);
        ShownProfile { sources: sources.clone(), shown: shown.cloned(), model }
    });
    ShownProfile::clone(&shown)
}

#[derive(PartialEq, Properties)]
pub(super) struct ProfileTabProps {
    pub(super) profile: ShownProfile,
    pub(super) view: ProfileView,
    /// The measured build.
    pub(super) build: String,
    pub(super) on_present: Callback<ViewAction>,
}

/// The content of the tab.
#[component]
pub(super) fn ProfileTab(props: &ProfileTabProps) -> Html {
    let ProfileTabProps { profile: ShownProfile { sources, shown, model }, view, build, on_present } = props;
    match (model, shown) {
        (Some(model), Some(shown)) => html! {
            <>
                <Controls sources={sources.clone()} shown={shown.clone()} view={view.clone()} on_present={on_present.clone()} />
                <Body key={shown.key.clone()} model={Rc::clone(model)} view={view.clone()} on_present={on_present.clone()} />
                <p class="profile-foot">
                    <span>{ "Counted in WebAssembly: the same build gives the same counts on every machine." }</span>
                    <span>{ build }</span>
                </p>
            </>
        },
        _ => html! {
            <Missing tab={Tab::Profile} is_unreadable={shown.is_some()} on_present={on_present.clone()}
                offer="A profile shows what each part executes, and how that grows. Counting takes a few seconds." command="Count" />
        },
    }
}

#[derive(PartialEq, Properties)]
struct BodyProps {
    model: Rc<ProfileModel>,
    view: ProfileView,
    on_present: Callback<ViewAction>,
}

/// The profile. Its zoom and its search are gone when another one is shown.
#[component]
fn Body(props: &BodyProps) -> Html {
    let BodyProps { model, view, on_present } = props;
    let zoom = use_state_eq(Vec::<usize>::new);
    let search = use_state_eq(String::new);
    let on_zoom = {
        let zoom = zoom.setter();
        use_callback((), move |path: Vec<usize>, ()| zoom.set(path))
    };
    let oninput = {
        let search = search.setter();
        Callback::from(move |event: InputEvent| {
            search.set(event.target_unchecked_into::<web_sys::HtmlInputElement>().value().to_lowercase());
        })
    };
    let at = {
        let view = view.clone();
        let xs = model.xs.clone();
        on_present.reform(move |index: usize| {
            let at = xs.get(index).map(ToString::to_string);
            ViewAction::Profile(ProfileView { at, ..view.clone() })
        })
    };
    let found = (!search.is_empty()).then(|| {
        let amount = model.root.matching(&search);
        format!("{} in matching functions", in_percent(model.share(amount)))
    });
    let has_library = !view.shows_library && model.profile.includes_library && model.root.children.is_empty();
    let show_library = {
        let view = view.clone();
        on_present.reform(move |_: MouseEvent| ViewAction::Profile(ProfileView { shows_library: true, ..view.clone() }))
    };
    html! {
        <>
            <p class="profile-answer" data-test="profile-answer">{ capitalised(&model.answer) }<small>{ "Exact count" }</small></p>
            <div class="profile-charts">
                <section>
                    <div class="profile-bar">
                        <input type="search" data-test="profile-search" aria-label="Find functions in the profile" placeholder="Find" {oninput} />
                        <span role="status" class="soft" data-test="profile-found">{ found }</span>
                        if !zoom.is_empty() {
                            <button class="small" data-test="profile-unzoom" onclick={on_zoom.reform(|_: MouseEvent| Vec::new())}>{ "Reset zoom" }</button>
                        }
                        { legend(model) }
                    </div>
                    <Icicle model={Rc::clone(model)} zoom={(*zoom).clone()} {on_zoom} search={(*search).clone()} />
                    if has_library {
                        <p class="hints" data-test="profile-only-library">
                            { "Everything is in this function and in the standard library. " }
                            <button class="link" onclick={show_library}>{ "Show the standard library" }</button>
                        </p>
                    }
                </section>
                if model.xs.len() > 1 {
                    <Shares model={Rc::clone(model)} on_at={at} />
                }
            </div>
            <Held model={Rc::clone(model)} />
            <ProfileTable model={Rc::clone(model)} />
        </>
    }
}

/// A sentence about its own code begins with a capital letter; names of functions stay as they are.
fn capitalised(answer: &str) -> String {
    answer.strip_prefix("its ").map_or_else(|| answer.to_owned(), |rest| format!("Its {rest}"))
}

/// What the fills of the chart mean.
fn legend(model: &ProfileModel) -> Html {
    let swatch = |class: String, name: String| html! { <li><span class={classes!("swatch", class)} aria-hidden="true" />{ name }</li> };
    if model.is_comparison {
        let changes = [("more-2", "▲ more"), ("same", "= unchanged"), ("fewer-2", "▼ fewer")];
        return html! { <ul class="profile-legend">{ for changes.map(|(class, name)| swatch(class.to_owned(), name.to_owned())) }</ul> };
    }
    let named = |(index, name): (usize, &String)| {
        let name = if name.is_empty() { "other" } else { name };
        swatch(crate_class(index), name.to_owned())
    };
    html! { <ul class="profile-legend" data-test="profile-crates">{ for model.crates.iter().enumerate().take(MAX_CRATES).map(named) }</ul> }
}

/// How many crates have a fill of their own; the last one is that of all others.
const MAX_CRATES: usize = 6;

/// The class of a crate's fill, by the index of the crate.
fn crate_class(index: usize) -> String {
    format!("crate-{}", index.min(MAX_CRATES - 1))
}

/// The class of a part's fill.
fn fill(part: &Part) -> String {
    let Some(change) = part.change() else { return crate_class(part.package) };
    let relative = change / part.total.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let step = match relative.abs() {
        _ if change == 0.0 => return "same".to_owned(),
        share if share < 0.05 => 1,
        share if share < 0.3 => 2,
        _ => 3,
    };
    format!("{}-{step}", if change > 0.0 { "more" } else { "fewer" })
}

/// The amount of a part: its share or, in a comparison, its change.
fn amount(model: &ProfileModel, part: &Part) -> String {
    match (part.change(), &part.total[..]) {
        (Some(change), [before, _]) => changed(change, *before),
        (_, total) => in_percent(model.share(total.last().copied().unwrap_or_default())),
    }
}

/// A change, with its sign as a mark: `▲ 73.0 k · +4.5%`.
fn changed(change: f64, before: f64) -> String {
    let (mark, sign) = match change {
        0.0 => return "= 0".to_owned(),
        more if more > 0.0 => ("▲", "+"),
        _ => ("▼", "−"),
    };
    let relative =
        if before > 0.0 { format!(" · {sign}{}", in_percent(change.abs() / before)) } else { String::new() };
    format!("{mark} {}{relative}", short_number(change.abs()))
}

/// The heading of a column with amounts.
fn heading(metric: ProfileMetric) -> &'static str {
    match metric {
        ProfileMetric::Instructions => "Instructions",
        ProfileMetric::Calls => "Calls",
        ProfileMetric::Loads => "Loads",
        ProfileMetric::Stores => "Stores",
        ProfileMetric::Copied => "Copied bytes",
        ProfileMetric::Bytes => "Allocated bytes",
        ProfileMetric::Allocations => "Allocations",
        ProfileMetric::Held => "Bytes held",
    }
}
