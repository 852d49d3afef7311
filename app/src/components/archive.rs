//! The archive of the runner: lists of its stored results, and a single result.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::cell_footer::cell_footer;
use super::output::Output;
use super::quality::Quality;
use super::ranking::{Answer, use_rankings};
use crate::host::runner::request::get;
use crate::settings::presentation::PresentationAction;
use crate::state::archive::{Archive, ArchiveAction, ArchiveContent, ArchiveRow, ArchivedResult};
use crate::state::page::{PageAction, State};
use crate::state::runner::{RunnerState, RunnerStatus};

/// Requests the part of the archive that is shown and not loaded yet.
#[hook]
pub(super) fn use_archive(state: &State, act: &Callback<PageAction>) {
    let runner = &state.runner;
    // A result is shown with the controls and units of this page's suites, so these are loaded first.
    let reach = runner.endpoint.clone().filter(|_| runner.status == RunnerStatus::Ready && !state.is_loading());
    let path = state.archive.as_ref().and_then(|archive| match archive.content {
        ArchiveContent::Loading => Some(archive.path()),
        _ => archive.missing_samples(),
    });
    let act = act.clone();
    use_effect_with(reach.zip(path), move |request| {
        let Some((reach, path)) = request.clone() else { return };
        spawn_local(async move {
            let response = get(&reach, &path).await.map_err(|trouble| trouble.message().to_owned());
            act.emit(PageAction::Archive(ArchiveAction::Response(path, response)));
        });
    });
}

/// The part of the archive that the address names.
pub(super) fn archive_view(archive: &Archive, runner: &RunnerState, on_action: &Callback<ArchiveAction>) -> Html {
    let mut ancestors = archive.breadcrumbs();
    let title = ancestors.pop().map(|(name, _)| name);
    html! {
        <section class="cell" data-test="archive">
            <div class="head">
                <div role="navigation" aria-label="Archive">{ for ancestors.into_iter().map(|(name, link)| html! { <><a href={format!("#{link}")}>{ name }</a>{ " / " }</> }) }</div>
                <h1 class="path">{ title }</h1>
            </div>
            if let Some(status) = status(archive, runner) {
                <p class="archive-note" role="status" data-test="archive-status">{ status }</p>
            }
            { content(archive, on_action) }
        </section>
    }
}

/// The reason why there is nothing to show, or a remark about a result.
fn status<'a>(archive: &'a Archive, runner: &'a RunnerState) -> Option<&'a str> {
    match (&archive.content, &runner.status) {
        (ArchiveContent::Error(reason), _)
        | (ArchiveContent::Loading, RunnerStatus::Unreachable(reason) | RunnerStatus::Rejected(reason)) => Some(reason),
        (ArchiveContent::Loading, _) if runner.endpoint.is_none() => {
            Some("No runner. Choose one in the page's header.")
        }
        (ArchiveContent::Loading, _) => Some("Loading from the runner…"),
        (ArchiveContent::Rows(rows, _), _) if rows.is_empty() => Some("No stored results yet."),
        (ArchiveContent::Result(archived, _), _) => archived.remark.as_deref(),
        _ => None,
    }
}

fn content(archive: &Archive, on_action: &Callback<ArchiveAction>) -> Html {
    match &archive.content {
        ArchiveContent::Rows(rows, earlier) if !rows.is_empty() => html! {
            <>
                <div class="scroll archive-note" tabindex="0" role="region" aria-label="Stored results">
                    <table class="stored" data-test="stored"><tbody>{ for rows.iter().map(row) }</tbody></table>
                </div>
                if let Some(link) = earlier {
                    <p class="archive-note"><a data-test="earlier" href={format!("#{link}")}>{ "Earlier results" }</a></p>
                }
            </>
        },
        ArchiveContent::Result(archived, again) => html! {
            <ArchivedResultView archived={ArchivedResult::clone(archived)} again={again.clone()}
                on_present={on_action.reform(ArchiveAction::Present)} />
        },
        _ => html! {},
    }
}

#[derive(PartialEq, Properties)]
struct ArchivedResultProps {
    archived: ArchivedResult,
    /// The fragment of the link that measures it again.
    again: String,
    on_present: Callback<PresentationAction>,
}

#[component]
fn ArchivedResultView(props: &ArchivedResultProps) -> Html {
    let ArchivedResult { results, presentation, .. } = &props.archived;
    let shown = results.shown();
    let rankings = use_rankings(&shown);
    html! {
        <>
            <Answer shown={shown.clone()} rankings={Rc::clone(&rankings)} margin={presentation.margin.ratio()}
                ranked_at={presentation.ranked_at.clone()} on_present={props.on_present.clone()} />
            <Output results={results.clone()} {rankings} presentation={presentation.clone()} is_measuring={false}
                is_outdated={false} on_present={props.on_present.clone()} />
            <Quality {shown} is_measuring={false} />
            <p class="archive-note"><a data-test="again" href={format!("#{}", props.again)}>{ "Measure again" }</a></p>
            { cell_footer(results) }
        </>
    }
}

fn row(row: &ArchiveRow) -> Html {
    let stored: String =
        js_sys::Date::new(&JsValue::from_f64(row.stored)).to_locale_string("default", &JsValue::UNDEFINED).into();
    html! {
        <tr>
            <th scope="row" class="text"><a href={format!("#{}", row.link)}>{ &row.name }</a></th>
            <td class="text">{ &row.details }</td>
            <td>{ &row.count }</td>
            <td>{ stored }</td>
        </tr>
    }
}
