//! Tests of links: opening them, and the address of the page.

use benchbook_notebook::notebook::Notebook;

use super::*;
use crate::address::FileAddress;
use crate::state::notebook::library::StorageAction;
use crate::state::notebook::saving::{SaveStatus, StoredVersion};
use crate::state::notebook::{NotebookAction, OpenNotebook};
use crate::state::page_address::PageAddress;
use crate::state::site_config::ListedNotebook;
use benchbook_notebook::view::{Tab, ViewAction, Zoom};

fn opened(fragment: &str) -> Rc<State> {
    page([PageAction::SuiteLoaded(suite()), loaded_config(), follow(fragment)])
}

/// The storage has no notebook with this identifier.
fn missing(id: &str) -> PageAction {
    let id = Id::try_from(id.to_owned()).expect("an identifier");
    PageAction::Storage(StorageAction::Loaded(id, Ok(None)))
}

/// The storage does not have the notebook that the state waits for.
fn missing_wanted(state: Rc<State>) -> Rc<State> {
    loaded_wanted(state, Ok(None))
}

/// The storage answers with this version of the notebook that the state waits for.
fn loaded_wanted(state: Rc<State>, outcome: Result<Option<StoredVersion>, String>) -> Rc<State> {
    let id = state.wanted_notebook().expect("the storage decides");
    state.reduce(PageAction::Storage(StorageAction::Loaded(id, outcome)))
}

fn loaded_config() -> PageAction {
    PageAction::SiteConfigLoaded(SiteConfig::default())
}

/// The settings in the address, without the identifiers of notebook and cell.
fn fragment(state: &State) -> Option<String> {
    match state.address() {
        PageAddress::At(address) => Some(match *address {
            Address::Stored { elsewhere: Some(cell), .. } => Address::Cell(cell).link(),
            address => address.link(),
        }),
        PageAddress::Start | PageAddress::Waiting | PageAddress::Invalid => None,
    }
}

const WHOLE: &str = "suite=demo&function=sort&generator=keys&with=sort_stable&arg.depth=400&arg.size=200..900&arg.spread=B&aim=0.5&time=3&view=table&x=linear&zoom=200,300,1,2";

#[test]
fn opening_a_link_reproduces_it_in_the_address() {
    let state = opened(WHOLE);
    assert_eq!(state.link_problems, [""; 0]);
    let cell = shown_cell(&state);
    let request = cell.request("me").expect("values");
    assert_eq!(request.functions, ["sort", "sort_stable"]);
    assert_eq!(request.arguments["size"], Argument::Range(Range { low: 200.0, high: 900.0 }));
    assert_eq!(request.arguments["spread"], Argument::Text("B".to_owned()));
    assert_eq!((cell.options.precision(), cell.options.point_ms()), (Ok(Some(0.005)), Ok(Some(3_000.0))));
    assert_eq!(cell.view.tab, Tab::Table);
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
    // Back to the start, and forward.
    let state = state.reduce(PageAction::Follow(None));
    assert_eq!((state.address(), state.cell()), (PageAddress::Start, None));
    assert_eq!(fragment(&state.reduce(follow(WHOLE))).as_deref(), Some(WHOLE));
    assert_eq!(page([]).address(), PageAddress::Waiting, "an address that was not read remains");
    assert_eq!(page([PageAction::Follow(None)]).address(), PageAddress::Start);
}

/// The configuration with a notebook to read.
fn config_with_notebook() -> PageAction {
    let listed = ListedNotebook { title: "Maps".to_owned(), address: "notebooks/maps.json".to_owned(), digest: None };
    PageAction::SiteConfigLoaded(SiteConfig { suites: Vec::new(), notebooks: vec![listed], ..SiteConfig::default() })
}

