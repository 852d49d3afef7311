//! Tests of the suites that the user opens: next to those of the site, in place of them, and removed again.

use super::*;
use crate::state::page_address::PageAddress;
use crate::state::suites::own_suites::{SuiteOpening, UnusableSuite};

/// A suite of this name and build that the user opened.
fn own(name: &str, number: u32, fingerprint: &str) -> LoadedSuite {
    let suite = named(name, 0);
    let card = SuiteCard { fingerprint: fingerprint.to_owned(), ..suite.card };
    LoadedSuite { id: SuiteId::Own(number), card, ..suite }
}

fn opened(name: &str, number: u32, fingerprint: &str) -> PageAction {
    on_own(OwnSuiteAction::Opened(own(name, number, fingerprint), format!("{name}.wasm")))
}

fn on_own(action: OwnSuiteAction) -> PageAction {
    PageAction::OwnSuites(action)
}

fn removed(name: &str) -> PageAction {
    on_own(OwnSuiteAction::Removed(name.to_owned()))
}

/// The names of the shown suites with their identifiers.
fn shown(state: &State) -> Vec<(&str, SuiteId)> {
    state.suites.iter().map(|loaded| (loaded.suite.name.as_str(), loaded.id)).collect()
}

fn notice(state: &State) -> &str {
    state.own_suites.notice.as_ref().map_or("", |notice| &notice.text)
}

/// The first cell, for the function `sort` of the user's suite with this number.
fn chosen(number: u32) -> PageAction {
    PageAction::Choose(FunctionId { suite: SuiteId::Own(number), path: "sort".to_owned() })
}

#[test]
fn an_own_suite_is_listed_before_those_of_the_site() {
    let state = page([opened("mine", 1, "a"), PageAction::SuiteLoaded(suite())]);
    assert_eq!(shown(&state), [("mine", SuiteId::Own(1)), ("demo", SuiteId::Site(0))]);
    assert_eq!(state.own_suites.sources[&SuiteId::Own(1)], "mine.wasm");
    assert!(notice(&state).starts_with("Opened mine"), "{}", notice(&state));
    assert!(!state.own_suites.is_dialog_open && state.problems.is_empty());
}

#[test]
fn a_new_build_replaces_the_older_one_whose_results_stay() {
    let measured_with = |fingerprint: &str, run: u64| {
        let origin = ResultOrigin { suite: own("mine", 1, fingerprint).card, ..origin_of(run, machine(), "") };
        measurement(origin, Priority::LAST, vec![measured(300.0, 5.0)]).map(on_first)
    };
    let first = [opened("mine", 1, "first"), chosen(1), on_first(typed(End::Low, "200"))];
    let state = page(first).then(measured_with("first", 1)).reduce(opened("mine", 2, "second"));
    assert_eq!(shown(&state), [("mine", SuiteId::Own(2))]);
    assert_eq!(state.own_suites.sources.len(), 1, "the source of the older build is forgotten");
    assert!(notice(&state).contains("new build of mine"), "{}", notice(&state));
    let cell = shown_cell(&state);
    assert_eq!((cell.suite.card.fingerprint.as_str(), low(cell).value), ("second", 200.0));
    let state = state.then(measured_with("second", 2));
    assert_eq!(labels(&shown_cell(&state).results), ["sort", "sort · before"]);

    let same = state.reduce(opened("mine", 3, "second"));
    assert!(notice(&same).contains("is open already"), "{}", notice(&same));
}

#[test]
fn a_suite_of_the_same_name_as_one_of_the_site_replaces_it_until_it_is_removed() {
    let site = || PageAction::SuiteLoaded(suite());
    for order in [[site(), opened("demo", 1, "a")], [opened("demo", 1, "a"), site()]] {
        let state = page(order);
        assert_eq!(shown(&state), [("demo", SuiteId::Own(1))]);
        assert!(state.problems.is_empty(), "{:?}", state.problems);
        let state = state.then([chosen(1), removed("demo")]);
        assert_eq!(shown(&state), [("demo", SuiteId::Site(0))]);
        assert_eq!(shown_cell(&state).suite.id, SuiteId::Site(0));
    }
    let state = page([site(), opened("demo", 1, "a")]);
    assert!(notice(&state).contains("replaces this page’s suite"), "{}", notice(&state));
}

