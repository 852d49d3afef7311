//! The archive of the runner: lists of what it has stored, and a result.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::cell::foot;
use super::output::Output;
use super::warnings::Warnings;
use crate::host::runner::request::get;
use crate::state::archive::{Archive, ArchiveAction, ArchiveContent, ArchiveRow};
use crate::state::page::{PageAction, State};
use crate::state::runner::{Runner, RunnerStatus};

/// Asks the runner for what is looked at and not there yet.
#[hook]
pub(super) fn use_archive(state: &State, act: &Callback<PageAction>) {
    let runner = &state.runner;
    // What is stored is shown with the controls and units of the suites here, once they are there.
    let reach = runner.endpoint.clone().filter(|_| runner.status == RunnerStatus::Ready && !state.is_loading());
    let asked = state.archive.as_ref().and_then(|archive| match archive.content {
        ArchiveContent::Loading => Some(archive.path()),
        _ => archive.missing_samples(),
    });
    let act = act.clone();
    use_effect_with(reach.zip(asked), move |wanted| {
        let Some((reach, path)) = wanted.clone() else { return };
        spawn_local(async move {
            let answer = get(&reach, &path).await.map_err(|trouble| trouble.message().to_owned());
            act.emit(PageAction::Archive(ArchiveAction::Response(path, answer)));
        });
    });
}

/// The place in the archive that is shown.
pub(super) fn archive_view(archive: &Archive, runner: &Runner, on_action: &Callback<ArchiveAction>) -> Html {
    let mut way = archive.breadcrumbs();
    let here = way.pop().map(|(name, _)| name);
    let told = match (&archive.content, &runner.status) {
        (ArchiveContent::Error(told), _)
        | (ArchiveContent::Loading, RunnerStatus::Unreachable(told) | RunnerStatus::Rejected(told)) => {
            Some(told.as_str())
        }
        (ArchiveContent::Loading, _) if runner.endpoint.is_none() => Some("Choose a runner at the head of this page."),
        (ArchiveContent::Loading, _) => Some("Asking the runner…"),
        (ArchiveContent::Rows(rows, _), _) if rows.is_empty() => Some("Nothing is stored yet."),
        (ArchiveContent::Result(cell, _), _) => cell.remark.as_deref(),
        _ => None,
    };
    html! {
        <section class="cell" data-test="archive">
            <div class="head">
                <div role="navigation" aria-label="Above">{ for way.into_iter().map(|(name, link)| html! { <><a href={format!("#{link}")}>{ name }</a>{ " / " }</> }) }</div>
                <h1 class="path">{ here }</h1>
            </div>
            if let Some(told) = told {
                <p class="told" role="status" data-test="archive-told">{ told }</p>
            }
            { content(archive, on_action) }
        </section>
    }
}

fn content(archive: &Archive, on_action: &Callback<ArchiveAction>) -> Html {
    match &archive.content {
        ArchiveContent::Rows(rows, earlier) if !rows.is_empty() => html! {
            <>
                <div class="scroll told" tabindex="0" role="region" aria-label="Stored">
                    <table class="stored" data-test="stored"><tbody>{ for rows.iter().map(row) }</tbody></table>
                </div>
                if let Some(link) = earlier {
                    <p class="told"><a data-test="earlier" href={format!("#{link}")}>{ "Earlier results" }</a></p>
                }
            </>
        },
        ArchiveContent::Result(cell, again) => html! {
            <>
                <Output cell={cell.clone()} on_action={on_action.reform(ArchiveAction::Cell)} />
                <Warnings shown={cell.shown()} is_measuring={false} />
                <p class="told"><a data-test="again" href={format!("#{again}")}>{ "Measure this again" }</a></p>
                { foot(cell) }
            </>
        },
        _ => html! {},
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