#[test]
fn a_listed_notebook_is_shown_read_only() {
    let waiting = page([follow("site_file=notebooks/maps.json")]);
    assert_eq!((waiting.address(), waiting.wanted_site_file()), (PageAddress::Waiting, None));
    let wanted = page([follow("site_file=notebooks/maps.json"), config_with_notebook()]);
    assert_eq!(wanted.wanted_site_file().as_deref(), Some("notebooks/maps.json"));

    let document = Notebook { title: "Maps".to_owned(), cells: Vec::new() };
    let file = FileAddress::Site("notebooks/maps.json".to_owned());
    let state = wanted.reduce(PageAction::FileLoaded(file, Ok(document)));
    assert!(state.notebook().is_some_and(|notebook| notebook.is_reading && notebook.document.title == "Maps"));
    assert_eq!(fragment(&state).as_deref(), Some("site_file=notebooks/maps.json"));
    // A copy is an ordinary notebook.
    let copy = missing_wanted(state.reduce(PageAction::EditCopy));
    assert!(copy.notebook().is_some_and(|notebook| !notebook.is_reading && notebook.file.is_none()));
}

#[test]
fn only_the_start_waits_for_the_answers_of_the_notebooks() {
    let digests = Some("notebooks/digests.json".to_owned());
    let config = SiteConfig { suites: Vec::new(), digests, ..SiteConfig::default() };
    let waiting = page([PageAction::SuiteLoaded(suite()), PageAction::SiteConfigLoaded(config), follow(WHOLE)]);
    let opened = PageAction::Storage(StorageAction::Opened(Ok(())));
    let waiting = waiting.reduce(opened);
    assert!(!waiting.is_start_complete());
    assert!(waiting.cell().is_some(), "a link opens");
    let complete = waiting.reduce(PageAction::DigestsLoaded(Vec::new()));
    assert!(complete.is_start_complete(), "without an answer, the titles are shown");
}

#[test]
fn a_link_to_an_unlisted_file_loads_nothing() {
    for address in ["notebooks/other.json", "https://example.org/notebook.json", ""] {
        let state = page([config_with_notebook(), follow(&format!("site_file={address}"))]);
        assert_eq!((state.wanted_site_file(), state.address()), (None, PageAddress::Invalid), "{address}");
        assert_eq!(state.link_problems, [format!("notebook.json lists no notebook “{address}”.")]);
    }
}

#[test]
fn an_article_is_shown_in_place_of_the_start_but_not_of_a_link() {
    let config = || {
        let article = Some("article.json".to_owned());
        PageAction::SiteConfigLoaded(SiteConfig { suites: Vec::new(), article, ..SiteConfig::default() })
    };
    for begun in [[PageAction::Follow(None), config()], [config(), PageAction::Follow(None)]] {
        let state = page(begun);
        assert_eq!(state.wanted_site_file().as_deref(), Some("article.json"));
        let file = FileAddress::Site("article.json".to_owned());
        let shown = state.reduce(PageAction::FileLoaded(file.clone(), Ok(Notebook::default())));
        assert!(shown.notebook().is_some_and(OpenNotebook::is_measured_by_readers));
        let home = shown.reduce(PageAction::Home);
        assert!(home.notebook().is_some_and(|notebook| notebook.file == Some(file)), "the start is the article");
    }
    let state = page([follow("self_test=browser"), config()]);
    assert!(state.shown == Shown::SelfTest && state.wanted_site_file().is_none());
    // If it cannot be loaded, the start reports this.
    let file = FileAddress::Site("article.json".to_owned());
    let state = page([PageAction::Follow(None), config(), PageAction::FileLoaded(file, Err("damaged".to_owned()))]);
    assert_eq!((state.notebook(), state.link_problems.as_slice()), (None, ["damaged".to_owned()].as_slice()));
}

#[test]
fn a_link_waits_for_its_suite() {
    let state = page([loaded_config(), follow(WHOLE)]);
    assert_eq!((state.address(), state.cell()), (PageAddress::Waiting, None));
    let loaded = Rc::clone(&state).reduce(PageAction::SuiteLoaded(suite()));
    assert_eq!(fragment(&loaded).as_deref(), Some(WHOLE));
    let gone = state.reduce(PageAction::SuiteFailed(SuiteId::Site(1), "gone".to_owned()));
    assert!(gone.link_problems[0].contains("“demo”"), "{:?}", gone.link_problems);
    assert_eq!(gone.address(), PageAddress::Invalid, "the address remains");
}