#[test]
fn a_new_build_of_the_site_leaves_the_suites_of_the_user() {
    let new = PageAction::SuiteReloaded(SuiteId::Site(0), Ok(Some(rebuilt("new"))));
    let begun = [PageAction::SuiteLoaded(suite()), opened("demo", 1, "a"), opened("mine", 2, "b")];
    let state = page(begun).then([PageAction::SiteConfigReloaded(SiteConfig::default()), new]);
    assert_eq!(shown(&state), [("demo", SuiteId::Own(1)), ("mine", SuiteId::Own(2))]);
    assert_eq!(state.site_fingerprints(), ["new"], "the page compares the next build with this one");
    let state = state.reduce(removed("demo"));
    assert_eq!(shown(&state), [("mine", SuiteId::Own(2)), ("demo", SuiteId::Site(0))]);
    assert_eq!(state.suites[1].card.fingerprint, "new");
}

#[test]
fn the_results_of_a_removed_suite_remain() {
    let measured = measurement(origin(machine()), Priority::LAST, vec![measured(300.0, 5.0)]).map(on_first);
    let state = page([opened("demo", 1, "a"), chosen(1)]).then(measured).reduce(removed("demo"));
    assert!(state.suites.is_empty() && state.cell().is_none(), "the cell cannot be measured");
    let notebook = state.notebook().expect("it is shown");
    let cell = notebook.document.cells[0].measurement().expect("it is a measurement");
    assert_eq!(cell.results.len(), 1);
    assert!(state.own_suites.notice.as_ref().is_some_and(|notice| notice.can_undo));
    // Choosing something else does not take the undo away; loading the suite again connects the cell.
    let state = state.reduce(PageAction::Home);
    assert!(state.own_suites.notice.is_some());
    let again = on_own(OwnSuiteAction::Loaded(own("demo", 2, "a"), String::new()));
    let state = state.then([again, on_own(OwnSuiteAction::DismissNotice)]);
    assert!(state.own_suites.notice.is_none() && state.suites.len() == 1);
}

#[test]
fn a_link_waits_for_the_stored_suites() {
    let link = Link::read("suite=mine&function=sort").expect("a link");
    let config = PageAction::SiteConfigLoaded(SiteConfig { suites: Vec::new(), ..SiteConfig::default() });
    let begun = Rc::new(State::default()).then([config, PageAction::Open(link)]);
    assert!(begun.is_loading() && begun.link_problems.is_empty(), "the storage was not read yet");
    assert!(begun.is_start_loading(), "there is no suite yet");
    let with_suite = Rc::clone(&begun).reduce(PageAction::SuiteLoaded(suite()));
    assert!(with_suite.is_loading() && !with_suite.is_start_loading(), "the start view is complete");
    let old = UnusableSuite { name: "old".to_owned(), reason: "Too old.".to_owned() };
    let waiting =
        begun.then([OwnSuiteAction::Listed(2), OwnSuiteAction::Unusable(old), OwnSuiteAction::Restored].map(on_own));
    assert!(waiting.is_loading() && waiting.link_problems.is_empty());
    let loaded = OwnSuiteAction::Loaded(own("mine", 1, "a"), String::new());
    let state = waiting.then([loaded, OwnSuiteAction::Restored].map(on_own));
    assert!(!state.is_loading() && state.cell().is_some(), "{:?}", state.link_problems);
    assert_eq!(state.own_suites.unusable.len(), 1);
    let state = state.reduce(removed("old"));
    assert!(state.own_suites.unusable.is_empty());
}

#[test]
fn a_file_that_cannot_be_opened_changes_nothing_but_the_message() {
    let opening = SuiteOpening::of_file(SuiteId::Own(2), "bad.wasm".to_owned());
    let failed = OwnSuiteAction::Failed(SuiteId::Own(2), "It is not a WebAssembly module.".to_owned());
    let begun = page([opened("mine", 1, "a"), on_own(OwnSuiteAction::Progress(opening.clone()))]);
    assert_eq!(begun.own_suites.opening.as_ref(), Some(&opening));
    let cancelled = |number| Rc::clone(&begun).reduce(on_own(OwnSuiteAction::Cancelled(SuiteId::Own(number))));
    assert!(cancelled(2).own_suites.opening.is_none());
    assert!(cancelled(3).own_suites.opening.is_some(), "another download");
    let state = Rc::clone(&begun).reduce(on_own(failed));
    assert_eq!(shown(&state), [("mine", SuiteId::Own(1))]);
    assert!(state.own_suites.opening.is_none());
    assert_eq!(state.own_suites.problem.as_deref(), Some("It is not a WebAssembly module."));
    let state = state.reduce(chosen(1));
    assert!(state.own_suites.problem.is_none(), "the user does something else");
}

