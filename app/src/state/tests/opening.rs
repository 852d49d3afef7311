//! Links: opening them, and the link to what is shown.

use super::*;
use crate::share::link::Link;
use crate::state::opening::Place;
use crate::state::presentation::{PresentationAction, Tab};

fn follow(fragment: &str) -> Action {
    Action::Follow(Link::read(fragment))
}

fn opened(fragment: &str) -> Rc<State> {
    page([Action::SuiteLoaded(suite()), loaded_notebook(), follow(fragment)])
}

fn loaded_notebook() -> Action {
    Action::NotebookRead(Notebook { suites: vec!["suites/demo.wasm".to_owned()], ..Notebook::default() })
}

fn fragment(state: &State) -> Option<String> {
    match state.place() {
        Place::Cell(link) => Some(link.write()),
        Place::Start | Place::Waiting | Place::Lost => None,
    }
}

const WHOLE: &str = "suite=demo&function=sort&generator=keys&with=sort_stable&arg.size=200..900&arg.depth=400&arg.spread=B&aim=0.5&time=3&view=table&x=linear&zoom=200,300,1,2";

#[test]
fn a_link_sets_all_that_it_says_and_the_page_says_the_same() {
    let state = opened(WHOLE);
    assert_eq!(state.link_problems, [""; 0]);
    let cell = state.cell().expect("it is shown");
    let request = cell.request("me").expect("values");
    assert_eq!(request.functions, ["sort", "sort_stable"]);
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 200.0, high: 900.0 }));
    assert_eq!(request.arguments["spread"], Argument::Text("B".to_owned()));
    assert_eq!((cell.aim.precision(), cell.aim.point_ms()), (Ok(Some(0.005)), Ok(Some(3_000.0))));
    assert_eq!(cell.presentation.tab, Tab::Table);
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
}

#[test]
fn a_link_waits_for_its_suite_and_the_address_stays_until_then() {
    let begun = || vec![loaded_notebook(), follow(WHOLE)];
    let state = page(begun());
    assert_eq!((state.place(), state.cell()), (Place::Waiting, None));
    let state = page(begun().into_iter().chain([Action::SuiteLoaded(suite())]));
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
    let gone = page(begun().into_iter().chain([Action::SuiteFailed("gone".to_owned())]));
    assert!(gone.link_problems[0].contains("“demo”"), "{:?}", gone.link_problems);
    assert_eq!(gone.place(), Place::Lost, "the address is not taken away");
}

#[test]
fn before_the_address_was_read_it_is_left_alone() {
    assert_eq!(page([]).place(), Place::Waiting);
    assert_eq!(page([Action::Follow(None)]).place(), Place::Start);
}

#[test]
fn whoever_chooses_a_function_does_not_wait_for_a_link() {
    let other = || Action::SuiteLoaded(named("other", 1));
    let state = page([other(), follow(WHOLE), choose(1, "shuffle"), Action::SuiteLoaded(suite())]);
    assert_eq!(state.cell().map(|cell| cell.id()), Some(id(1, "shuffle")));
}

#[test]
fn a_link_that_goes_nowhere_stays_in_the_address_whatever_was_shown() {
    for link in ["suite=none&function=sort", "suite=demo&function=none", "garbage"] {
        let state = Reducible::reduce(opened(WHOLE), follow(link));
        assert_eq!((state.place(), state.cell()), (Place::Lost, None), "{link}");
        let state = Reducible::reduce(state, choose(0, "sort"));
        assert_eq!(fragment(&state).as_deref(), Some(WHOLE), "what was set is still there");
    }
}

#[test]
fn a_link_without_a_generator_means_the_first_one() {
    let other = on_sort(CellAction::ChooseGenerator("texts".to_owned()));
    let state =
        [other, follow("suite=demo&function=sort&with=reverse")].into_iter().fold(opened(WHOLE), Reducible::reduce);
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(state.cell().expect("it is shown").generator.path, "keys");
}

