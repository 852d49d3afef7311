//! Tests of suites that follow their sources: after a build, the page shows the new suites and the results before them.

use benchbook_host::alternative::build_id;
use benchbook_host::api::{BuildProblem, BuildReport, BuildSeverity, SuiteEntry};

use super::*;
use benchbook_notebook::measuring_options::RunOn;

/// A measurement of the first cell with a build, in this browser.
fn measured_with(fingerprint: &str, run: u64) -> [PageAction; 3] {
    measurement(origin_of(run, machine(), fingerprint), Priority::LAST, vec![measured(300.0, 5.0)]).map(on_first)
}

/// The builds of the suites have begun, or are complete.
fn report(revision: u64, building: bool) -> PageAction {
    PageAction::Runner(RunnerAction::Built(BuildReport { revision, building, problems: Vec::new() }))
}

/// The suite as the runner lists it. `kept`: the fingerprints of its earlier builds.
fn entry(suite: LoadedSuite, retained: &[&str]) -> SuiteEntry {
    let retained = retained.iter().map(|build| build_id(build).to_owned()).collect();
    SuiteEntry {
        suite: suite.suite,
        card: suite.card,
        wasm: Some("suites/demo.wasm".to_owned()),
        can_count: false,
        retained,
    }
}

/// What the page receives after a build that replaced the suites.
fn reloaded(fingerprint: &str) -> [PageAction; 3] {
    [
        PageAction::SiteConfigReloaded(SiteConfig::default()),
        runner_connected(Vec::new()),
        PageAction::SuiteReloaded(SuiteId::Site(0), Ok(Some(rebuilt(fingerprint)))),
    ]
}

/// What the page receives of a new build without a runner that keeps others.
fn built(revision: u64, fingerprint: &str) -> Vec<PageAction> {
    [report(revision, false)].into_iter().chain(reloaded(fingerprint)).collect()
}

/// The state in this browser, which has measured the function `sort` with the first build.
fn measured_page() -> Rc<State> {
    let begun = [PageAction::SuiteLoaded(rebuilt("first")), choose(0, "sort"), size(200)];
    Rc::new(State::new(0, this_browser())).then(begun).then(measured_with("first", 1))
}

/// Sets the low end of the range.
fn size(low: u32) -> PageAction {
    on_first(typed(End::Low, &low.to_string()))
}

#[test]
fn a_new_build_keeps_the_controls_and_is_measured_next() {
    let state = measured_page().reduce(report(2, true)).then(built(2, "second"));
    let cell = shown_cell(&state);
    assert_eq!(cell.suite.card.fingerprint, "second");
    assert_eq!((low(cell).value, cell.results.latest.len()), (200.0, 1));
    assert_eq!(state.queue, [nth_cell(0)]);

    let state = state.then(measured_with("second", 2));
    assert_eq!(labels(&shown_cell(&state).results), ["sort", "sort · before"]);
    assert!(state.queue.is_empty());

    let third = state.then(built(3, "third")).then(measured_with("third", 3));
    let labels = labels(&shown_cell(&third).results);
    assert!(labels.len() > 1 && labels[0] == "sort" && labels[1..].iter().all(|label| label != "sort"), "{labels:?}");
}

#[test]
fn nothing_is_measured_before_all_is_loaded_or_against_the_users_wish() {
    let incomplete = measured_page().reduce(report(2, false)).then(reloaded("second").into_iter().take(2));
    assert!(incomplete.queue.is_empty());
    assert!(incomplete.reduce(PageAction::SuiteReloaded(SuiteId::Site(0), Ok(None))).queue.is_empty(), "unchanged");
    let manual = measured_page().reduce(PageAction::MeasureAfterBuilds(false)).then(built(2, "second"));
    assert!(manual.queue.is_empty() && manual.cell().is_some_and(|cell| cell.suite.card.fingerprint == "second"));
}

#[test]
fn a_failed_build_leaves_the_suites() {
    let problem = BuildProblem {
        summary: "`demo` does not compile".to_owned(),
        details: "error".to_owned(),
        severity: BuildSeverity::Failed,
    };
    let failed = BuildReport { revision: 0, building: false, problems: vec![problem.clone()] };
    let state = measured_page().then([report(0, true), PageAction::Runner(RunnerAction::Built(failed))]);
    assert_eq!(state.rebuilding.report.as_ref().map(|report| &report.problems), Some(&vec![problem]));
    assert!(state.queue.is_empty() && state.cell().is_some_and(|cell| cell.suite.card.fingerprint == "first"));
}

#[test]
fn a_measurement_in_progress_ends_with_its_build() {
    let running = on_first(CellAction::Run(RunEvent::Started(Box::new(origin_of(2, machine(), "first")))));
    let state = measured_page().reduce(running).then(built(2, "second"));
    assert!(state.measuring().is_none());
    assert_eq!(state.queue, [nth_cell(0)], "the new build is measured instead");
}

