//! The history of a function: its accepted results over builds, the steps between them, and the curves on both sides of a step.

mod chart;
mod choices;
mod over_builds;
mod result_table;
mod sides;

use benchbook_contract::catalog::name_of;
use benchbook_host::api::{AcceptedHistory, HistoryFunction};
use benchbook_host::history::HistoryPoint;
use benchbook_host::units::axis_value;
use benchbook_report::history::{axis_name, history_answer, series_labels};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::breakable::breakable;
use crate::host::runner::request::get;
use crate::share::link::Link;
use crate::state::function_history::{FunctionHistory, HistoryAction, HistoryContent};
use crate::state::page::{PageAction, State};
use crate::state::runner::{RunnerState, RunnerStatus};
use choices::{HistoryValueSelect, MeasurementSelect};
use over_builds::{OverBuilds, ShownSeries};
use result_table::result_table;
use sides::Sides;

/// Lists the functions with accepted results, and loads those of the history that is shown.
#[hook]
pub(super) fn use_history(state: &State, act: &Callback<PageAction>) {
    let runner = &state.runner;
    let endpoint = runner.endpoint.clone().filter(|_| runner.status == RunnerStatus::Ready);
    {
        let act = act.clone();
        // Again after a history was shown: results may have been accepted in the meantime.
        use_effect_with(endpoint.clone().filter(|_| state.history.is_none()), move |endpoint| {
            let Some(endpoint) = endpoint.clone() else { return };
            spawn_local(async move {
                // A runner of an earlier version has no histories.
                let body = get(&endpoint, "history/functions").await.ok();
                let functions = body.and_then(|body| serde_json::from_str::<Vec<HistoryFunction>>(&body).ok());
                act.emit(PageAction::HistoryFunctions(functions.unwrap_or_default()));
            });
        });
    }
    let is_loading = |history: &&FunctionHistory| history.content == HistoryContent::Loading;
    let path = state.history.as_ref().filter(is_loading).map(FunctionHistory::path);
    let act = act.clone();
    use_effect_with(endpoint.zip(path), move |request| {
        let Some((endpoint, path)) = request.clone() else { return };
        spawn_local(async move {
            let loaded = get(&endpoint, &path).await.map_err(|error| error.message().to_owned());
            let loaded = loaded
                .and_then(|body| serde_json::from_str::<AcceptedHistory>(&body).map_err(|_| UNKNOWN_FORMAT.to_owned()));
            act.emit(PageAction::History(HistoryAction::Loaded(path, loaded)));
        });
    });
}

/// The message for a response from a newer runner.
const UNKNOWN_FORMAT: &str = "The runner's response has an unknown format. Reload the page.";

#[derive(PartialEq, Properties)]
pub(super) struct HistoryViewProps {
    pub(super) history: FunctionHistory,
    pub(super) runner: RunnerState,
    pub(super) on_action: Callback<HistoryAction>,
}

/// The answer first, then the plot, the curves on both sides of the chosen step, and the table.
#[component]
pub(super) fn HistoryView(props: &HistoryViewProps) -> Html {
    let HistoryViewProps { history, runner, on_action } = props;
    let (suite, function) = history.function();
    let measure = Link { suite: suite.to_owned(), function: function.to_owned(), ..Link::default() };
    html! {
        <section class="cell history" data-test="history" data-path={function.to_owned()}>
            <div class="head">
                <div role="navigation" aria-label="Function"><a href={format!("#{}", measure.write())}>{ format!("Measure {}", name_of(function)) }</a></div>
                <h1 class="path"><i>{ "History of " }{ breakable(&format!("{suite}::")) }</i>{ breakable(function) }</h1>
            </div>
            if let Some(status) = status(history, runner) {
                <p class="archive-note" role="status" data-test="history-status">{ status }</p>
            }
            if let HistoryContent::Loaded(_, warnings) = &history.content {
                { for warnings.iter().map(|warning| html! { <p class="problem-note" data-test="history-warning">{ warning }</p> }) }
            }
            { measurement_view(history, on_action) }
        </section>
    }
}

/// The reason why there is nothing to show.
fn status<'a>(history: &'a FunctionHistory, runner: &'a RunnerState) -> Option<&'a str> {
    match (&history.content, &runner.status) {
        (HistoryContent::Error(reason), _)
        | (HistoryContent::Loading, RunnerStatus::Unreachable(reason) | RunnerStatus::Rejected(reason)) => Some(reason),
        (HistoryContent::Loading, _) if runner.endpoint.is_none() => {
            Some("No runner. Choose one in the page's header.")
        }
        (HistoryContent::Loading, _) => Some("Loading from the runner…"),
        (HistoryContent::Loaded(measurements, _), _) if measurements.is_empty() => {
            Some("This function has no accepted results. Run `cargo benchbook check`, then `cargo benchbook accept`.")
        }
        (HistoryContent::Loaded(..), _) => None,
    }
}

fn measurement_view(history: &FunctionHistory, on_action: &Callback<HistoryAction>) -> Html {
    let HistoryContent::Loaded(measurements, _) = &history.content else { return html! {} };
    let Some((index, measurement)) = history.measurement() else { return html! {} };
    let (x, name) = (history.axis_value(measurement), axis_name(&measurement.arguments));
    let at = name.map(|name| format!("{name} {}", axis_value(&x))).unwrap_or_default();
    let labels = series_labels(&measurement.series);
    let is_single = labels.len() == 1;
    let shown: Vec<ShownSeries> = measurement
        .series
        .iter()
        .zip(labels)
        .map(|(series, label)| ShownSeries { label, points: series.at(&x) })
        .collect();
    let (_, function) = history.function();
    let answers = newest_first(&shown).into_iter().filter_map(|series| {
        let answer = history_answer(function, measurement.metric, &at, &series.points)?;
        Some(if is_single { answer } else { format!("{}: {answer}", series.label) })
    });
    let link_to = {
        let history = history.clone();
        Callback::from(move |step: String| history.link_to(Some(&step)))
    };
    let sides = history.sides(measurement);
    html! {
        <>
            <div class="answer">{ for answers.enumerate().map(|(index, answer)| html! {
                <p class={(index == 0).then_some("sentence")} data-test="history-answer">{ answer }</p>
            }) }</div>
            <div class="history-choices">
                <MeasurementSelect measurements={measurements.clone()} chosen={index} on_choose={on_action.reform(HistoryAction::Measurement)} />
                <HistoryValueSelect name={name.unwrap_or_default().to_owned()} values={measurement.axis_values()} chosen={x.clone()} on_choose={on_action.reform(HistoryAction::At)} />
            </div>
            <OverBuilds shown={shown.clone()} {at} metric={measurement.metric} {link_to} />
            if let Some((_, before, after)) = sides {
                <Sides before={before.clone()} after={after.clone()} close={history.link_to(None)} />
            }
            { result_table(&shown, history) }
        </>
    }
}

/// The series, the one with the newest result first.
fn newest_first(shown: &[ShownSeries]) -> Vec<&ShownSeries> {
    let newest = |series: &&ShownSeries| series.points.last().map_or(0.0, measured);
    let mut sorted: Vec<&ShownSeries> = shown.iter().collect();
    sorted.sort_by(|one, other| newest(other).total_cmp(&newest(one)));
    sorted
}

/// When a result was measured, in seconds since 1970.
fn measured(point: &HistoryPoint) -> f64 {
    point.accepted.result.measured
}
