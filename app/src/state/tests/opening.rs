//! Tests of links: opening them, and the address of the page.

use super::*;
use crate::settings::presentation::{PresentationAction, Tab};
use crate::share::link::Link;
use crate::state::page_address::PageAddress;

fn follow(fragment: &str) -> PageAction {
    PageAction::Follow(Link::read(fragment))
}

fn opened(fragment: &str) -> Rc<State> {
    page([PageAction::SuiteLoaded(suite()), loaded_config(), follow(fragment)])
}

fn loaded_config() -> PageAction {
    PageAction::SiteConfigLoaded(SiteConfig { suites: vec!["suites/demo.wasm".to_owned()], ..SiteConfig::default() })
}

fn fragment(state: &State) -> Option<String> {
    match state.address() {
        PageAddress::Link(link) => Some(link.write()),
        PageAddress::Start | PageAddress::Waiting | PageAddress::Invalid => None,
    }
}

const WHOLE: &str = "suite=demo&function=sort&generator=keys&with=sort_stable&arg.size=200..900&arg.depth=400&arg.spread=B&aim=0.5&time=3&view=table&x=linear&zoom=200,300,1,2";

#[test]
fn opening_a_link_reproduces_it_in_the_address() {
    let state = opened(WHOLE);
    assert_eq!(state.link_problems, [""; 0]);
    let cell = state.cell().expect("it is shown");
    let request = cell.request("me").expect("values");
    assert_eq!(request.functions, ["sort", "sort_stable"]);
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 200.0, high: 900.0 }));
    assert_eq!(request.arguments["spread"], Argument::Text("B".to_owned()));
    assert_eq!(
        (cell.measuring_options.precision(), cell.measuring_options.point_ms()),
        (Ok(Some(0.005)), Ok(Some(3_000.0)))
    );
    assert_eq!(cell.presentation.tab, Tab::Table);
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
}

#[test]
fn a_link_waits_for_its_suite() {
    let begun = || vec![loaded_config(), follow(WHOLE)];
    let state = page(begun());
    assert_eq!((state.address(), state.cell()), (PageAddress::Waiting, None));
    let state = page(begun().into_iter().chain([PageAction::SuiteLoaded(suite())]));
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
    let gone = page(begun().into_iter().chain([PageAction::SuiteFailed("gone".to_owned())]));
    assert!(gone.link_problems[0].contains("“demo”"), "{:?}", gone.link_problems);
    assert_eq!(gone.address(), PageAddress::Invalid, "the address remains");
}

#[test]
fn does_not_change_an_address_that_was_not_read() {
    assert_eq!(page([]).address(), PageAddress::Waiting);
    assert_eq!(page([PageAction::Follow(None)]).address(), PageAddress::Start);
}

#[test]
fn choosing_a_function_drops_a_pending_link() {
    let other = || PageAction::SuiteLoaded(named("other", 1));
    let state = page([other(), follow(WHOLE), choose(1, "shuffle"), PageAction::SuiteLoaded(suite())]);
    assert_eq!(state.cell().map(|cell| cell.id()), Some(id(1, "shuffle")));
}

#[test]
fn an_invalid_link_remains_in_the_address() {
    for link in ["suite=none&function=sort", "suite=demo&function=none", "garbage"] {
        let state = Reducible::reduce(opened(WHOLE), follow(link));
        assert_eq!((state.address(), state.cell()), (PageAddress::Invalid, None), "{link}");
        let state = Reducible::reduce(state, choose(0, "sort"));
        assert_eq!(fragment(&state).as_deref(), Some(WHOLE), "the settings remain");
    }
}

#[test]
fn a_link_without_a_generator_selects_the_first() {
    let other = on_sort(CellAction::ChooseGenerator("texts".to_owned()));
    let state =
        [other, follow("suite=demo&function=sort&with=reverse")].into_iter().fold(opened(WHOLE), Reducible::reduce);
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(state.cell().expect("it is shown").generator.path, "keys");
}