#[test]
fn choosing_a_function_drops_a_pending_link() {
    let other = || PageAction::SuiteLoaded(named("other", 1));
    let state = page([other(), follow(WHOLE), choose(1, "shuffle"), PageAction::SuiteLoaded(suite())]);
    assert_eq!(state.cell().map(|cell| cell.function_id()), Some(id(1, "shuffle")));
}

#[test]
fn a_link_without_a_generator_selects_the_first() {
    let other = on_first(CellAction::Edit(SetupEdit::ChooseGenerator("texts".to_owned())));
    let state = opened(WHOLE).then([other, follow("suite=demo&function=sort&with=reverse")]);
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(shown_cell(&state).generator.path, "keys");
}

#[test]
fn a_plot_holds_the_first_four_functions_of_a_link() {
    let state = opened("suite=demo&function=sort&with=reverse&with=rotate&with=shuffle&with=sort_stable");
    assert_eq!(state.link_problems, ["A plot holds four functions. “sort_stable” is omitted."]);
    assert_eq!(shown_cell(&state).partners.len(), 3);
}

#[test]
fn the_zoom_of_a_link_applies_to_the_next_measurement() {
    let start = || on_first(started());
    let state = opened("suite=demo&function=sort&arg.size=200..900&zoom=200,300,1,2").reduce(start());
    assert!(shown_cell(&state).view.zoom.is_some());
    let other = on_first(set_role("depth", Role::Range));
    let state = state.then([other, start()]);
    assert!(shown_cell(&state).view.zoom.is_none(), "the zoom does not apply to another axis");
}

#[test]
fn a_measurement_of_another_range_resets_the_zoom() {
    let zoom = Zoom::new([200.0, 300.0], [1.0, 2.0]);
    let zoomed = || vec![started(), CellAction::Edit(SetupEdit::View(ViewAction::Zoom(zoom)))];
    let is_zoomed = |actions: Vec<CellAction>| after(actions).view.zoom.is_some();
    assert!(is_zoomed([zoomed(), vec![started()]].concat()));
    assert!(!is_zoomed([zoomed(), vec![typed(End::High, "900"), started()]].concat()));
}

#[test]
fn an_invalid_value_remains_in_the_address() {
    let state = opened("suite=demo&function=sort&arg.size=200..1e30&arg.depth=many");
    let link = fragment(&state).expect("a link");
    assert!(link.contains("arg.depth=many&arg.size=200..1e30"), "{link}");
}

#[test]
fn the_address_of_a_cell_leads_back_to_it_with_its_results() {
    let actions = [started(), in_browser(Priority::FIRST, vec![measured(100.0, 5.0)])];
    let begun = [PageAction::SuiteLoaded(suite()), PageAction::Follow(None), choose(0, "sort")];
    let state = page(begun).then(actions.map(on_first));
    let PageAddress::At(address) = state.address() else { panic!("a cell has an address") };
    let Address::Stored { notebook, cell, .. } = &*address else { panic!("{address:?}") };
    assert_eq!((notebook, cell.as_ref()), (&nth_cell(0).notebook, Some(&nth_cell(0).cell)));
    let state = state.reduce(PageAction::Home);
    assert_eq!((state.address(), state.cell()), (PageAddress::Start, None));
    let state = state.reduce(PageAction::Follow(Some(Link::from(*address))));
    assert!(shown_cell(&state).results.traces()[0].has_figures());
}

#[test]
fn the_address_of_an_unknown_notebook_opens_its_settings() {
    let state = opened(&format!("notebook=abc&cell=def&{WHOLE}"));
    assert_eq!((state.address(), state.cell()), (PageAddress::Waiting, None), "the storage decides");
    let state = state.reduce(missing("abc"));
    assert_eq!(state.link_problems, [""; 0]);
    assert_eq!(
        state.current().map(|id| (id.notebook.to_string(), id.cell.to_string())),
        Some(("abc".to_owned(), "def".to_owned()))
    );
    assert_eq!(fragment(&state).as_deref(), Some(WHOLE));
}

