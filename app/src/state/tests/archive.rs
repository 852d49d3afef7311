//! Tests of the archive: lists, results and samples from a runner.

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use benchbook_host::quality::{Qualities, Quality};
use benchbook_host::request::Request;
use benchbook_host::response::{METHOD, Response};
use serde::Serialize;

use super::points::run_of;
use super::*;
use crate::state::machines::archive::{Archive, ArchiveAction, ArchiveContent, ArchiveRow, ArchivedResult};
use crate::state::page_address::PageAddress;
use benchbook_notebook::view::{Tab, ViewAction};

/// A response of the runner at a path of its API.
fn response(path: &str, body: &impl Serialize) -> PageAction {
    let body = serde_json::to_string(body).expect("it has a JSON form");
    PageAction::Archive(ArchiveAction::Response(path.to_owned(), Ok(body)))
}

fn on_result(action: ViewAction) -> PageAction {
    PageAction::Archive(ArchiveAction::Present(action))
}

fn archive(state: &State) -> &Archive {
    match &state.shown {
        Shown::Archive(archive) => archive,
        other => panic!("the archive is not shown: {other:?}"),
    }
}

fn rows(state: &State) -> &[ArchiveRow] {
    match &archive(state).content {
        ArchiveContent::Rows(rows, _) => rows,
        other => panic!("not a list: {other:?}"),
    }
}

fn result(state: &State) -> &ArchivedResult {
    match &archive(state).content {
        ArchiveContent::Result(archived, _) => archived,
        other => panic!("not a result: {other:?}"),
    }
}

fn request(functions: &[&str]) -> Request {
    let arguments = [
        ("size", Argument::Range(Range { low: 200.0, high: 900.0 })),
        ("depth", Argument::Number(400.0)),
        ("spread", Argument::Text("B".to_owned())),
    ];
    Request {
        functions: functions.iter().map(ToString::to_string).collect(),
        arguments: arguments.map(|(name, argument)| (name.to_owned(), argument)).into(),
        priority: second(),
        ..after([]).request("").expect("the defaults are valid")
    }
}

fn quality() -> Quality {
    Qualities::default().of(second()).clone()
}

fn card(id: u64) -> ResultCard {
    ResultCard {
        id,
        stored: 1_790_000_000_000 + id,
        request: request(&["sort"]),
        quality: quality(),
        suite: suite().card,
        machine: native(),
        points: 9,
    }
}

/// A result with two functions and two points for each.
fn stored(id: u64, functions: [&str; 2]) -> StoredResult {
    let at = |x: f64| functions.map(|function| of(function, measured(x, 5.0)));
    let response = Response {
        method: METHOD,
        request: request(&functions),
        priority: second(),
        suite: suite().card,
        quality: quality(),
        machine: native(),
        points: [at(200.0), at(900.0)].concat(),
        comparisons: Vec::new(),
    };
    StoredResult { id, stored: 1_790_000_000_000, response }
}

fn samples(function: &str, x: f64, elapsed: f64) -> StoredSamples {
    StoredSamples { function: function.to_owned(), x: x.into(), runs: vec![run_of(&[elapsed])] }
}

/// The samples of a trace at an axis value, in nanoseconds.
fn elapsed(archived: &ArchivedResult, trace: usize, x: f64) -> Vec<f64> {
    let traces = archived.results.traces();
    let mut readings = traces[trace].curve.readings().iter();
    let measured = readings.find(|reading| reading.x == x).and_then(|reading| reading.measured());
    let runs = &measured.expect("it was measured").runs;
    runs.iter().flat_map(|run| &run.samples).map(|sample| sample.elapsed).collect()
}

const OF_GENERATOR: &str = "archive=all&suite=demo&function=sort&generator=keys";

fn opened(id: u64, link: &str) -> Rc<State> {
    let body = response(&format!("results/{id}"), &stored(id, ["sort", "sort_stable"]));
    page([PageAction::SuiteLoaded(suite()), follow(link), body])
}

