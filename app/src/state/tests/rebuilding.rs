//! Tests of suites that follow their sources: after a build, the page shows the new suites and the results before them.

use benchbook_host::alternative::build_id;
use benchbook_host::api::{BuildProblem, BuildReport, SuiteEntry};

use super::*;
use crate::settings::measuring_options::RunOn;
use crate::state::runner::{RunnerAction, RunnerEndpoint};

fn build(fingerprint: &str) -> LoadedSuite {
    let suite = suite();
    LoadedSuite { card: SuiteCard { fingerprint: fingerprint.to_owned(), ..suite.card }, ..suite }
}

/// A measurement of the first cell with a build, in this browser.
fn measured_with(fingerprint: &str, run: u64) -> [PageAction; 3] {
    let origin = ResultOrigin { id: Id::from_random(run), suite: build(fingerprint).card, ..origin(machine()) };
    let point = CellAction::Measured(MachineKind::Browser, Priority::LAST, vec![measured(300.0, 5.0)]);
    [CellAction::Started(origin), point, CellAction::PriorityDone(Priority::LAST)].map(on_first)
}

fn report(revision: u64, building: bool) -> PageAction {
    PageAction::Runner(RunnerAction::Built(BuildReport { revision, building, problems: Vec::new() }))
}

/// What the page receives after the suites were replaced.
fn reloaded(fingerprint: &str) -> [PageAction; 3] {
    let config = SiteConfig { suites: vec!["suites/demo.wasm".to_owned()], ..SiteConfig::default() };
    [
        PageAction::SiteConfigReloaded(config),
        PageAction::Runner(RunnerAction::Connected("vm".to_owned(), None, Vec::new())),
        PageAction::SuiteReloaded(SuiteId::Site(0), Ok(Some(build(fingerprint)))),
    ]
}

/// The state after `actions` in this browser, which has measured the function `sort` with the first build.
fn measured_page(actions: impl IntoIterator<Item = PageAction>) -> Rc<State> {
    let begun = [PageAction::SuiteLoaded(build("first")), choose(0, "sort"), size(200)];
    let all = begun.into_iter().chain(measured_with("first", 1)).chain(actions);
    let state = State::new(0, this_browser());
    all.into_iter().fold(Rc::new(state), Reducible::reduce)
}

/// Sets the low end of the range.
fn size(low: u32) -> PageAction {
    on_first(typed(End::Low, &low.to_string()))
}

#[test]
fn a_new_build_retains_the_controls_and_is_measured_next() {
    let state = measured_page([report(2, true), report(2, false)].into_iter().chain(reloaded("second")));
    let cell = state.cell().expect("the cell remains");
    assert_eq!(cell.suite.card.fingerprint, "second");
    assert_eq!((low(cell).value, cell.results.latest.len()), (200.0, 1));
    assert_eq!(state.queue, [nth_cell(0)]);

    let state = measured_with("second", 2).into_iter().fold(state, Reducible::reduce);
    let labels: Vec<String> =
        state.cell().expect("it remains").results.shown().into_iter().map(|shown| shown.label).collect();
    assert_eq!(labels, ["sort", "sort · before"]);
    assert!(state.queue.is_empty());
}

#[test]
fn a_third_build_distinguishes_the_earlier_ones() {
    let third = [report(2, false)].into_iter().chain(reloaded("second")).chain(measured_with("second", 2));
    let third = third.chain([report(3, false)]).chain(reloaded("third")).chain(measured_with("third", 3));
    let state = measured_page(third);
    let labels: Vec<String> =
        state.cell().expect("it remains").results.shown().into_iter().map(|shown| shown.label).collect();
    assert!(labels.len() > 1 && labels[0] == "sort" && labels[1..].iter().all(|label| label != "sort"), "{labels:?}");
}

#[test]
fn nothing_is_measured_before_all_is_loaded_or_against_the_users_wish() {
    let incomplete = measured_page([report(2, false)].into_iter().chain(reloaded("second").into_iter().take(2)));
    assert!(incomplete.queue.is_empty());
    let unchanged =
        reloaded("second").into_iter().take(2).chain([PageAction::SuiteReloaded(SuiteId::Site(0), Ok(None))]);
    assert!(measured_page([report(2, false)].into_iter().chain(unchanged)).queue.is_empty());
    let manual = [PageAction::MeasureAfterBuilds(false), report(2, false)].into_iter().chain(reloaded("second"));
    let manual = measured_page(manual);
    assert!(manual.queue.is_empty() && manual.cell().is_some_and(|cell| cell.suite.card.fingerprint == "second"));
}

