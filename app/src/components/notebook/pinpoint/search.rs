//! The search by time, in this browser.

use std::rc::Rc;

use benchbook_pinpoint::{Found, PinpointReport, RangeComparison};
use futures_util::future::{AbortHandle, abortable};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::model::interval;
use crate::components::widgets::code::with_code;
use crate::effects::measure::pinpointing::{SearchProgress, search};

#[derive(PartialEq, Properties)]
pub(super) struct TimeSearchProps {
    pub(super) report: Rc<PinpointReport>,
    pub(super) on_found: Callback<Found>,
}

/// Ends a search when it is dropped.
struct RunningSearch(AbortHandle);

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What was found, and the button that searches.
#[component]
pub(super) fn TimeSearchView(props: &TimeSearchProps) -> Html {
    let TimeSearchProps { report, .. } = props;
    let progress = use_state_eq(|| None::<SearchProgress>);
    let problem = use_state_eq(String::new);
    let running = use_mut_ref(|| None::<RunningSearch>);
    let on_start = {
        let (report, on_found) = (Rc::clone(report), props.on_found.clone());
        let (progress, problem, running) = (progress.setter(), problem.setter(), Rc::clone(&running));
        Callback::from(move |_: MouseEvent| {
            let (report, on_found) = (Rc::clone(&report), on_found.clone());
            let (progress, problem) = (progress.clone(), problem.clone());
            progress.set(Some(SearchProgress::Preparing));
            problem.set(String::new());
            let on_progress = {
                let progress = progress.clone();
                Callback::from(move |step| progress.set(Some(step)))
            };
            let (searching, handle) = abortable(async move {
                let Some(request) = &report.search else { return };
                match search(&report.instructions, request, on_progress).await {
                    Ok(found) => on_found.emit(found),
                    Err(reason) => problem.set(reason),
                }
                progress.set(None);
            });
            running.replace(Some(RunningSearch(handle)));
            spawn_local(async move { _ = searching.await });
        })
    };
    let on_stop = {
        let (progress, running) = (progress.setter(), Rc::clone(&running));
        Callback::from(move |_: MouseEvent| {
            running.replace(None);
            progress.set(None);
        })
    };
    let found = report.by_time.as_ref();
    if report.search.is_none() && found.is_none() {
        return html! {};
    }
    let status = match *progress {
        None => "",
        Some(SearchProgress::Waiting) => "Waiting for another tab",
        Some(SearchProgress::Preparing) => "Loading both builds",
        Some(SearchProgress::Compared(1)) => "1 range compared",
        Some(SearchProgress::Compared(count)) => &format!("{count} ranges compared"),
    };
    html! {
        <div class="pinpoint-search" data-test="pinpoint-search">
            <div class="pinpoint-search-head">
                <h3>{ "By time, in this browser" }</h3>
                <span role="status" class="soft" data-test="pinpoint-progress">{ status }</span>
                if progress.is_some() {
                    <button class="small stop" data-test="pinpoint-stop" onclick={on_stop}>{ "Stop" }</button>
                } else if report.search.is_some() {
                    <button class="small" data-test="pinpoint-start" onclick={on_start}>{ if found.is_some() { "Search again" } else { "Search by time" } }</button>
                }
            </div>
            if !problem.is_empty() {
                <p class="problem-note" role="alert" data-test="problem">{ &*problem }</p>
            }
            if let Some(found) = found {
                <p data-test="pinpoint-found">{ with_code(&found.sentence()) }{ "." }</p>
                <details open=true>
                    <summary>{ format!("Compared ranges ({})", found.comparisons.len()) }</summary>
                    <ol class="pinpoint-ranges" data-test="pinpoint-ranges">{ for found.comparisons.iter().map(|comparison| range(comparison, found)) }</ol>
                </details>
            } else {
                <p class="soft">{ "It times ranges of the calls that the function makes, in both builds in turn: first all, then one half of them, and so on. It takes up to a minute." }</p>
            }
        </div>
    }
}

fn range(comparison: &RangeComparison, found: &Found) -> Html {
    html! {
        <li class={(comparison.range == found.range).then_some("found")}>
            <span data-test="pinpoint-range">{ &comparison.name }</span>
            <span class="interval">{ interval(comparison.difference) }</span>
        </li>
    }
}