#[test]
fn each_row_links_to_the_next_level() {
    let functions = vec![StoredFunction {
        suite: "my suite".to_owned(),
        function: "a::b<T>".to_owned(),
        results: 12,
        newest: 1_790_000_000_000,
    }];
    let state = page([follow("archive=all"), response("results/functions", &functions)]);
    let [row] = rows(&state) else { panic!("one row: {:?}", rows(&state)) };
    assert_eq!((row.name.as_str(), row.count.as_str(), row.stored), ("my suite::a::b<T>", "12 stored", 1.79e12));

    let generators = vec![StoredGenerator { generator: "keys&c".to_owned(), results: 3, newest: 1 }];
    let path = "results/generators?suite=my%20suite&function=a::b%3CT%3E";
    let state = Rc::clone(&state).then([follow(&row.link), response(path, &generators)]);
    let [row] = rows(&state) else { panic!("one row: {:?}", rows(&state)) };
    assert_eq!((row.name.as_str(), row.count.as_str()), ("keys&c", "3 stored"));

    let path = "results?suite=my%20suite&function=a::b%3CT%3E&generator=keys%26c";
    let results = StoredResults { results: vec![card(8), card(5)], next: None };
    let state = Rc::clone(&state).then([follow(&row.link), response(path, &results)]);
    let links: Vec<&str> = rows(&state).iter().map(|row| row.link.as_str()).collect();
    assert_eq!(links, ["archive=8", "archive=5"]);
    let row = &rows(&state)[0];
    assert_eq!((row.name.as_str(), row.count.as_str()), ("result 8", "9 points"));
    assert_eq!(
        row.details.replace('\u{202f}', " "),
        "priority 2 · reference-01 · depth 400, size 200 to 900, spread B"
    );
    let breadcrumbs = archive(&state).breadcrumbs();
    let names: Vec<&str> = breadcrumbs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Stored results", "my suite::a::b<T>", "keys&c"]);
}

#[test]
fn earlier_results_have_a_separate_page() {
    let results = |ids: [u64; 2], next| StoredResults { results: ids.map(card).into(), next };
    let path = "results?suite=demo&function=sort&generator=keys";
    let state = page([follow(OF_GENERATOR), response(path, &results([9, 8], Some(8)))]);
    let ArchiveContent::Rows(_, Some(earlier)) = &archive(&state).content else { panic!("there are earlier ones") };
    assert_eq!(*earlier, "archive=all&before=8&suite=demo&function=sort&generator=keys");

    let path = "results?before=8&suite=demo&function=sort&generator=keys";
    let last = Rc::clone(&state).then([follow(earlier), response(path, &results([7, 6], None))]);
    let ArchiveContent::Rows(rows, None) = &archive(&last).content else { panic!("it is the last page") };
    assert_eq!(rows.iter().map(|row| row.link.as_str()).collect::<Vec<_>>(), ["archive=7", "archive=6"]);
    let breadcrumbs = archive(&last).breadcrumbs();
    assert_eq!(breadcrumbs[2], ("keys".to_owned(), OF_GENERATOR.to_owned()), "back to the newest");
    assert_eq!(breadcrumbs[3].0, "before result 8");
}

#[test]
fn a_stored_result_has_curves_and_breadcrumbs() {
    let state = opened(7, "archive=7&view=table");
    let archived = result(&state);
    let traces = archived.results.traces();
    let curves: Vec<_> = traces.iter().map(|trace| (trace.path.as_str(), trace.is_native())).collect();
    assert_eq!(curves, [("sort", true), ("sort_stable", true)]);
    assert!(traces.iter().all(|trace| trace.curve.priority() == Some(second())));
    assert_eq!(archived.view.tab, Tab::Table);
    assert_eq!(archived.results.setup().map(|setup| setup.axis_name()), Some("size"));
    let names: Vec<String> = archive(&state).breadcrumbs().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Stored results", "demo::sort", "keys", "result 7"]);
    let PageAddress::At(address) = state.address() else { panic!("it has an address") };
    let opened = Link::read("archive=7").expect("a link").address;
    assert!(address.is_same_page(&opened) && address.link().contains("view=table"));
}

#[test]
fn measures_a_stored_result_again_with_the_same_arguments() {
    let state = opened(7, "archive=7");
    let ArchiveContent::Result(_, again) = &archive(&state).content else { panic!("a result") };
    let state = Rc::clone(&state).reduce(follow(again));
    assert_eq!(state.link_problems, [""; 0]);
    let request_again = shown_cell(&state).request("").expect("values");
    assert_eq!(
        (request_again.functions, request_again.arguments),
        (stored(7, ["sort", "sort_stable"]).response.request.functions, request(&[]).arguments)
    );
}

#[test]
fn shows_unknown_functions_by_name() {
    for functions in [["gone", "sort"], ["sort", "gone"]] {
        let body = response("results/7", &stored(7, functions));
        let state = page([PageAction::SuiteLoaded(suite()), follow("archive=7"), body]);
        let paths: Vec<String> = result(&state).results.traces().into_iter().map(|trace| trace.path).collect();
        assert_eq!(paths, functions);
        assert_eq!(result(&state).results.shown().len(), 2);
    }
}

