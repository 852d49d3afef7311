//! The history of a function: its accepted results over builds, the steps between them, and the curves on both sides of a step.

pub(crate) mod archive;
mod build_offer;
mod chart;
mod choices;
mod over_builds;
mod result_table;
mod sides;

use benchbook_contract::catalog::name_of;
use benchbook_host::api::{AcceptedHistory, HistoryFunction};
use benchbook_host::history::{CheckedMetric, HistoryPoint};
use benchbook_host::units::axis_value;
use benchbook_report::history::{axis_name, history_answer, series_labels};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::address::Address;
use crate::components::widgets::breakable::breakable;
use crate::effects::runner::request::get;
use crate::effects::suites::site_history;
use crate::state::machines::function_history::{FunctionHistory, HistoryAction, HistoryContent, HistoryRequest};
use crate::state::machines::runner::{RunnerEndpoint, RunnerStatus};
use crate::state::machines::runner_builds::RunnerBuilds;
use crate::state::{PageAction, State};
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
        use_effect_with(endpoint.clone().filter(|_| state.history().is_none()), move |endpoint| {
            let Some(endpoint) = endpoint.clone() else { return };
            spawn_local(async move {
                let body = get(&endpoint, "history/functions").await.ok();
                let functions = body.and_then(|body| serde_json::from_str::<Vec<HistoryFunction>>(&body).ok());
                act.emit(PageAction::HistoryFunctions(functions.unwrap_or_default()));
            });
        });
    }
    let folder = state.site_config.as_ref().and_then(|config| config.history.clone());
    let act = act.clone();
    use_effect_with((endpoint, folder, state.history_request()), move |(endpoint, folder, request)| {
        let (endpoint, folder) = (endpoint.clone(), folder.clone());
        let Some(request) = request.clone() else { return };
        spawn_local(async move {
            let loaded = match (&request, endpoint, folder) {
                (HistoryRequest::Runner(path), Some(endpoint), _) => results_of_runner(&endpoint, path).await,
                (HistoryRequest::Site(file), _, Some(folder)) => site_history::results(&folder, file).await,
                _ => return,
            };
            act.emit(PageAction::History(HistoryAction::Loaded(request, loaded)));
        });
    });
}

async fn results_of_runner(endpoint: &RunnerEndpoint, path: &str) -> Result<AcceptedHistory, String> {
    let body = get(endpoint, path).await.map_err(|error| error.message().to_owned())?;
    serde_json::from_str(&body).map_err(|_| UNKNOWN_FORMAT.to_owned())
}

/// The message for a response from a newer runner.
const UNKNOWN_FORMAT: &str = "The runner's response has an unknown format. Reload the page.";

#[derive(PartialEq, Properties)]
pub(super) struct HistoryViewProps {
    pub(super) history: FunctionHistory,
    /// A sentence if there are no results, or not yet.
    pub(super) status: Option<String>,
    /// A sentence if the results are of another source than usual.
    pub(super) source: Option<&'static str>,
    /// The builds that the runner can measure together; absent without a runner that measures the suite.
    pub(super) builds: Option<RunnerBuilds>,
    pub(super) on_action: Callback<HistoryAction>,
}

/// The answer first, then the plot, the curves on both sides of the chosen step, and the table.
#[component]
pub(super) fn HistoryView(props: &HistoryViewProps) -> Html {
    let HistoryViewProps { history, status, source, builds, on_action } = props;
    let (suite, function) = history.function();
    let measure = Address::of_function(suite, function);
    html! {
        <section class="cell history" data-test="history" data-path={function.to_owned()}>
            <div class="head">
                <div role="navigation" aria-label="Function"><a href={format!("#{}", measure.link())}>{ format!("Measure {}", name_of(function)) }</a></div>
                <h1 class="path"><i>{ "History of " }{ breakable(&format!("{suite}::")) }</i>{ breakable(function) }</h1>
            </div>
            if let Some(status) = status {
                <p class="archive-note" role="status" data-test="history-status">{ status }</p>
            }
            if let Some(source) = source {
                <p class="archive-note" data-test="history-source">{ *source }</p>
            }
            if let HistoryContent::Loaded(_, warnings) = &history.content {
                { for warnings.iter().map(|warning| html! { <p class="problem-note" data-test="history-warning">{ warning }</p> }) }
            }
            { measurement_view(history, builds.as_ref(), on_action) }
        </section>
    }
}

fn measurement_view(
    history: &FunctionHistory,
    builds: Option<&RunnerBuilds>,
    on_action: &Callback<HistoryAction>,
) -> Html {
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
    // Builds can only be compared by their times.
    let table_builds = builds.filter(|builds| builds.has_pair() && measurement.metric == CheckedMetric::Time);
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
                <Sides before={before.clone()} after={after.clone()} offer={builds.map(|builds| builds.offer(before, after))} close={history.link_to(None)} />
            }
            { result_table(&shown, history, table_builds) }
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