#[test]
fn a_failed_build_leaves_the_suites() {
    let problem = BuildProblem { summary: "`demo` does not compile".to_owned(), details: "error".to_owned() };
    let failed = BuildReport { revision: 0, building: false, problems: vec![problem.clone()] };
    let state = measured_page([report(0, true), PageAction::Runner(RunnerAction::Built(failed))]);
    assert_eq!(state.rebuilding.report.as_ref().map(|report| &report.problems), Some(&vec![problem]));
    assert!(state.queue.is_empty() && state.cell().is_some_and(|cell| cell.suite.card.fingerprint == "first"));
}

#[test]
fn a_measurement_in_progress_ends_with_its_build() {
    let origin = ResultOrigin { id: Id::from_random(2), suite: build("first").card, ..origin(machine()) };
    let running = [on_first(CellAction::Started(origin)), report(2, false)];
    let state = measured_page(running.into_iter().chain(reloaded("second")));
    assert!(state.measuring().is_none());
    assert_eq!(state.queue, [nth_cell(0)], "the new build is measured instead");
}

#[test]
fn a_suite_that_the_page_lacks_is_native() {
    let entry = |name: &str, wasm: Option<&str>| {
        let LoadedSuite { suite, card, .. } = named(name, 0);
        SuiteEntry { suite, card, wasm: wasm.map(str::to_owned), retained: Vec::new() }
    };
    let listed = |entries| PageAction::Runner(RunnerAction::Listed(entries));
    let both = vec![entry("demo", Some("suites/demo.wasm")), entry("native", None)];
    let state = page([PageAction::SuiteLoaded(suite()), listed(both.clone()), listed(both)]);
    let names: Vec<&str> = state.suites.iter().map(|loaded| loaded.suite.name.as_str()).collect();
    assert_eq!(names, ["demo", "native"]);
    let native = &state.suites[1];
    assert!(native.clock.is_none() && native.suite.functions.iter().all(|function| function.native));
    assert!(state.suites[0].suite.functions.iter().all(|function| !function.native));

    let state = Reducible::reduce(state, listed(Vec::new()));
    assert_eq!(state.suites.len(), 1, "it is no longer listed");
}

#[test]
fn the_build_before_is_compared_like_a_function() {
    let endpoint = RunnerEndpoint::new("https://reference-01", "");
    let entry = |retained: &[&str]| {
        let LoadedSuite { suite, card, .. } = build("second");
        let retained = retained.iter().map(ToString::to_string).collect();
        SuiteEntry { suite, card, wasm: Some("suites/demo.wasm".to_owned()), retained }
    };
    let connected = |retained: &[&str]| {
        let cards = vec![build("second").card];
        [RunnerAction::Listed(vec![entry(retained)]), RunnerAction::Connected("vm".to_owned(), None, cards)]
    };
    let on_runner = |retained: &[&str]| {
        let chosen = [RunnerAction::Chosen(Some(endpoint.clone()))];
        measured_page(chosen.into_iter().chain(connected(retained)).map(PageAction::Runner))
    };
    assert_eq!(on_runner(&[]).function_before(), None, "no build is retained");
    let state = on_runner(&["77c0a41f0b12", "0123456789ab"]);
    assert_eq!(state.function_before().as_deref(), Some("sort@77c0a41f0b12"));

    let state = Reducible::reduce(state, PageAction::CompareBuilds);
    let cell = state.cell().expect("the cell remains");
    let functions: Vec<&str> = cell.functions().map(|function| function.path.as_str()).collect();
    assert_eq!((functions, state.queue.len()), (vec!["sort", "sort@77c0a41f0b12"], 1));
    assert_eq!((cell.native_part(), state.function_before()), (Some("comparison of builds"), None));
    let plan = cell.plan(cell.request("tab").expect("valid settings")).expect("the runner checks the build");
    assert!(!plan.is_native(0) && plan.is_native(1));
    // As the baseline, it remains a function of that build.
    let baseline =
        Reducible::reduce(Rc::clone(&state), on_first(CellAction::MakeBaseline("sort@77c0a41f0b12".to_owned())));
    let swapped = baseline.cell().expect("the cell remains");
    assert_eq!(
        (swapped.function.path.as_str(), swapped.native_part()),
        ("sort@77c0a41f0b12", Some("comparison of builds"))
    );
    assert_eq!(baseline.function_before(), None);
    // A link restores the comparison.
    assert_eq!(cell.link().with, ["sort@77c0a41f0b12"]);
    let copy = Reducible::reduce(Rc::clone(&state), PageAction::Open(cell.link()));
    assert_eq!(copy.cell().expect("it opens").partners.len(), 1);
    assert_eq!(copy.link_problems, [""; 0]);
}

