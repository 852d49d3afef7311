//! Tests of histories: which results a link selects, and that each view has a link.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Arguments;
use benchbook_host::api::{AcceptedHistory, HistoryFunction};
use benchbook_host::history::{
    Acceptance, AcceptedResult, Benchmark, BuildOrigin, CheckedMetric, CheckedPoint, CheckedResult, MachineClass,
    VERSION,
};

use super::*;
use crate::state::machines::function_history::{FunctionHistory, HistoryAction, HistoryContent, HistoryRequest};
use crate::state::page_address::PageAddress;

const LINK: &str = "history=time&suite=demo&function=sort";
const PATH: &str = "history?suite=demo&function=sort&limit=5000";

/// A result of a day at two sizes. From day 4 on, the greater size takes longer.
pub(crate) fn accepted(day: u32, metric: CheckedMetric) -> AcceptedResult {
    let text = str::to_owned;
    let wobble = 1.0 + 0.001 * f64::from(day % 3);
    let point = |size, mean: f64| CheckedPoint {
        x: AxisValue::Number(size),
        means: vec![mean * wobble; 2],
        ..CheckedPoint::default()
    };
    let result = CheckedResult {
        benchmark: Benchmark {
            suite: text("demo"),
            function: text("sort"),
            generator: text("keys"),
            arguments: Arguments::from([(text("size"), Argument::Range(Range { low: 10.0, high: 1_000.0 }))]),
            inputs: text("ab"),
            metric,
            harness: None,
        },
        machine: MachineClass {
            cpu: Some(text("AMD EPYC 9R14")),
            settings: Vec::new(),
            system: None,
            target: text("x86_64-unknown-linux-gnu"),
            runner: None,
            compiler: None,
        },
        build: BuildOrigin { fingerprint: text("fe"), commit: None, dirty: false, compiler: text("rustc 1.95.0") },
        measured: f64::from(day) * 86_400.0,
        points: vec![point(10.0, 100.0), point(1_000.0, if day < 4 { 2_000.0 } else { 3_000.0 })],
    };
    AcceptedResult { benchbook_history: VERSION, accepted: Acceptance::default(), result }
}

/// Eight results of the time, and an older one of the first call.
fn results() -> Vec<AcceptedResult> {
    let times = (1..9).map(|day| accepted(day, CheckedMetric::Time));
    [accepted(0, CheckedMetric::FirstCall)].into_iter().chain(times).collect()
}

fn of_runner() -> HistoryRequest {
    HistoryRequest::Runner(PATH.to_owned())
}

/// The request for the file of the site.
fn of_site() -> HistoryRequest {
    HistoryRequest::Site(HistoryFunction::file("demo", "sort"))
}

fn response(request: HistoryRequest, results: Vec<AcceptedResult>) -> PageAction {
    let history = AcceptedHistory { results, warnings: vec!["a.json was ignored".to_owned()] };
    PageAction::History(HistoryAction::Loaded(request, Ok(history)))
}

fn error(request: HistoryRequest, message: &str) -> PageAction {
    PageAction::History(HistoryAction::Loaded(request, Err(message.to_owned())))
}

/// A site with a folder of accepted results.
fn site() -> PageAction {
    let history = Some("history/".to_owned());
    PageAction::SiteConfigLoaded(SiteConfig { suites: Vec::new(), history, ..SiteConfig::default() })
}

fn known(function: &str) -> HistoryFunction {
    HistoryFunction { suite: "demo".to_owned(), function: function.to_owned(), results: 1, newest: 1.0 }
}

fn listed(functions: &[&str]) -> PageAction {
    PageAction::SiteHistory(Ok(functions.iter().map(|function| known(function)).collect()))
}

fn connected() -> PageAction {
    runner_connected(Vec::new())
}

fn opened(fragment: &str) -> Rc<State> {
    page([PageAction::SuiteLoaded(suite()), follow(fragment), response(of_runner(), results())])
}

fn history(state: &State) -> &FunctionHistory {
    state.history().expect("the history is shown")
}

fn fragment(state: &State) -> String {
    match state.address() {
        PageAddress::At(address) => address.link(),
        other => panic!("no link: {other:?}"),
    }
}

#[test]
fn a_link_selects_the_measurement_and_the_last_axis_value() {
    let state = opened(LINK);
    let (index, measurement) = history(&state).measurement().expect("there are results");
    assert_eq!((index, measurement.metric, measurement.series.len()), (1, CheckedMetric::Time, 1));
    assert_eq!(history(&state).axis_value(measurement), AxisValue::Number(1_000.0));
    let complete = format!("{LINK}&generator=keys&arg.size=10..1000&at=1000");
    assert_eq!(fragment(&state), complete);
    assert_eq!(fragment(&opened(&complete)), complete);
    let first_call = "history=first_call&suite=demo&function=sort";
    assert_eq!(history(&opened(first_call)).measurement().map(|(index, _)| index), Some(0));
}

#[test]
fn a_step_has_both_sides_and_a_link() {
    let state = opened(LINK);
    let (_, measurement) = history(&state).measurement().expect("there are results");
    let points = measurement.series[0].at(&AxisValue::Number(1_000.0));
    let steps: Vec<usize> = (0..points.len()).filter(|index| points[*index].step.is_some()).collect();
    assert_eq!(steps, [3]);
    let link = history(&state).link_to(Some(&points[3].accepted.id()));
    assert!(link.starts_with(LINK) && link.contains("&at=1000&step="), "{link}");
    // The results remain, since the function is the same.
    let at_step = Rc::clone(&state).reduce(follow(&link));
    let (_, before, after) = history(&at_step).sides(measurement).expect("it is a step");
    assert_eq!([before.result.measured, after.result.measured], [3.0, 4.0].map(|day| day * 86_400.0));
    assert_eq!(fragment(&at_step), link);
    assert_eq!(fragment(&opened(&link)), link, "the link opens the same view elsewhere");
    let closed = history(&at_step).link_to(None);
    assert_eq!(closed, fragment(&state));
    assert!(history(&opened(&format!("{LINK}&step=unknown"))).sides(measurement).is_none());
}

