//! The archive: what a runner says of its results, and the way through them.

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult, StoredResults, StoredSamples};
use benchbook_host::quality::Qualities;
use benchbook_host::request::Request;
use benchbook_host::response::{Response, Run, Sample};
use serde::Serialize;

use super::*;
use crate::json::Json;
use crate::share::link::Link;
use crate::state::archive::{Archive, ArchiveAction, Content, Row};
use crate::state::opening::Place;
use crate::state::presentation::{PresentationAction, Tab};
use crate::state::runner::{Reach, RunnerAction};

fn follow(fragment: &str) -> Action {
    Action::Follow(Link::read(fragment))
}

/// What the runner says at a path of its API.
fn says(path: &str, answer: &impl Serialize) -> Action {
    let json: Json = serde_json::to_string(answer).expect("it has a form").parse().expect("it is JSON");
    Action::Archive(ArchiveAction::Answered(path.to_owned(), Ok(json)))
}

fn on_result(action: PresentationAction) -> Action {
    Action::Archive(ArchiveAction::Cell(CellAction::Present(action)))
}

fn archive(state: &State) -> &Archive {
    state.archive.as_ref().expect("the archive is shown")
}

fn rows(state: &State) -> &[Row] {
    match &archive(state).content {
        Content::Rows(rows, _) => rows,
        other => panic!("no list: {other:?}"),
    }
}

fn result(state: &State) -> &Cell {
    match &archive(state).content {
        Content::Result(cell, _) => cell,
        other => panic!("no result: {other:?}"),
    }
}

fn request(functions: &[&str]) -> Request {
    let arguments = [
        ("size", Argument::Range(Range { low: 200.0, high: 900.0 })),
        ("depth", Argument::Number(400.0)),
        ("spread", Argument::Text("B".to_owned())),
    ];
    Request {
        suite: "demo".to_owned(),
        functions: functions.iter().map(ToString::to_string).collect(),
        generator: "keys".to_owned(),
        arguments: arguments.map(|(name, argument)| (name.to_owned(), argument)).into(),
        priority: second(),
        client: String::new(),
        seed: None,
        precision: None,
        point_ms: None,
    }
}

fn native() -> Machine {
    Machine { kind: MachineKind::Native, name: "reference-01".to_owned(), ..machine() }
}

fn card(id: u64) -> ResultCard {
    ResultCard {
        id,
        stored: 1_790_000_000_000 + id,
        request: request(&["sort"]),
        quality: Qualities::default().of(second()).clone(),
        suite: suite().card,
        machine: native(),
        points: 9,
    }
}

/// A result with two functions, two points each.
fn stored(id: u64, functions: [&str; 2]) -> StoredResult {
    let at = |x: f64| functions.map(|function| Point { function: function.to_owned(), ..measured(x, 5.0) });
    let response = Response {
        request: request(&functions),
        priority: second(),
        suite: suite().card,
        quality: Qualities::default().of(second()).clone(),
        machine: native(),
        points: [at(200.0), at(900.0)].concat(),
        comparisons: Vec::new(),
    };
    StoredResult { id, stored: 1_790_000_000_000, response }
}

fn samples(function: &str, x: f64, elapsed: f64) -> StoredSamples {
    let run = Run {
        calls: 1,
        overhead: benchbook_host::response::Overhead { per_call: 0.0, half_width: 0.0, disturbance: 0.0 },
        settled: true,
        reference: None,
        samples: vec![Sample { elapsed, warm_up: false, interrupted: false }],
        blocks: vec![1],
    };
    StoredSamples { function: function.to_owned(), x, runs: vec![run] }
}

/// What was sampled of a trace at an axis value, in nanoseconds.
fn elapsed(cell: &Cell, trace: usize, x: f64) -> Vec<f64> {
    let readings = cell.traces[trace].curve.readings();
    let measured = readings.iter().find(|reading| reading.x == x).and_then(|reading| reading.measured());
    let runs = &measured.expect("it was measured").runs;
    runs.iter().flat_map(|run| &run.samples).map(|sample| sample.elapsed).collect()
}

const OF_GENERATOR: &str = "archive=all&suite=demo&function=sort&generator=keys";

fn opened(id: u64, link: &str) -> Rc<State> {
    let answer = says(&format!("results/{id}"), &stored(id, ["sort", "sort_stable"]));
    page([Action::SuiteLoaded(suite()), follow(link), answer])
}