#[test]
fn a_link_replaces_partners_and_overlays() {
    let state = opened("suite=demo&function=sort&with=reverse&with=rotate&with=shuffle&with=sort_stable");
    assert_eq!(state.link_problems, ["A plot holds four functions. “sort_stable” is omitted."]);
    let measured = [
        CellAction::Started(origin(machine())),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let state = measured.into_iter().map(on_sort).fold(state, Reducible::reduce);
    let trace = state.cell().expect("it is shown").results.traces()[0].clone();
    let removed = on_sort(CellAction::RemovePartner("reverse".to_owned()));
    let state = [removed, on_sort(CellAction::AddOverlay(trace))].into_iter().fold(state, Reducible::reduce);
    let state = Reducible::reduce(state, follow("suite=demo&function=sort&with=reverse&with=rotate&with=shuffle"));
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(state.cell().expect("it is shown").partners.len(), 3);
}

#[test]
fn the_zoom_of_a_link_applies_to_the_next_measurement() {
    let started = || on_sort(CellAction::Started(origin(machine())));
    let link = "suite=demo&function=sort&arg.size=200..900&zoom=200,300,1,2";
    let state =
        [started(), follow(link), started()].into_iter().fold(opened("suite=demo&function=sort"), Reducible::reduce);
    assert!(state.cell().expect("it is shown").presentation.zoom.is_some());
    let other = on_sort(CellAction::Control(ControlAction::SetRole("depth".to_owned(), Role::Range)));
    let state = [other, started()].into_iter().fold(state, Reducible::reduce);
    assert!(state.cell().expect("it is shown").presentation.zoom.is_none(), "the zoom does not apply to another axis");
}

#[test]
fn an_invalid_value_remains_in_the_address() {
    let state = opened("suite=demo&function=sort&arg.size=200..1e30&arg.depth=many");
    let link = fragment(&state).expect("a link");
    assert!(link.contains("arg.size=200..1e30&arg.depth=many"), "{link}");
}

#[test]
fn returns_to_the_start_and_forward() {
    let state = opened(WHOLE);
    let state = Reducible::reduce(state, PageAction::Follow(None));
    assert_eq!((state.address(), state.cell()), (PageAddress::Start, None));
    let state = Reducible::reduce(state, follow(WHOLE));
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
}

#[test]
fn a_link_to_a_measured_cell_retains_its_results() {
    let actions = [
        CellAction::Started(origin(machine())),
        CellAction::Measured(MachineKind::Browser, Priority::FIRST, vec![measured(100.0, 5.0)]),
    ];
    let state = page(
        [PageAction::SuiteLoaded(suite()), choose(0, "sort")]
            .into_iter()
            .chain(actions.into_iter().map(on_sort))
            .chain([follow("suite=demo&function=sort&arg.size=300..400")]),
    );
    let cell = state.cell().expect("it is shown");
    assert!(cell.results.traces()[0].has_figures() && cell.is_outdated());
}

#[test]
fn a_link_resets_omitted_settings() {
    let state = opened("suite=demo&function=sort&arg.size=300..400&arg.spread=B");
    let state = Reducible::reduce(state, follow("suite=demo&function=sort"));
    assert_eq!(
        fragment(&state).as_deref(),
        Some("suite=demo&function=sort&generator=keys&arg.size=100..1000&arg.depth=300&arg.spread=A")
    );
}

#[test]
fn reports_invalid_parts_of_a_link_and_applies_the_rest() {
    let table = [
        ("garbage", "an unknown part: “garbage”"),
        ("function=sort", "names no suite"),
        ("suite=demo&function=none", "The suite demo has no function “none”"),
        ("suite=none&function=sort", "unknown suite: “none”. Available: demo."),
        ("suite=demo&function=sort&generator=none", "generator “none”"),
        ("suite=demo&function=find&generator=keys", "find does not use the generator “keys”. Available: texts."),
        ("suite=demo&function=sort&with=none", "“none”"),
        ("suite=demo&function=sort&with=find", "“find” cannot be measured together with sort"),
        ("suite=demo&function=sort&with=sort", "“sort”"),
        (
            "suite=demo&function=sort&arg.colour=3",
            "The generator Keys has no parameter “colour”. Available: size, depth, spread.",
        ),
        ("suite=demo&function=sort&arg.spread=C", "unknown choice: “C”. Available: A, B."),
        ("suite=demo&function=sort&arg.size=100..200&arg.depth=100..200", "also varies depth. Only one"),
        ("suite=demo&function=sort&args.size=500&arg.depth=100..200", "also varies size. Only one"),
        ("suite=demo&function=sort&args.spread=A&args.spread=C", "unknown choice: “C”. Available: A, B."),
        ("suite=demo&function=sort&args.colour=C", "no parameter “colour”"),
        ("suite=demo&function=sort&view=wall", "view=wall"),
    ];
    for (link, expected) in table {
        let state = opened(link);
        assert!(
            state.link_problems.iter().any(|problem| problem.contains(expected)),
            "{link}: {:?}",
            state.link_problems
        );
        let is_opened = link.starts_with("suite=demo&function=sort") || link.starts_with("suite=demo&function=find");
        assert_eq!(state.cell().is_some(), is_opened, "{link}");
    }
}

#[test]
fn reports_an_invalid_value_at_its_control() {
    for (argument, expected) in [
        ("arg.size=1..200", "expected 100 to 10"),
        ("arg.size=100..1e99", "expected 100 to 10"),
        ("arg.size=x..200", "expected a number"),
        ("args.size=x&args.size=200", "expected a number"),
        ("args.size=200&args.size=200", "200 is listed twice"),
        ("arg.size=900..200", "low must not be greater than high"),
        ("arg.depth=", "expected a number"),
    ] {
        let state = opened(&format!("suite=demo&function=sort&{argument}"));
        let cell = state.cell().expect("it is shown");
        let name = if argument.contains(".size") { "size" } else { "depth" };
        let errors = cell.controls.settings[name].errors(cell.controls.role(name));
        assert!(errors.iter().any(|error| error.contains(expected)), "{argument}: {errors:?}");
        assert!(cell.request("me").is_err(), "{argument}");
        assert_eq!(state.link_problems, [""; 0], "{argument}");
    }
}

#[test]
fn opens_lists_and_single_values() {
    for (written, axis, expected) in [
        ("arg.depth=300&arg.spread=A&args.size=100&args.size=500", "size", "&args.size=100&args.size=500"),
        ("arg.size=200&arg.depth=300&args.spread=B", "spread", "&args.spread=B"),
        ("arg.size=200&arg.depth=300&arg.spread=A", "", "&arg.size=200&arg.depth=300&arg.spread=A"),
    ] {
        let state = opened(&format!("suite=demo&function=sort&{written}"));
        let cell = state.cell().expect("it is shown");
        assert_eq!(state.link_problems, [""; 0], "{written}");
        assert_eq!(cell.controls.axis, axis);
        let link = fragment(&state).expect("a link");
        assert!(link.contains(expected), "{link}");
        assert_eq!(fragment(&opened(&link)), Some(link), "the link leads to itself");
    }
}

#[test]
fn rounds_a_value_off_the_grid_with_a_note() {
    let state = opened("suite=demo&function=sort&arg.size=210..890");
    let cell = state.cell().expect("it is shown");
    assert_eq!(
        cell.request("me").expect("values").arguments["size"],
        Argument::Range(Range { low: 200.0, high: 900.0 })
    );
    assert!(matches!(low(cell).note, Some(Note::Snapped(_))));
}

#[test]
fn retains_texts_of_any_length_and_rejects_long_ones() {
    for (length, is_valid) in [(0, true), (10_000, true), (10_001, false)] {
        let state = opened(&format!("suite=demo&function=find&arg.needle={}", "n".repeat(length)));
        let cell = state.cell().expect("it is shown");
        assert_eq!(cell.request("me").is_ok(), is_valid, "{length}");
        assert!(fragment(&state).expect("a link").len() > length);
    }
}

#[test]
fn the_link_contains_the_presentation() {
    let state = opened("suite=demo&function=sort");
    let present = |action| on_sort(CellAction::Present(action));
    let state = [
        present(PresentationAction::ShowMean(false)),
        present(PresentationAction::Tab(Tab::Samples)),
        present(PresentationAction::Point(0, "400".to_owned())),
    ]
    .into_iter()
    .fold(state, Reducible::reduce);
    assert!(fragment(&state).expect("a link").ends_with("&view=samples&hide=mean&point=0,400"));
}