#[test]
fn the_address_of_an_unknown_notebook_without_settings_is_reported() {
    let state = opened("notebook=abc&cell=def").reduce(missing("abc"));
    assert_eq!((state.address(), state.notebook()), (PageAddress::Invalid, None));
    assert!(state.link_problems[0].contains("isn't stored in this browser"), "{:?}", state.link_problems);
}

#[test]
fn the_storage_opens_the_notebook_of_an_address() {
    let id = || Id::try_from("abc".to_owned()).expect("an identifier");
    let state = begun().reduce(PageAction::Add(super::id(0, "find")));
    let document = state.notebook().expect("it is shown").document.clone();
    let second = document.cells[1].id.clone();
    let version = StoredVersion { document, unreadable: Vec::new(), revision: 3 };
    let state = opened(&format!("notebook=abc&cell={second}&suite=demo&function=reverse"));
    let state = state.reduce(PageAction::Storage(StorageAction::Loaded(id(), Ok(Some(version)))));
    assert_eq!(state.cell().map(|cell| cell.function.path.as_str()), Some("find"), "the settings are ignored");
    assert_eq!(state.notebook().map(|notebook| &notebook.saving.status), Some(&SaveStatus::Saved));
}

#[test]
fn a_link_can_contain_a_notebook() {
    let state = page([PageAction::SuiteLoaded(suite()), PageAction::Follow(None), choose(0, "sort")]);
    let mut document = state.notebook().expect("it is shown").document.clone();
    document.title = "Which sort?".to_owned();
    let content = benchbook_notebook::link::write(&document).expect("it is short").text;
    let state = opened(&format!("content={content}"));
    assert_eq!((state.address(), state.notebook()), (PageAddress::Waiting, None), "the storage decides");
    let state = missing_wanted(state);
    assert_eq!(state.notebook().map(|notebook| notebook.document.title.as_str()), Some("Which sort?"));
    assert_eq!(state.cell().map(|cell| cell.function.path.as_str()), Some("sort"));
    let damaged = opened("content=garbage");
    assert_eq!((damaged.notebook(), damaged.address()), (None, PageAddress::Invalid));
    assert_eq!(damaged.link_problems, ["The link is damaged or incomplete. Copy it again."]);
}

/// A notebook with one cell and its result, from a link.
fn linked_notebook() -> Notebook {
    let actions = [started(), in_browser(Priority::LAST, vec![measured(100.0, 5.0)])];
    let done = CellAction::Run(RunEvent::PriorityDone(Priority::LAST));
    let state = begun().then(actions.into_iter().chain([done]).map(on_first));
    let document = state.notebook().expect("it is shown").document.clone();
    let content = benchbook_notebook::link::write(&document).expect("it is short").text;
    benchbook_notebook::link::read(&content).expect("it was just written")
}