#[test]
fn from_the_functions_down_to_a_result_each_row_is_a_link() {
    let functions = vec![StoredFunction {
        suite: "my suite".to_owned(),
        function: "a::b<T>".to_owned(),
        results: 12,
        newest: 1_790_000_000_000,
    }];
    let state = page([follow("archive=all"), says("results/functions", &functions)]);
    let [row] = rows(&state) else { panic!("one row: {:?}", rows(&state)) };
    assert_eq!((row.name.as_str(), row.count.as_str(), row.stored), ("my suite::a::b<T>", "12 stored", 1.79e12));

    let generators = vec![StoredGenerator { generator: "keys&c".to_owned(), results: 3, newest: 1 }];
    let path = "results/generators?suite=my%20suite&function=a::b%3CT%3E";
    let state = [follow(&row.link), says(path, &generators)].into_iter().fold(state.clone(), Reducible::reduce);
    let [row] = rows(&state) else { panic!("one row: {:?}", rows(&state)) };
    assert_eq!((row.name.as_str(), row.count.as_str()), ("keys&c", "3 stored"));

    let path = "results?suite=my%20suite&function=a::b%3CT%3E&generator=keys%26c";
    let results = StoredResults { results: vec![card(8), card(5)], next: None };
    let state = [follow(&row.link), says(path, &results)].into_iter().fold(state.clone(), Reducible::reduce);
    let links: Vec<&str> = rows(&state).iter().map(|row| row.link.as_str()).collect();
    assert_eq!(links, ["archive=8", "archive=5"]);
    let row = &rows(&state)[0];
    assert_eq!((row.name.as_str(), row.count.as_str()), ("result 8", "9 points"));
    assert_eq!(row.told.replace('\u{202f}', " "), "priority 2 · reference-01 · depth 400, size 200 to 900, spread B");
    let way = archive(&state).way();
    let names: Vec<&str> = way.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Stored results", "my suite::a::b<T>", "keys&c"]);
}

#[test]
fn earlier_results_are_a_page_of_their_own() {
    let results = |ids: [u64; 2], next| StoredResults { results: ids.map(card).into(), next };
    let path = "results?suite=demo&function=sort&generator=keys";
    let state = page([follow(OF_GENERATOR), says(path, &results([9, 8], Some(8)))]);
    let Content::Rows(_, Some(earlier)) = &archive(&state).content else { panic!("there are earlier ones") };
    assert_eq!(*earlier, "archive=all&before=8&suite=demo&function=sort&generator=keys");

    let path = "results?before=8&suite=demo&function=sort&generator=keys";
    let last =
        Reducible::reduce(Reducible::reduce(Rc::clone(&state), follow(earlier)), says(path, &results([7, 6], None)));
    let Content::Rows(rows, None) = &archive(&last).content else { panic!("it is the last page") };
    assert_eq!(rows.iter().map(|row| row.link.as_str()).collect::<Vec<_>>(), ["archive=7", "archive=6"]);
    let way = archive(&last).way();
    assert_eq!(way[2], ("keys".to_owned(), OF_GENERATOR.to_owned()), "back to the newest");
    assert_eq!(way[3].0, "before result 8");
}

#[test]
fn a_stored_result_has_its_curves_and_the_way_to_it() {
    let state = opened(7, "archive=7&view=table");
    let cell = result(&state);
    let curves: Vec<_> = cell.traces.iter().map(|trace| (trace.function.path.as_str(), trace.is_native())).collect();
    assert_eq!(curves, [("sort", true), ("sort_stable", true)]);
    assert!(cell.traces.iter().all(|trace| trace.curve.priority() == Some(second())));
    assert_eq!((cell.presentation.tab, cell.is_outdated()), (Tab::Table, false));
    assert_eq!(cell.setup().map(|setup| setup.axis.as_str()), Some("size"));
    let names: Vec<String> = archive(&state).way().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Stored results", "demo::sort", "keys", "result 7"]);
    let Place::Cell(link) = state.place() else { panic!("it has a link") };
    assert!(link.goes_where(&Link::read("archive=7").expect("a link")) && link.write().contains("view=table"));
}

#[test]
fn a_stored_result_is_measured_again_with_what_it_was_measured_with() {
    let state = opened(7, "archive=7");
    let Content::Result(_, again) = &archive(&state).content else { panic!("a result") };
    let state = Reducible::reduce(Rc::clone(&state), follow(again));
    assert_eq!(state.link_problems, [""; 0]);
    let asked = state.cell().expect("it is shown").request("").expect("values");
    assert_eq!(
        (asked.functions, asked.arguments),
        (stored(7, ["sort", "sort_stable"]).response.request.functions, request(&[]).arguments)
    );
}

#[test]
fn what_this_page_does_not_have_is_shown_by_its_names() {
    for functions in [["gone", "sort"], ["sort", "gone"]] {
        let answer = says("results/7", &stored(7, functions));
        let state = page([Action::SuiteLoaded(suite()), follow("archive=7"), answer]);
        let paths: Vec<_> = result(&state).traces.iter().map(|trace| trace.function.path.as_str()).collect();
        assert_eq!(paths, functions);
        assert_eq!(result(&state).shown().len(), 2);
    }
}