#[test]
fn a_suite_that_the_page_lacks_is_native() {
    let listed = |entries| PageAction::Runner(RunnerAction::Listed(entries));
    let native = SuiteEntry { wasm: None, ..entry(named("native", 0), &[]) };
    let both = vec![entry(suite(), &[]), native];
    let state = page([PageAction::SuiteLoaded(suite()), listed(both.clone()), listed(both)]);
    let names: Vec<&str> = state.suites.iter().map(|loaded| loaded.suite.name.as_str()).collect();
    assert_eq!(names, ["demo", "native"]);
    let native = &state.suites[1];
    assert!(native.clock.is_none() && native.suite.functions.iter().all(|function| function.native));
    assert!(state.suites[0].suite.functions.iter().all(|function| !function.native));

    let state = state.reduce(listed(Vec::new()));
    assert_eq!(state.suites.len(), 1, "it is no longer listed");
}

#[test]
fn functions_that_the_module_lacks_are_native() {
    let whole = suite();
    let mut module = rebuilt("module");
    let gone = module.suite.functions.remove(0).path;
    let card = SuiteCard::new(&module.suite, module.card.fingerprint);
    let module = LoadedSuite { card, ..module };
    let connected = || runner_connected(vec![whole.card.clone()]);
    let listed = || PageAction::Runner(RunnerAction::Listed(vec![entry(whole.clone(), &[])]));
    let orders = [
        vec![PageAction::SuiteLoaded(module.clone()), choose(0, "sort"), runner_chosen(), connected(), listed()],
        vec![runner_chosen(), connected(), listed(), PageAction::SuiteLoaded(module.clone()), choose(0, "sort")],
    ];
    for order in orders {
        let state = page(order);
        let native: Vec<&str> = state.suites[0]
            .suite
            .functions
            .iter()
            .filter(|function| function.native)
            .map(|function| &*function.path)
            .collect();
        assert_eq!((native, state.suites[0].suite.functions.len()), (vec![&*gone], whole.suite.functions.len()));
        assert!(state.runner.endpoint_for(&module).is_some() && state.runner.endpoint_for(&state.suites[0]).is_some());
    }
    let changed = LoadedSuite { suite: Suite { generators: Vec::new(), ..whole.suite.clone() }, ..whole.clone() };
    let listed = PageAction::Runner(RunnerAction::Listed(vec![entry(changed, &[])]));
    let state = page([PageAction::SuiteLoaded(module.clone()), runner_chosen(), connected(), listed]);
    assert!(state.runner.problem(&module).is_some_and(|problem| problem.contains("differs")));
}

#[test]
fn the_build_before_is_compared_like_a_function() {
    let on_runner = |retained: &[&str]| {
        let second = rebuilt("second");
        let listed = PageAction::Runner(RunnerAction::Listed(vec![entry(second.clone(), retained)]));
        measured_page().then([runner_chosen(), listed, runner_connected(vec![second.card])])
    };
    assert_eq!(on_runner(&[]).function_before(), None, "no build is kept");
    let state = on_runner(&["77c0a41f0b12", "0123456789ab"]);
    assert_eq!(state.function_before().as_deref(), Some("sort@77c0a41f0b12"));

    let state = state.reduce(PageAction::CompareBuilds);
    let cell = shown_cell(&state);
    assert_eq!((functions(cell), state.queue.len()), (vec!["sort", "sort@77c0a41f0b12"], 1));
    assert_eq!((cell.native_part(), state.function_before()), (Some("comparison of builds"), None));
    let plan = cell.plan(cell.request("tab").expect("valid settings")).expect("the runner checks the build");
    assert!(!plan.is_native(0) && plan.is_native(1));
    // As the only function, it remains one of that build.
    let alone = Rc::clone(&state).reduce(on_first(CellAction::Edit(SetupEdit::RemoveFunction("sort".to_owned()))));
    assert_eq!((shown_cell(&alone).function.path.as_str(), alone.function_before()), ("sort@77c0a41f0b12", None));
    // A link restores the comparison.
    assert_eq!(cell.setup().functions, ["sort", "sort@77c0a41f0b12"]);
    let copy = Rc::clone(&state).reduce(PageAction::Open(Address::of_setup(cell.setup()).into()));
    assert_eq!(shown_cell(&copy).partners.len(), 1);
    assert_eq!(copy.link_problems, [""; 0]);
}

/// What the page receives of a new build, from a runner that keeps these earlier ones.
fn built_on_runner(revision: u64, suite: LoadedSuite, retained: &[&str]) -> [PageAction; 5] {
    [
        report(revision, false),
        PageAction::SiteConfigReloaded(SiteConfig::default()),
        PageAction::Runner(RunnerAction::Listed(vec![entry(suite.clone(), retained)])),
        runner_connected(vec![suite.card.clone()]),
        PageAction::SuiteReloaded(suite.id, Ok(Some(suite))),
    ]
}

/// The second build, from a runner that keeps the first one.
fn second_on_runner() -> [PageAction; 5] {
    built_on_runner(2, rebuilt("second"), &["first"])
}

/// The state after the first build was measured with a runner.
fn measured_with_runner() -> Rc<State> {
    let state = Rc::new(State::new(0, this_browser())).reduce(runner_chosen());
    let state = state.then(built_on_runner(1, rebuilt("first"), &[]));
    state.reduce(choose(0, "sort")).then(measured_with("first", 1))
}