/// What the page receives after the runner has replaced the suites. `retained`: the fingerprints of the earlier builds.
fn reloaded_with_runner(suite: LoadedSuite, retained: &[&str]) -> Vec<PageAction> {
    let card = suite.card.clone();
    let entry = SuiteEntry {
        suite: suite.suite.clone(),
        card: card.clone(),
        wasm: Some("suites/demo.wasm".to_owned()),
        retained: retained.iter().map(|build| build_id(build).to_owned()).collect(),
    };
    let config = SiteConfig { suites: vec!["suites/demo.wasm".to_owned()], ..SiteConfig::default() };
    vec![
        PageAction::SiteConfigReloaded(config),
        PageAction::Runner(RunnerAction::Listed(vec![entry])),
        PageAction::Runner(RunnerAction::Connected("vm".to_owned(), None, vec![card])),
        PageAction::SuiteReloaded(suite.id, Ok(Some(suite))),
    ]
}

/// The state after the first build was measured with a runner, and then `actions`.
fn measured_with_runner(actions: impl IntoIterator<Item = PageAction>) -> Rc<State> {
    let endpoint = RunnerEndpoint::new("https://reference-01", "");
    let chosen = PageAction::Runner(RunnerAction::Chosen(Some(endpoint)));
    let begun = [chosen, report(1, false)].into_iter().chain(reloaded_with_runner(build("first"), &[]));
    let measured = begun.chain([choose(0, "sort")]).chain(measured_with("first", 1));
    measured.chain(actions).fold(Rc::new(State::new(0, this_browser())), Reducible::reduce)
}

fn compared(state: &State) -> Vec<String> {
    state.cell().expect("the cell remains").functions().map(|function| function.path.clone()).collect()
}

#[test]
fn each_build_is_measured_together_with_the_previous_one() {
    let second = [report(2, false)].into_iter().chain(reloaded_with_runner(build("second"), &["first"]));
    let state = measured_with_runner(second);
    assert_eq!(
        (compared(&state), &state.queue),
        (vec!["sort".to_owned(), "sort@first".to_owned()], &[nth_cell(0)].into())
    );

    // A burst of saves while the measurement waits: only the last build is measured, once.
    let third = [report(3, false)].into_iter().chain(reloaded_with_runner(build("third"), &["second", "first"]));
    let fourth =
        [report(4, false)].into_iter().chain(reloaded_with_runner(build("fourth"), &["third", "second", "first"]));
    let state = third.chain(fourth).fold(state, Reducible::reduce);
    assert_eq!(
        (compared(&state), &state.queue),
        (vec!["sort".to_owned(), "sort@third".to_owned()], &[nth_cell(0)].into())
    );
}

#[test]
fn a_build_that_cannot_be_compared_is_measured_by_itself() {
    let mut changed = build("second");
    let generator = &mut changed.suite.generators[0];
    generator.parameters[0].name = "length".to_owned();
    let second = |suite| [report(2, false)].into_iter().chain(reloaded_with_runner(suite, &["first"]));
    let state = measured_with_runner(second(changed));
    assert_eq!((compared(&state), state.queue.len()), (vec!["sort".to_owned()], 1), "the parameters differ");

    for (run_on, expected) in [(RunOn::Browser, 1), (RunOn::Both, 1), (RunOn::Runner, 2)] {
        let options = MeasuringOptions { run_on, ..MeasuringOptions::default() };
        let chosen = [on_first(CellAction::SetMeasuringOptions(options))];
        let state = measured_with_runner(chosen.into_iter().chain(second(build("second"))));
        assert_eq!((compared(&state).len(), state.queue.len()), (expected, 1), "{run_on:?}");
    }
    let manual = [PageAction::MeasureAfterBuilds(false)].into_iter().chain(second(build("second")));
    let manual = measured_with_runner(manual);
    assert_eq!((compared(&manual), manual.queue.len()), (vec!["sort".to_owned()], 0));
}