#[test]
fn the_share_of_a_download_is_known_only_with_its_size() {
    let opening = |received, total| {
        let file = SuiteOpening::of_file(SuiteId::Own(1), String::new());
        SuiteOpening { received, total, ..file }.percent()
    };
    assert_eq!(opening(Some(30), Some(40)), Some(75.0));
    assert_eq!(opening(Some(50), Some(40)), None, "the size of a compressed response");
    assert_eq!((opening(Some(30), None), opening(None, Some(40)), opening(Some(0), Some(0))), (None, None, None));
}

#[test]
fn a_suite_of_the_site_that_fails_is_listed_in_its_position() {
    let address = "https://example.org/ours.wasm".to_owned();
    let config = SiteConfig { suites: vec!["suites/demo.wasm".to_owned(), address.clone()], ..SiteConfig::default() };
    let failed = PageAction::SuiteFailed(SuiteId::Site(1), "No permission.".to_owned());
    let state = page([PageAction::SiteConfigLoaded(config), failed, PageAction::SuiteLoaded(suite())]);
    assert_eq!(state.unloaded_suites(), [(SuiteId::Site(1), address, "No permission.".to_owned())]);
    assert!(!state.is_loading() && state.problems.is_empty());
}

/// The page after it has followed a link with the address of a suite, and loaded the suites of the site.
fn followed(fragment: &str) -> Rc<State> {
    let config = PageAction::SiteConfigLoaded(SiteConfig::default());
    page([config, follow(fragment), PageAction::SuiteLoaded(suite())])
}

const ADDRESS: &str = "https://example.org/mine.wasm";

fn opened_from_address(name: &str) -> PageAction {
    on_own(OwnSuiteAction::Opened(own(name, 1, "a"), ADDRESS.to_owned()))
}

#[test]
fn the_suite_of_a_link_is_opened_only_if_the_user_agrees() {
    let fragment = format!("suite_address={ADDRESS}&suite=mine&function=sort");
    let waiting = followed(&fragment);
    assert_eq!(waiting.own_suites.suggested.as_deref(), Some(ADDRESS));
    assert!(waiting.own_suites.is_dialog_open && waiting.link_problems.is_empty());
    assert_eq!(waiting.address(), PageAddress::Waiting);

    let agreed = Rc::clone(&waiting).reduce(opened_from_address("mine"));
    assert!(!agreed.own_suites.is_dialog_open && agreed.own_suites.suggested.is_none());
    assert_eq!(agreed.cell().expect("the cell is opened").function.path, "sort");
    // The link of the cell names the suite, too, and needs no dialog any more.
    let PageAddress::At(address) = agreed.address() else { panic!("a cell is shown") };
    let cell = address.cell().expect("its settings");
    assert_eq!(cell.suite_url.as_deref(), Some(ADDRESS));
    let again = agreed.reduce(PageAction::Open(Address::Cell(Box::new(cell.clone())).into()));
    assert!(!again.own_suites.is_dialog_open && again.cell().is_some());

    let declined = Rc::clone(&waiting).reduce(on_own(OwnSuiteAction::ShowDialog(false)));
    assert!(!declined.own_suites.is_dialog_open && declined.cell().is_none());
    assert!(declined.link_problems[0].starts_with("The link names an unknown suite"), "{:?}", declined.link_problems);
    let other = waiting.reduce(opened_from_address("other"));
    assert!(!other.own_suites.is_dialog_open && other.link_problems.len() == 1, "the suite has another name");
}

#[test]
fn a_link_may_name_only_a_suite() {
    let fragment = format!("suite_address={ADDRESS}");
    let waiting = followed(&fragment);
    assert!(waiting.own_suites.is_dialog_open);
    for decision in [opened_from_address("mine"), on_own(OwnSuiteAction::ShowDialog(false))] {
        let state = Rc::clone(&waiting).reduce(decision);
        assert!(!state.own_suites.is_dialog_open && state.link_problems.is_empty());
        assert_eq!(state.address(), PageAddress::Start);
    }
    let state = waiting.then([opened_from_address("mine"), follow(&fragment)]);
    assert!(!state.own_suites.is_dialog_open && state.pending.is_none(), "it is open already");
}