#[test]
fn requests_the_samples_of_the_current_view_until_they_arrive() {
    let state = opened(7, "archive=7");
    assert_eq!(archive(&state).missing_samples(), None, "the curve needs no samples");
    let state = state.reduce(on_result(ViewAction::Tab(Tab::Samples)));
    let path = "results/7/samples?function=sort&x=200";
    assert_eq!(archive(&state).missing_samples().as_deref(), Some(path));
    let failed = ArchiveAction::Response(path.to_owned(), Err("The runner does not respond.".to_owned()));
    let state = state.reduce(PageAction::Archive(failed));
    assert_eq!(result(&state).remark.as_deref(), Some("The runner does not respond."));
    assert_eq!(archive(&state).missing_samples().as_deref(), Some(path));
    let state = state.reduce(response(path, &serde_json::json!({ "function": "sort", "x": 200 })));
    assert!(result(&state).remark.as_ref().is_some_and(|message| message.contains("Reload the page")));
    let state = state.reduce(response(path, &samples("sort", 200.0, 6.0)));
    assert_eq!((elapsed(result(&state), 0, 200.0), archive(&state).missing_samples()), (vec![6.0], None));
    assert_eq!(result(&state).remark, None);
    let state = state.reduce(on_result(ViewAction::Point(1, "900".to_owned())));
    assert_eq!(archive(&state).missing_samples().as_deref(), Some("results/7/samples?function=sort_stable&x=900"));
}

#[test]
fn requests_the_samples_of_all_points_one_by_one() {
    let mut state = opened(7, "archive=7&show=samples");
    let mut requested = Vec::new();
    while let Some(path) = archive(&state).missing_samples() {
        let (function, x) = path.rsplit_once("?function=").and_then(|(_, of)| of.split_once("&x=")).expect("a point");
        let samples = samples(function, x.parse().expect("a number"), 6.0);
        state = state.reduce(response(&path, &samples));
        requested.push(path);
        assert!(requested.len() <= 4, "there are four: {requested:?}");
    }
    assert_eq!(requested.len(), 4);
}

#[test]
fn ignores_late_responses() {
    let at = |state: &Rc<State>, action| Rc::clone(state).reduce(action);
    // Samples of the previous result.
    let state = opened(8, "archive=8&view=samples");
    let late = at(&state, response("results/7/samples?function=sort&x=200", &samples("sort", 200.0, 6.0)));
    assert_eq!(elapsed(result(&late), 0, 200.0), [0.0; 0]);
    assert_eq!(archive(&late).missing_samples(), archive(&state).missing_samples());
    // The previous result itself.
    let late = at(&state, response("results/7", &stored(7, ["sort_stable", "sort"])));
    assert_eq!(result(&late).results.traces()[0].path, "sort");
    // A response after leaving the archive.
    let late = at(&at(&state, PageAction::Home), response("results/8", &stored(8, ["sort", "sort_stable"])));
    assert!(late.shown == Shown::Start && late.address() == PageAddress::Start);
}

#[test]
fn reloads_after_reconnecting_and_from_another_runner() {
    let error = Err("The runner does not respond.".to_owned());
    let failed = || ArchiveAction::Response("results/7".to_owned(), error.clone());
    let state = page([follow("archive=7"), PageAction::Archive(failed())]);
    assert!(matches!(&archive(&state).content, ArchiveContent::Error(message) if message.contains("does not respond")));
    let state = state.reduce(runner_connected(Vec::new()));
    assert_eq!(archive(&state).content, ArchiveContent::Loading);

    let state = Reducible::reduce(opened(7, "archive=7"), runner_connected(Vec::new()));
    assert_eq!(result(&state).results.traces().len(), 2, "the content remains");
    let other = RunnerAction::Chosen(Some(RunnerEndpoint::new("https://another", "")));
    assert_eq!(archive(&state.reduce(PageAction::Runner(other))).content, ArchiveContent::Loading);
}

#[test]
fn reports_unknown_formats() {
    let table = [
        ("archive=7", "results/7", serde_json::json!(null)),
        ("archive=7", "results/7", serde_json::json!({})),
        ("archive=7", "results/7", serde_json::json!({ "response": { "request": {} } })),
        ("archive=7", "results/7", serde_json::json!([])),
        ("archive=all", "results/functions", serde_json::json!([{ "function": "sort" }])),
    ];
    for (link, path, odd) in table {
        let state = page([follow(link), response(path, &odd)]);
        let content = &archive(&state).content;
        assert!(
            matches!(content, ArchiveContent::Error(message) if message.contains("Reload the page")),
            "{odd}: {content:?}"
        );
    }
}