#[test]
fn a_build_that_is_no_longer_retained_is_replaced() {
    let second = [report(2, false)].into_iter().chain(reloaded_with_runner(build("second"), &["first"]));
    let state = measured_with_runner(second);
    assert!(state.without_lost_builds(&nth_cell(0)).is_none(), "the runner retains it");
    // As after a restart of the runner, which then has built once more.
    for (retained, expected) in [(&[][..], &["sort"][..]), (&["second"], &["sort", "sort@second"])] {
        let restarted = reloaded_with_runner(build("third"), retained);
        let restarted = restarted.into_iter().fold(Rc::clone(&state), Reducible::reduce);
        let change = restarted.without_lost_builds(&nth_cell(0)).expect("the first build is lost");
        let restarted = Reducible::reduce(restarted, on_first(change));
        assert_eq!(compared(&restarted), expected);
    }
}

/// A page with a runner that retains two builds besides the current one, `third`.
fn with_three_builds(actions: impl IntoIterator<Item = PageAction>) -> Rc<State> {
    let third = [report(2, false)].into_iter().chain(reloaded_with_runner(build("third"), &["second", "first"]));
    measured_with_runner([PageAction::MeasureAfterBuilds(false)].into_iter().chain(third).chain(actions))
}

fn compare_two(first: &str, second: &str) -> PageAction {
    PageAction::CompareTwoBuilds(nth_cell(0), [first, second].map(str::to_owned))
}

#[test]
fn any_two_builds_are_compared() {
    let state = with_three_builds([]);
    let builds = state.builds_of(state.cell().expect("a cell")).expect("the runner retains two more");
    assert_eq!(builds.ids().collect::<Vec<_>>(), ["third", "second", "first"]);
    assert_eq!(builds.labels().collect::<Vec<_>>(), ["thir (current)", "seco", "firs"]);
    for (first, second, expected) in [
        ("first", "second", ["sort@first", "sort@second"]),
        ("third", "first", ["sort", "sort@first"]),
        ("second", "third", ["sort@second", "sort"]),
    ] {
        let compared_state = Rc::clone(&state).reduce(compare_two(first, second));
        assert_eq!((compared(&compared_state), compared_state.queue.len()), (expected.map(str::to_owned).to_vec(), 1));
        // From one pair to another one.
        let again = compared_state.reduce(compare_two("third", "second"));
        assert_eq!(compared(&again), ["sort", "sort@second"]);
    }
    let without_others = [report(2, false)].into_iter().chain(reloaded_with_runner(build("second"), &[]));
    let alone = measured_with_runner(without_others);
    assert_eq!(alone.builds_of(alone.cell().expect("a cell")), None);
}

#[test]
fn named_builds_remain_after_a_later_build() {
    let fourth =
        [report(3, false)].into_iter().chain(reloaded_with_runner(build("fourth"), &["third", "second", "first"]));
    let automatic = || PageAction::MeasureAfterBuilds(true);
    let named = with_three_builds([compare_two("first", "second"), automatic()]);
    let measured = measured_with("third", 2).into_iter().fold(named, Reducible::reduce);
    let state = fourth.fold(measured, Reducible::reduce);
    assert_eq!((compared(&state), state.queue.len()), (vec!["sort@first".to_owned(), "sort@second".to_owned()], 0));
    assert_eq!(state.staleness(state.cell().expect("a cell")), None);
    // A build that is lost is not replaced silently: the runner reports it.
    let lost = [report(4, false)].into_iter().chain(reloaded_with_runner(build("fifth"), &["fourth"]));
    let state = lost.fold(state, Reducible::reduce);
    assert!(state.without_lost_builds(&nth_cell(0)).is_none());
    assert_eq!(compared(&state), ["sort@first", "sort@second"]);
}
