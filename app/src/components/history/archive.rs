//! The archive of the runner: lists of its stored results, and a single result.

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::components::results::result_view::ResultView;
use crate::components::widgets::date::date;
use crate::effects::runner::request::get;
use crate::state::machines::archive::{Archive, ArchiveAction, ArchiveContent, ArchiveRow};
use crate::state::machines::runner::{RunnerState, RunnerStatus};
use crate::state::{PageAction, Shown, State};

/// Requests the part of the archive that is shown and not loaded yet.
#[hook]
pub(crate) fn use_archive(state: &State, act: &Callback<PageAction>) {
    let runner = &state.runner;
    // A result is shown with the controls and units of this page's suites, so these are loaded first.
    let reach = runner.endpoint.clone().filter(|_| runner.status == RunnerStatus::Ready && !state.is_loading());
    let path = match &state.shown {
        Shown::Archive(archive) if archive.content == ArchiveContent::Loading => Some(archive.path()),
        Shown::Archive(archive) => archive.missing_samples(),
        _ => None,
    };
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
pub(crate) fn archive_view(archive: &Archive, runner: &RunnerState, on_action: &Callback<ArchiveAction>) -> Html {
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
            <>
                <ResultView results={archived.results.clone()} view={archived.view.clone()}
                    on_present={on_action.reform(ArchiveAction::Present)} />
                <p class="archive-note"><a data-test="again" href={format!("#{again}")}>{ "Open in a cell" }</a></p>
            </>
        },
        _ => html! {},
    }
}

fn row(row: &ArchiveRow) -> Html {
    let stored = date(row.stored);
    html! {
        <tr>
            <th scope="row" class="text"><a href={format!("#{}", row.link)}>{ &row.name }</a></th>
            <td class="text">{ &row.details }</td>
            <td>{ &row.count }</td>
            <td>{ stored }</td>
        </tr>
    }
}
