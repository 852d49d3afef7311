//! The accepted results as a table: a row for each, the newest first.

use benchbook_host::units::percent;
use benchbook_report::history::{build_label, change_in_words, day, machine_details};
use yew::prelude::*;

use super::build_offer::build_offer;
use super::over_builds::{PlacedPoint, ShownSeries};
use crate::state::machines::function_history::FunctionHistory;
use crate::state::machines::runner_builds::RunnerBuilds;

/// `builds`: those of the runner, if it keeps any besides the current one.
pub(super) fn result_table(shown: &[ShownSeries], history: &FunctionHistory, builds: Option<&RunnerBuilds>) -> Html {
    let placed = PlacedPoint::all(shown);
    let has_machines = shown.len() > 1;
    html! {
        <>
            <div class="scroll archive-note" tabindex="0" role="region" aria-label="Accepted results">
                <table class="history-table" data-test="history-table">
                    <thead>
                        <tr>
                            <th scope="col" class="text">{ "measured" }</th>
                            <th scope="col" class="text">{ "build" }</th>
                            <th scope="col">{ "mean" }</th>
                            <th scope="col">{ "± sd" }</th>
                            <th scope="col" class="text">{ "step" }</th>
                            if has_machines {
                                <th scope="col" class="text">{ "machine" }</th>
                            }
                            if builds.is_some() {
                                <th scope="col" class="text">{ "on the runner" }</th>
                            }
                            <th scope="col" class="text">{ "accepted by" }</th>
                            <th scope="col" class="text">{ "note" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for placed.iter().rev().map(|placed| row(placed, shown, history, builds)) }</tbody>
                </table>
            </div>
            if !has_machines {
                if let Some(placed) = placed.last() {
                    <p class="archive-note" data-test="history-machine">{ machine_details(&placed.point.accepted.result.machine) }</p>
                }
            }
        </>
    }
}

fn row(
    PlacedPoint { series, point, .. }: &PlacedPoint,
    shown: &[ShownSeries],
    history: &FunctionHistory,
    builds: Option<&RunnerBuilds>,
) -> Html {
    let offer = builds.map(|builds| match builds.offer_with_current(&point.accepted) {
        Some(offer) => build_offer(&offer),
        None => html! { "current build" },
    });
    let (result, acceptance) = (&point.accepted.result, &point.accepted.accepted);
    let id = point.accepted.id();
    let is_current = history.step() == Some(id.as_str());
    let step = point.step.map(|step| {
        html! {
            <a href={format!("#{}", history.link_to(Some(&id)))} data-test="step" aria-current={is_current.then_some("true")}>
                { change_in_words(result.benchmark.metric, step.change()) }
            </a>
        }
    });
    let build = build_label(&result.build);
    let title = result.build.dirty.then_some("Files differed from the commit");
    html! {
        <tr data-id={id.clone()} data-mean={point.mean.to_string()} data-step={point.step.map(|step| step.change().to_string())}>
            <th scope="row" class="text">{ day(result.measured) }</th>
            <td class="text"><code {title}>{ build }</code></td>
            <td>{ result.benchmark.metric.text(point.mean) }</td>
            <td>{ point.sd.filter(|_| !result.benchmark.metric.is_exact()).map(|sd| percent(sd / point.mean)) }</td>
            <td class="text">{ for step }</td>
            if shown.len() > 1 {
                <td class="text">{ &shown[*series].label }</td>
            }
            if let Some(offer) = offer {
                <td class="text" data-test="build-on-runner">{ offer }</td>
            }
            <td class="text">{ &acceptance.by }</td>
            <td class="text">{ &acceptance.note }</td>
        </tr>
    }
}