#[test]
fn choices_change_the_link() {
    let state = opened(LINK).reduce(PageAction::History(HistoryAction::At("10".to_owned())));
    assert!(fragment(&state).ends_with("&at=10"), "{}", fragment(&state));
    let (_, measurement) = history(&state).measurement().expect("there are results");
    assert_eq!(history(&state).axis_value(measurement), AxisValue::Number(10.0));
    let state = state.reduce(PageAction::History(HistoryAction::Measurement(0)));
    assert!(fragment(&state).starts_with("history=first_call&"), "{}", fragment(&state));
}

#[test]
fn another_function_is_loaded_and_late_responses_are_ignored() {
    let state = opened(LINK).reduce(follow("history=time&suite=demo&function=sort_stable"));
    assert_eq!(history(&state).content, HistoryContent::Loading);
    let state = state.reduce(response(of_runner(), results()));
    assert_eq!(history(&state).content, HistoryContent::Loading, "it is the response for another function");
    let request = HistoryRequest::Runner("history?suite=demo&function=sort_stable&limit=5000".to_owned());
    let state = state.reduce(response(request, results()));
    let HistoryContent::Loaded(measurements, warnings) = &history(&state).content else { panic!("it is loaded") };
    assert_eq!((measurements.len(), warnings.len()), (0, 1));
}

#[test]
fn loads_again_after_an_error_and_from_another_runner() {
    let state = page([follow(LINK), error(of_runner(), "Unreachable.")]);
    assert_eq!(history(&state).content, HistoryContent::Error("Unreachable.".to_owned()));
    assert_eq!(history(&Rc::clone(&state).reduce(connected())).content, HistoryContent::Loading);
    assert_eq!(history(&opened(LINK).reduce(runner_chosen())).content, HistoryContent::Loading);
}

#[test]
fn cells_link_to_the_history_of_their_function() {
    let state = begun();
    let cell = Rc::clone(state.cell().expect("a cell"));
    assert_eq!(state.history_link(&cell), None);
    let state = state.reduce(PageAction::HistoryFunctions(vec![known("sort_stable"), known("sort")]));
    let link = state.history_link(&cell).expect("the function has results");
    assert!(link.starts_with(LINK), "{link}");
    // The notebook is still open behind it.
    let state = state.reduce(follow(&link));
    assert!(state.history().is_some() && state.notebook().is_none());
}

#[test]
fn a_site_without_a_runner_has_its_own_results() {
    let state = page([follow(LINK), site()]);
    assert_eq!((state.history_request(), state.history_status()), (None, Some("Loading the accepted results…")));
    let state = state.reduce(listed(&["sort"]));
    assert_eq!(state.history_request(), Some(of_site()));
    let shown = Rc::clone(&state).reduce(response(of_site(), results()));
    assert_eq!((shown.history_request(), shown.history_status(), shown.history_source()), (None, None, None));
    assert_eq!(fragment(&shown), format!("{LINK}&generator=keys&arg.size=10..1000&at=1000"));
    // A damaged file is an error, and other functions are not affected.
    assert_eq!(state.reduce(error(of_site(), "It is damaged.")).history_status(), Some("It is damaged."));
    let other = page([site(), listed(&["search"]), follow(LINK)]);
    assert_eq!(other.history_status(), Some("This page has no accepted results of this function."));
    let without = PageAction::SiteConfigLoaded(SiteConfig { suites: Vec::new(), ..SiteConfig::default() });
    let state = page([follow(LINK), without]);
    assert_eq!(state.history_status(), Some("No runner. Choose one in the page's header."));
}

#[test]
fn the_results_of_a_runner_take_precedence_over_those_of_the_site() {
    let state = page([site(), listed(&["sort"]), runner_chosen(), follow(LINK)]);
    assert_eq!(state.history_request(), None, "the runner has not responded yet");
    let state = state.reduce(connected());
    assert_eq!(state.history_request(), Some(of_runner()));
    let shown = Rc::clone(&state).reduce(response(of_runner(), results()));
    assert_eq!((shown.history_status(), shown.history_source()), (None, None));
    // The runner has none of this function, or does not respond.
    let empty = state.reduce(response(of_runner(), Vec::new()));
    assert_eq!(empty.history_request(), Some(of_site()));
    let shown = empty.reduce(response(of_site(), results()));
    assert_eq!(shown.history_status(), None);
    assert!(shown.history_source().is_some_and(|source| source.starts_with("The runner has no accepted results")));
    assert_eq!(shown.reduce(connected()).history_request(), Some(of_runner()));
}

#[test]
fn the_list_of_the_site_may_arrive_last_or_be_damaged() {
    let state = page([site(), runner_chosen(), connected(), follow(LINK), response(of_runner(), Vec::new())]);
    assert!(state.history_status().is_some_and(|status| status.contains("no accepted results")));
    assert_eq!(state.reduce(listed(&["sort"])).history_request(), Some(of_site()));
    let damaged = PageAction::SiteHistory(Err("The list is damaged.".to_owned()));
    let state = page([site(), damaged, PageAction::SuiteLoaded(suite()), choose(0, "sort")]);
    assert_eq!(state.problems, ["The list is damaged."]);
    assert!(state.cell().is_some(), "the page still works");
    assert_eq!(state.history_link(shown_cell(&state)), None);
    assert!(state.reduce(listed(&["sort"])).cell().is_some());
}