#[test]
fn a_document_that_is_opened_twice_is_one_notebook_until_it_is_edited() {
    let content = benchbook_notebook::link::write(&linked_notebook()).expect("it is short").text;
    let (link, file) = (follow(&format!("content={content}")), PageAction::OpenDocument(Ok(linked_notebook())));
    let shown = |state: &State| state.notebook().expect("one is shown").id.clone();
    for open in [link, file] {
        let again = || open.clone();
        let first = missing_wanted(opened("suite=demo&function=sort").reduce(again()));
        let count = first.notebooks.len();
        // In this tab.
        let second = Rc::clone(&first).then([PageAction::Home, again()]);
        assert_eq!((shown(&second), second.notebooks.len()), (shown(&first), count));
        // In the storage, perhaps deleted.
        let document = first.notebook().expect("it is shown").document.clone();
        let stored = |document: &Notebook| {
            Ok(Some(StoredVersion { document: document.clone(), unreadable: Vec::new(), revision: 3 }))
        };
        let second = loaded_wanted(opened("suite=demo&function=sort").reduce(again()), stored(&document));
        assert_eq!(shown(&second), shown(&first));
        assert_eq!(second.unsaved_notebooks().len(), 1, "it is restored");
        // The user has edited it in this tab or before.
        let title = PageAction::Notebook(NotebookAction::SetTitle("Mine".to_owned()));
        let edited = Rc::clone(&first).then([title]);
        let mine = edited.notebook().expect("it is shown").document.clone();
        let second = missing_wanted(edited.reduce(again()));
        assert!(shown(&second) != shown(&first) && second.notebooks.len() == count + 1);
        assert_eq!(second.notebook().expect("it is shown").document, document);
        let waiting = loaded_wanted(opened("suite=demo&function=sort").reduce(again()), stored(&mine));
        assert_eq!(shown(&loaded_wanted(waiting, stored(&document))), shown(&second));
        // A stored notebook that cannot be read is never replaced.
        let other = loaded_wanted(opened("suite=demo&function=sort").reduce(again()), Err("newer".to_owned()));
        assert!(shown(&other) != shown(&first) && other.notebook().expect("it is shown").document == document);
    }
}

#[test]
fn a_link_resets_omitted_settings() {
    let state = opened("suite=demo&function=sort&arg.size=300..400&arg.spread=B");
    let state = state.reduce(follow("suite=demo&function=sort"));
    assert_eq!(
        fragment(&state).as_deref(),
        Some("suite=demo&function=sort&generator=keys&arg.depth=300&arg.size=100..1000&arg.spread=A")
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
        ("suite=demo&function=sort&arg.size=100..200&arg.depth=100..200", "also varies size. Only one"),
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
        if !is_opened {
            // It remains in the address, and a choice opens a new notebook.
            let state = opened(WHOLE).reduce(follow(link));
            assert_eq!((state.address(), state.cell()), (PageAddress::Invalid, None), "{link}");
            let state = state.reduce(choose(0, "sort"));
            assert_eq!(state.notebook().map(|notebook| notebook.document.cells.len()), Some(1), "{link}");
        }
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
        let cell = shown_cell(&state);
        let name = if argument.contains(".size") { "size" } else { "depth" };
        let parameter = cell.generator.parameter(name).expect("it is declared");
        let errors = cell.controls.settings[name].argument(parameter, cell.controls.role(name)).expect_err(argument);
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
        ("arg.size=200&arg.depth=300&arg.spread=A", "", "&arg.depth=300&arg.size=200&arg.spread=A"),
    ] {
        let state = opened(&format!("suite=demo&function=sort&{written}"));
        let cell = shown_cell(&state);
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
    let cell = shown_cell(&state);
    assert_eq!(
        cell.request("me").expect("values").arguments["size"],
        Argument::Range(Range { low: 200.0, high: 900.0 })
    );
    assert!(matches!(low(cell).note, Some(Note::Snapped(_))));
}

#[test]
fn keeps_texts_of_any_length_and_rejects_long_ones() {
    for (length, is_valid) in [(0, true), (10_000, true), (10_001, false)] {
        let state = opened(&format!("suite=demo&function=find&arg.needle={}", "n".repeat(length)));
        let cell = shown_cell(&state);
        assert_eq!(cell.request("me").is_ok(), is_valid, "{length}");
        assert!(fragment(&state).expect("a link").len() > length);
    }
}

#[test]
fn the_link_contains_the_presentation() {
    let state = opened("suite=demo&function=sort");
    let present = |action| on_first(CellAction::Edit(SetupEdit::View(action)));
    let state = state.then([
        present(ViewAction::ShowMean(false)),
        present(ViewAction::Tab(Tab::Samples)),
        present(ViewAction::Point(0, "400".to_owned())),
    ]);
    assert!(fragment(&state).expect("a link").ends_with("&view=samples&hide=mean&point=0,400"));
}