fn compared(state: &State) -> Vec<&str> {
    functions(shown_cell(state))
}

#[test]
fn each_build_is_measured_together_with_the_previous_one() {
    let state = measured_with_runner().then(second_on_runner());
    assert_eq!(compared(&state), ["sort", "sort@first"]);
    assert_eq!(state.queue, [nth_cell(0)]);

    // A burst of saves while the measurement waits: only the last build is measured, once.
    let state = state.then(built_on_runner(3, rebuilt("third"), &["second", "first"]));
    let state = state.then(built_on_runner(4, rebuilt("fourth"), &["third", "second", "first"]));
    assert_eq!(compared(&state), ["sort", "sort@third"]);
    assert_eq!(state.queue, [nth_cell(0)]);
}

#[test]
fn a_build_that_cannot_be_compared_is_measured_by_itself() {
    let mut changed = rebuilt("second");
    changed.suite.generators[0].parameters[0].name = "length".to_owned();
    let state = measured_with_runner().then(built_on_runner(2, changed, &["first"]));
    assert_eq!((compared(&state), state.queue.len()), (vec!["sort"], 1), "the parameters differ");

    for (run_on, expected) in [(RunOn::Browser, 1), (RunOn::Both, 1), (RunOn::Runner, 2)] {
        let options = MeasuringOptions { run_on, ..MeasuringOptions::default() };
        let chosen = on_first(CellAction::Edit(SetupEdit::SetOptions(options)));
        let state = measured_with_runner().reduce(chosen).then(second_on_runner());
        assert_eq!((compared(&state).len(), state.queue.len()), (expected, 1), "{run_on:?}");
    }
    let manual = measured_with_runner().reduce(PageAction::MeasureAfterBuilds(false)).then(second_on_runner());
    assert_eq!((compared(&manual), manual.queue.len()), (vec!["sort"], 0));
}

#[test]
fn a_build_that_is_no_longer_retained_is_replaced() {
    let state = measured_with_runner().then(second_on_runner());
    assert!(state.without_lost_builds(&nth_cell(0)).is_none(), "the runner keeps it");
    // As after a restart of the runner, which then has built once more.
    for (retained, expected) in [(&[][..], &["sort"][..]), (&["second"], &["sort", "sort@second"])] {
        let restarted = Rc::clone(&state).then(built_on_runner(2, rebuilt("third"), retained));
        let change = restarted.without_lost_builds(&nth_cell(0)).expect("the first build is lost");
        assert_eq!(compared(&restarted.reduce(on_first(change))), expected);
    }
}

/// A page with a runner that keeps two builds besides the current one, `third`.
fn with_three_builds() -> Rc<State> {
    let state = measured_with_runner().reduce(PageAction::MeasureAfterBuilds(false));
    state.then(built_on_runner(2, rebuilt("third"), &["second", "first"]))
}

fn compare_two(first: &str, second: &str) -> PageAction {
    PageAction::CompareTwoBuilds(nth_cell(0), [first, second].map(str::to_owned))
}

#[test]
fn any_two_builds_are_compared() {
    let state = with_three_builds();
    let builds = state.builds_of(state.cell().expect("a cell")).expect("the runner keeps two more");
    assert_eq!(builds.ids().collect::<Vec<_>>(), ["third", "second", "first"]);
    assert_eq!(builds.labels().collect::<Vec<_>>(), ["thir (current)", "seco", "firs"]);
    for (first, second, expected) in [
        ("first", "second", ["sort@first", "sort@second"]),
        ("third", "first", ["sort", "sort@first"]),
        ("second", "third", ["sort@second", "sort"]),
    ] {
        let compared_state = Rc::clone(&state).reduce(compare_two(first, second));
        assert_eq!(compared(&compared_state), expected);
        assert_eq!(compared_state.queue.len(), 1);
        // From one pair to another one.
        let again = compared_state.reduce(compare_two("third", "second"));
        assert_eq!(compared(&again), ["sort", "sort@second"]);
    }
    let alone = measured_with_runner().then(built_on_runner(2, rebuilt("second"), &[]));
    assert_eq!(alone.builds_of(alone.cell().expect("a cell")), None);
}

#[test]
fn named_builds_remain_after_a_later_build() {
    let named = with_three_builds().then([compare_two("first", "second"), PageAction::MeasureAfterBuilds(true)]);
    let measured = named.then(measured_with("third", 2));
    let state = measured.then(built_on_runner(3, rebuilt("fourth"), &["third", "second", "first"]));
    assert_eq!(compared(&state), ["sort@first", "sort@second"]);
    assert!(state.queue.is_empty());
    assert_eq!(state.staleness(state.cell().expect("a cell")), None);
    // A build that is lost is not replaced silently: the runner reports it.
    let state = state.then(built_on_runner(4, rebuilt("fifth"), &["fourth"]));
    assert!(state.without_lost_builds(&nth_cell(0)).is_none());
    assert_eq!(compared(&state), ["sort@first", "sort@second"]);
}