#[test]
fn a_link_brings_its_own_company() {
    let state = opened("suite=demo&function=sort&with=reverse&with=rotate&with=shuffle&with=sort_stable");
    assert_eq!(state.link_problems, ["A plot holds four functions: “sort_stable” is left out."]);
    let measured = [
        CellAction::Started(machine()),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let state = measured.into_iter().map(on_sort).fold(state, Reducible::reduce);
    let trace = state.cell().expect("it is shown").traces[0].clone();
    let removed = on_sort(CellAction::RemovePartner("reverse".to_owned()));
    let state = [removed, on_sort(CellAction::AddOverlay(trace))].into_iter().fold(state, Reducible::reduce);
    let state = Reducible::reduce(state, follow("suite=demo&function=sort&with=reverse&with=rotate&with=shuffle"));
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(state.cell().expect("it is shown").partners.len(), 3);
}

#[test]
fn the_visible_part_of_a_link_belongs_to_what_is_measured_next() {
    let started = || on_sort(CellAction::Started(machine()));
    let link = "suite=demo&function=sort&arg.size=200..900&zoom=200,300,1,2";
    let state =
        [started(), follow(link), started()].into_iter().fold(opened("suite=demo&function=sort"), Reducible::reduce);
    assert!(state.cell().expect("it is shown").presentation.zoom.is_some());
    let other = on_sort(CellAction::Control(ControlAction::Vary("depth".to_owned())));
    let state = [other, started()].into_iter().fold(state, Reducible::reduce);
    assert!(state.cell().expect("it is shown").presentation.zoom.is_none(), "another plane is seen whole");
}

#[test]
fn a_wrong_value_stays_in_the_link() {
    let state = opened("suite=demo&function=sort&arg.size=200..1e30&arg.depth=many");
    let link = fragment(&state).expect("a link");
    assert!(link.contains("arg.size=200..1e30&arg.depth=many"), "{link}");
}

#[test]
fn back_to_the_start_and_forward_again() {
    let state = opened(WHOLE);
    let state = Reducible::reduce(state, Action::Follow(None));
    assert_eq!((state.place(), state.cell()), (Place::Start, None));
    let state = Reducible::reduce(state, follow(WHOLE));
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
}

#[test]
fn a_link_to_a_measured_cell_keeps_its_figures() {
    let actions = [
        CellAction::Started(machine()),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let state = page(
        [Action::SuiteLoaded(suite()), choose(0, "sort")]
            .into_iter()
            .chain(actions.into_iter().map(on_sort))
            .chain([follow("suite=demo&function=sort&arg.size=300..400")]),
    );
    let cell = state.cell().expect("it is shown");
    assert!(cell.traces[0].has_figures() && cell.is_outdated());
}

#[test]
fn what_a_link_does_not_say_is_as_at_first() {
    let state = opened("suite=demo&function=sort&arg.size=300..400&arg.spread=B");
    let state = Reducible::reduce(state, follow("suite=demo&function=sort"));
    assert_eq!(
        fragment(&state).as_deref(),
        Some("suite=demo&function=sort&generator=keys&arg.size=100..1000&arg.depth=300&arg.spread=A")
    );
}

#[test]
fn what_a_link_says_wrong_is_told_in_words_and_the_rest_is_shown() {
    let table = [
        ("garbage", "does not understand"),
        ("function=sort", "names no suite"),
        ("suite=demo&function=none", "function “none”"),
        ("suite=none&function=sort", "“none”, which this notebook does not have. It has demo."),
        ("suite=demo&function=sort&generator=none", "generator “none”"),
        ("suite=demo&function=find&generator=keys", "generator “keys”, which find does not take. It has texts."),
        ("suite=demo&function=sort&with=none", "“none”"),
        ("suite=demo&function=sort&with=find", "“find”, which cannot be measured together with sort"),
        ("suite=demo&function=sort&with=sort", "“sort”"),
        (
            "suite=demo&function=sort&arg.colour=3",
            "“colour”, which the generator Keys does not have. It has size, depth, spread.",
        ),
        ("suite=demo&function=sort&arg.spread=C", "“C”, which is none of its choices. It has A, B."),
        ("suite=demo&function=sort&arg.size=100..200&arg.depth=100..200", "varies depth too: exactly one"),
        ("suite=demo&function=sort&arg.size=500", "varies no parameter"),
        ("suite=demo&function=sort&view=wall", "view=wall"),
    ];
    for (link, expected) in table {
        let state = opened(link);
        assert!(state.link_problems.iter().any(|told| told.contains(expected)), "{link}: {:?}", state.link_problems);
        let goes_there = link.starts_with("suite=demo&function=sort") || link.starts_with("suite=demo&function=find");
        assert_eq!(state.cell().is_some(), goes_there, "{link}");
    }
}

#[test]
fn a_value_that_cannot_be_is_told_at_its_control() {
    for (argument, expected) in [
        ("arg.size=1..200", "expected 100 to 10"),
        ("arg.size=100..1e99", "expected 100 to 10"),
        ("arg.size=x..200", "expected a number"),
        ("arg.size=900..200", "low must be less than high"),
        ("arg.depth=", "expected a number"),
    ] {
        let state = opened(&format!("suite=demo&function=sort&{argument}"));
        let cell = state.cell().expect("it is shown");
        let name = if argument.starts_with("arg.size") { "size" } else { "depth" };
        let wrongs = cell.controls.settings[name].wrongs(cell.controls.axis == name);
        assert!(wrongs.iter().any(|wrong| wrong.contains(expected)), "{argument}: {wrongs:?}");
        assert!(cell.request("me").is_err(), "{argument}");
        assert_eq!(state.link_problems, [""; 0], "{argument}");
    }
}

#[test]
fn a_value_off_the_grid_is_taken_to_it_with_a_note() {
    let state = opened("suite=demo&function=sort&arg.size=210..890");
    let cell = state.cell().expect("it is shown");
    assert_eq!(
        cell.request("me").expect("values").arguments["size"],
        Argument::Range(Range { low: 200.0, high: 900.0 })
    );
    assert!(matches!(low(cell).note, Some(Note::Snapped(_))));
}

#[test]
fn a_text_of_any_length_is_kept_and_one_that_is_too_long_told() {
    for (length, is_right) in [(0, true), (10_000, true), (10_001, false)] {
        let state = opened(&format!("suite=demo&function=find&arg.needle={}", "n".repeat(length)));
        let cell = state.cell().expect("it is shown");
        assert_eq!(cell.request("me").is_ok(), is_right, "{length}");
        assert!(fragment(&state).expect("a link").len() > length);
    }
}

#[test]
fn the_view_is_part_of_the_link() {
    let state = opened("suite=demo&function=sort");
    let present = |action| on_sort(CellAction::Present(action));
    let state = [
        present(PresentationAction::ShowMean(false)),
        present(PresentationAction::Tab(Tab::Samples)),
        present(PresentationAction::Point(0, 400.0)),
    ]
    .into_iter()
    .fold(state, Reducible::reduce);
    assert!(fragment(&state).expect("a link").ends_with("&view=samples&hide=mean&point=0,400"));
}