#[test]
fn samples_are_asked_for_where_they_are_looked_at() {
    let state = opened(7, "archive=7");
    assert_eq!(archive(&state).missing(), None, "the curve needs none");
    let state = Reducible::reduce(state, on_result(PresentationAction::Tab(Tab::Samples)));
    let path = archive(&state).missing().expect("those of the first point");
    assert_eq!(path, "results/7/samples?function=sort&x=200");
    let state = Reducible::reduce(state, says(&path, &samples("sort", 200.0, 6.0)));
    assert_eq!((elapsed(result(&state), 0, 200.0), archive(&state).missing()), (vec![6.0], None));
    let state = Reducible::reduce(state, on_result(PresentationAction::Point(1, 900.0)));
    assert_eq!(archive(&state).missing().as_deref(), Some("results/7/samples?function=sort_stable&x=900"));
}

#[test]
fn why_samples_are_not_there_is_told_until_they_come() {
    let state = opened(7, "archive=7&view=samples");
    let path = archive(&state).missing().expect("those of the first point");
    let failed = ArchiveAction::Answered(path.clone(), Err("The runner does not answer.".to_owned()));
    let state = Reducible::reduce(state, Action::Archive(failed));
    assert_eq!(result(&state).remark.as_deref(), Some("The runner does not answer."));
    assert_eq!(archive(&state).missing().as_ref(), Some(&path));
    let state = Reducible::reduce(state, says(&path, &serde_json::json!({ "function": "sort", "x": 200 })));
    assert!(result(&state).remark.as_ref().is_some_and(|told| told.contains("reload the page")));
    let state = Reducible::reduce(state, says(&path, &samples("sort", 200.0, 6.0)));
    assert_eq!((elapsed(result(&state), 0, 200.0), result(&state).remark.as_ref()), (vec![6.0], None));
}

#[test]
fn samples_of_all_points_come_one_by_one() {
    let mut state = opened(7, "archive=7&show=samples");
    let mut asked = Vec::new();
    while let Some(path) = archive(&state).missing() {
        let (function, x) = path.rsplit_once("?function=").and_then(|(_, of)| of.split_once("&x=")).expect("a point");
        let answer = samples(function, x.parse().expect("a number"), 6.0);
        state = Reducible::reduce(state, says(&path, &answer));
        asked.push(path);
        assert!(asked.len() <= 4, "there are four: {asked:?}");
    }
    assert_eq!(asked.len(), 4);
}

#[test]
fn what_comes_too_late_is_of_another_place() {
    let at = |state: &Rc<State>, action| Reducible::reduce(Rc::clone(state), action);
    // Samples of the result that was looked at before.
    let state = opened(8, "archive=8&view=samples");
    let late = at(&state, says("results/7/samples?function=sort&x=200", &samples("sort", 200.0, 6.0)));
    assert_eq!(elapsed(result(&late), 0, 200.0), [0.0; 0]);
    assert_eq!(archive(&late).missing(), archive(&state).missing());
    // And that result itself.
    let late = at(&state, says("results/7", &stored(7, ["sort_stable", "sort"])));
    assert_eq!(result(&late).traces[0].function.path, "sort");
    // The archive was left.
    let late = at(&at(&state, Action::Home), says("results/8", &stored(8, ["sort", "sort_stable"])));
    assert!(late.archive.is_none() && late.place() == Place::Start);
}

#[test]
fn a_runner_that_answers_again_is_asked_again_and_so_is_another_one() {
    let refused = Err("The runner does not answer.".to_owned());
    let answered = || ArchiveAction::Answered("results/7".to_owned(), refused.clone());
    let connected = || Action::Runner(RunnerAction::Connected("reference-01".to_owned(), Vec::new()));
    let state = page([follow("archive=7"), Action::Archive(answered())]);
    assert!(matches!(&archive(&state).content, Content::Trouble(told) if told.contains("does not answer")));
    let state = Reducible::reduce(state, connected());
    assert_eq!(archive(&state).content, Content::Waiting);

    let state = Reducible::reduce(opened(7, "archive=7"), connected());
    assert_eq!(result(&state).traces.len(), 2, "what is there stays");
    let other = RunnerAction::Chosen(Some(Reach::new("https://another", "")));
    assert_eq!(archive(&Reducible::reduce(state, Action::Runner(other))).content, Content::Waiting);
}

#[test]
fn what_is_not_understood_is_told() {
    let odd = [
        serde_json::json!(null),
        serde_json::json!({}),
        serde_json::json!({ "response": { "request": {} } }),
        serde_json::json!([]),
    ];
    for odd in odd {
        let state = page([follow("archive=7"), says("results/7", &odd)]);
        let content = &archive(&state).content;
        assert!(matches!(content, Content::Trouble(told) if told.contains("reload the page")), "{odd}: {content:?}");
    }
    let half = serde_json::json!([{ "function": "sort" }]);
    let state = page([follow("archive=all"), says("results/functions", &half)]);
    assert!(matches!(&archive(&state).content, Content::Trouble(_)));
}
