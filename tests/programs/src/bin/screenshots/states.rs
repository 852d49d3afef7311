//! The states of the page that have a picture.

use std::rc::Rc;

use benchbook_contract::rng::Rng;
use benchbook_notebook::cell::CellContent;
use benchbook_notebook::file;
use benchbook_tests::appearance::Appearance::{self, Contrast, Dark, Forced, Light};
use benchbook_tests::full_notebook::full_notebook;
use rand::{RngExt, SeedableRng};

use super::step::Step::{
    self, Add, Choose, Click, Compare, Drag, DropFile, DropSuite, Follow, Go, Hover, LoseRunner, Measure,
    OpenStandalone, Print, Run, Search, Text, Type, UntilDrawn, UntilFound, UntilInFrame, UntilPriority, UntilRunner,
    UntilSaved, UntilShown, Visit,
};
use Suite::{Article, Demo, Frame, Misbehaving, OtherHost, OwnNotebooks, Slower};

/// A state of the page.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// The name of the picture.
    pub(crate) name: &'static str,
    pub(crate) suite: Suite,
    pub(crate) screen: Screen,
    pub(crate) looks: Appearance,
    /// The steps from the start page.
    pub(crate) steps: &'static [Step],
}

#[derive(Clone, Copy)]
pub(crate) enum Suite {
    Demo,
    /// The demo suite, with a runner that measures it natively.
    DemoOfRunner,
    Misbehaving,
    /// The demo suite, with our own notebooks.
    OwnNotebooks,
    /// One of our own notebooks as an article.
    Article,
    /// A cell of the demo suite in a frame of another page.
    Frame,
    /// The demo suite, and one on a host that does not respond.
    OtherHost,
    /// Why a function is slower than in an earlier commit.
    Slower,
}

/// Width and height in pixels of the page.
pub(crate) type Screen = (u32, u32);

const LAPTOP: Screen = (1360, 900);
/// Portrait, and as tall as the page.
const TELEPHONE: Screen = (390, 1600);
/// As tall as a page with curves of a runner.
const LONG_TELEPHONE: Screen = (390, 2800);
/// As tall as several cells.
const LONG: Screen = (1360, 2400);
/// As tall as one of our notebooks.
const WHOLE: Screen = (1360, 4200);
/// A4 at 96 pixels per inch, two pages long.
const PAPER: Screen = (794, 2246);
const WALL: Screen = (3840, 2160);

const SORT: Step = Choose("sorting::sort_unstable");
const OTHER_SORT: Step = Compare("sorting::sort_stable");
const FAILING: Step = Choose("functions::panics");

pub(crate) const fn state(
    name: &'static str,
    suite: Suite,
    screen: Screen,
    looks: Appearance,
    steps: &'static [Step],
) -> State {
    State { name, suite, screen, looks, steps }
}

/// A list of choices.
const SPREADS: &str = "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&arg.size=1000&args.spread=Random\
    &args.spread=Sorted&args.spread=Reversed&args.spread=FewDistinct";
/// Functions without parameters.
const SINGLE: &str = "suite=demo&function=strings::string_from_literal&with=strings::string_from_characters";
const ALLOCATIONS: &str =
    "suite=demo&function=memory::fill_with_capacity&with=memory::fill_by_pushing&metric=allocations";
const COUNTS: &str = "suite=demo&function=collections::btree_map_get&with=collections::hash_map_get&with=collections::sorted_vec_get&metric=wasm_instructions";
const PROFILE: &str =
    "suite=demo&function=sorting::smallest_by_heap&with=sorting::smallest_by_sorting&arg.size=100..20000";
const PROFILE_COMPARED: &[Step] = &[
    Follow(PROFILE),
    Measure,
    Click("tab-profile"),
    UntilShown("profile-before"),
    Click("profile-std"),
    Run(
        "const s = document.querySelector('[data-test=profile-before]'); s.value = s.options[1].value; s.dispatchEvent(new Event('change', { bubbles: true }));",
    ),
    UntilFound(".frame.same, .frame[class*=fewer], .frame[class*=more]"),
];
const CODE: &str = "suite=demo&function=sorting::sort_stable&with=sorting::sort_unstable";
const ASSEMBLY_COMPARED: &[Step] = &[
    Follow(CODE),
    Measure,
    Click("tab-assembly"),
    UntilShown("assembly-before"),
    Run(
        "const s = document.querySelector('[data-test=assembly-before]'); s.value = s.options[1].value; s.dispatchEvent(new Event('change', { bubbles: true }));",
    ),
    UntilShown("assembly-difference"),
];
const ASSEMBLY_PROBLEM: &[Step] = &[
    Follow(CODE),
    Measure,
    Run(
        "const usual = window.fetch; window.fetch = (file, ...rest) => String(file.url ?? file).includes('.counted.wasm') ? Promise.resolve(new Response('', { status: 404 })) : usual(file, ...rest);",
    ),
    Click("tab-assembly"),
    UntilShown("assembly-problem"),
];
const PROFILE_HELD: &[Step] = &[
    Follow(ALLOCATIONS),
    Measure,
    Click("tab-profile"),
    UntilShown("profile-by"),
    Run(
        "const s = document.querySelector('[data-test=profile-by]'); s.value = 'held'; s.dispatchEvent(new Event('change', { bubbles: true }));",
    ),
    UntilShown("profile-held"),
];
const PINPOINT: &[Step] = &[UntilShown("pinpoint-chain")];
const PINPOINT_BY_TIME: &[Step] =
    &[UntilShown("pinpoint-chain"), Click("pinpoint-start"), UntilShown("pinpoint-found")];
const FIRST_CALLS: &str =
    "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&first_calls=on&metric=first_call";

/// A question, two measurements and a conclusion.
const NOTEBOOK: &[Step] = &[
    SORT,
    OTHER_SORT,
    Measure,
    Add("collections::hash_map_get"),
    Compare("collections::btree_map_get"),
    Measure,
    Text(
        "## Conclusion\n\nUse `sort_unstable` unless equal keys must keep their order.\n\n| Keys | Function |\n| --- | --- |\n| any | `sort_unstable` |",
    ),
];

const READING: &[Step] =
    &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), Click("reader-mode")];
const PRINTED: &[Step] = &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), Print];
const COLLAPSED: &[Step] =
    &[SORT, OTHER_SORT, Measure, Click("collapse"), Text("## Conclusion\n\nUse `sort_unstable`.")];
const ALL_COLLAPSED: &[Step] = &[
    SORT,
    OTHER_SORT,
    Measure,
    Click("collapse"),
    Add("collections::hash_map_get"),
    Compare("collections::btree_map_get"),
    Measure,
    Click("collapse"),
];
const CONTENTS: &[Step] = &[SORT, OTHER_SORT, Measure, Click("contents"), UntilShown("in-cell")];
const ROW_MENU: &[Step] = &[SORT, OTHER_SORT, Measure, Click("row-menu"), UntilShown("remove-function")];
/// Functions that overtake each other.
const CROSSING: &str =
    "suite=demo&function=collections::sorted_vec_get&with=collections::hash_map_get&with=collections::btree_map_get";
const STOPPABLE: &[Step] =
    &[SORT, Click("collapse"), Add("sorting::sort_stable"), Click("measure-all"), UntilShown("queued")];
const LIBRARY: &[Step] = &[SORT, Measure, UntilSaved, Click("home"), UntilShown("open-notebook")];

// On a phone, the notebook's title takes the place of the link.
const LIBRARY_ON_TELEPHONE: &[Step] =
    &[SORT, Measure, UntilSaved, Click("more"), Click("home"), UntilShown("open-notebook")];

const STANDALONE: &[Step] = &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), OpenStandalone];
const STANDALONE_PRINTED: &[Step] =
    &[SORT, OTHER_SORT, Measure, Text("## Conclusion\n\nUse `sort_unstable`."), OpenStandalone, Print];
const SAVE_FAILED: &[Step] = &[
    SORT,
    Measure,
    UntilSaved,
    Run(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); };",
    ),
    Text("A conclusion"),
    UntilShown("save-again"),
];
/// The user clears the data of the page.
const CLEARED: &[Step] =
    &[SORT, Measure, UntilSaved, Run("indexedDB.deleteDatabase('benchbook');"), UntilShown("notice")];
const DELETED: &[Step] = &[
    SORT,
    Measure,
    UntilSaved,
    Click("home"),
    UntilShown("open-notebook"),
    Click("delete-notebook"),
    UntilShown("deleted-notebooks"),
    Click("deleted-notebooks"),
];

/// A notebook with results of a suite that the page does not have.
fn without_suite() -> String {
    let mut notebook = full_notebook(1, 1);
    for cell in &mut notebook.cells {
        if let CellContent::Measurement(measurement) = &mut Rc::make_mut(cell).content {
            measurement.setup.suite = "maps".to_owned();
        }
    }
    file::write(&notebook)
}

/// A file that ends too early.
fn damaged() -> String {
    r#"{"benchbook":1,"cells":["#.to_owned()
}

/// A notebook that is too long for a link.
fn long() -> String {
    let mut random = Rng::seed_from_u64(1);
    let text: String = (0..50_000).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect();
    serde_json::json!({ "benchbook": 1, "title": "Which map?", "cells": [{ "id": "a", "text": text }] }).to_string()
}

const OWN_NOTEBOOK: &[Step] =
    &[UntilShown("open-site-notebook"), Click("open-site-notebook"), UntilShown("machine"), UntilDrawn];
const OWN_NOTEBOOK_PRINTED: &[Step] =
    &[UntilShown("open-site-notebook"), Click("open-site-notebook"), UntilShown("machine"), UntilDrawn, Print];
const COPY_OF_OWN_NOTEBOOK: &[Step] = &[
    UntilShown("open-site-notebook"),
    Click("open-site-notebook"),
    UntilShown("machine"),
    Click("reader-mode"),
    UntilShown("stale"),
    UntilDrawn,
];
const REPEATED: &[Step] = &[
    UntilShown("open-site-notebook"),
    Click("open-site-notebook"),
    UntilShown("machine"),
    Click("reader-mode"),
    UntilShown("stale"),
    Click("measure"),
    UntilShown("reproduction"),
    UntilDrawn,
];
const ARTICLE: &[Step] = &[UntilShown("machine"), UntilDrawn];
const ARTICLE_PRINTED: &[Step] = &[UntilShown("machine"), UntilDrawn, Print];
/// A reader measures the first cell.
const ARTICLE_MEASURED: &[Step] = &[
    UntilFound("[data-test=measure]:enabled"),
    Click("measure"),
    UntilShown("reproduction"),
    UntilShown("save-results"),
    UntilDrawn,
];
const FRAME: &[Step] = &[
    UntilInFrame("[data-test=measure]:enabled"),
    Run("document.querySelector('iframe').contentDocument.querySelector('[data-test=measure]').click();"),
    UntilInFrame("[data-test=progress][data-state=done]"),
];
const LIMIT: &str = "suite=demo&function=sorting::sort_unstable&with=sorting::sort_stable&limit=20000";
const SELF_TEST: &[Step] = &[Click("clock"), Click("open-self-test"), Click("start-self-test"), UntilShown("check")];

/// The suite of the self-test, as one that the user opens.
const OWN_SUITE: Step = DropSuite("suites/ladder.wasm");
const OPEN_SUITE: &[Step] = &[Click("open-suite"), UntilShown("suite-address")];
const OPEN_SUITE_ON_TELEPHONE: &[Step] = &[Click("contents"), Click("open-suite"), UntilShown("suite-address")];
const REJECTED_SUITE: &[Step] = &[Click("open-suite"), DropSuite("notebook.json"), UntilShown("suite-problem")];
const REMOVED_SUITE: &[Step] =
    &[OWN_SUITE, UntilShown("own-suite"), Click("remove-suite"), UntilShown("undo-remove-suite")];

pub(crate) const STATES: &[State] = &[
    state("start", Demo, LAPTOP, Light, &[]),
    state("start-dark", Demo, LAPTOP, Dark, &[]),
    state("start-telephone", Demo, TELEPHONE, Light, &[]),
    state("search", Demo, LAPTOP, Light, &[Search("sort")]),
    state("machine-card", Demo, LAPTOP, Light, &[Click("clock")]),
    state("help", Demo, LAPTOP, Light, &[Click("help")]),
    state("chosen", Demo, LAPTOP, Light, &[SORT]),
    state("native", Demo, LAPTOP, Light, &[Choose("memory::write_file")]),
    state("bad-input", Demo, LAPTOP, Light, &[SORT, Type("size", "low", "many"), Click("measure")]),
    state("measuring", Demo, LAPTOP, Light, &[SORT, Click("measure"), UntilPriority(3)]),
    state("done", Demo, LAPTOP, Light, &[SORT, Measure]),
    state("reading", Demo, LAPTOP, Light, &[SORT, Measure, Hover(0.5, 0.5)]),
    state("zoomed", Demo, LAPTOP, Light, &[SORT, Measure, Drag((0.4, 0.2), (0.8, 0.7))]),
    state("table", Demo, LAPTOP, Light, &[SORT, Measure, Click("tab-table")]),
    state("samples", Demo, LAPTOP, Light, &[SORT, Measure, Click("tab-samples")]),
    state("compared", Demo, LAPTOP, Light, &[SORT, OTHER_SORT, Measure]),
    state("compared-table", Demo, LAPTOP, Light, &[SORT, OTHER_SORT, Measure, Click("tab-table")]),
    state("compared-dark", Demo, LAPTOP, Dark, &[SORT, OTHER_SORT, Measure]),
    state("compared-contrast", Demo, LAPTOP, Contrast, &[SORT, OTHER_SORT, Measure]),
    state("compared-forced", Demo, LAPTOP, Forced, &[SORT, OTHER_SORT, Measure]),
    state("compared-telephone", Demo, TELEPHONE, Light, &[SORT, OTHER_SORT, Measure]),
    state("compared-wall", Demo, WALL, Light, &[SORT, OTHER_SORT, Measure]),
    state("list", Demo, LAPTOP, Light, &[Follow(SPREADS), Measure]),
    state("list-dark", Demo, LAPTOP, Dark, &[Follow(SPREADS), Measure]),
    state("list-telephone", Demo, TELEPHONE, Light, &[Follow(SPREADS), Measure]),
    state("single", Demo, LAPTOP, Light, &[Follow(SINGLE), Measure]),
    state("single-table", Demo, LAPTOP, Dark, &[Follow(SINGLE), Measure, Click("tab-table")]),
    state("allocations", Demo, LAPTOP, Light, &[Follow(ALLOCATIONS), Measure]),
    state("allocations-table", Demo, LAPTOP, Light, &[Follow(ALLOCATIONS), Measure, Click("tab-table")]),
    state("allocations-telephone", Demo, TELEPHONE, Dark, &[Follow(ALLOCATIONS), Measure]),
    state("counts", Demo, LAPTOP, Light, &[Follow(COUNTS), Measure]),
    state("counts-table", Demo, LAPTOP, Light, &[Follow(COUNTS), Measure, Click("tab-table")]),
    state("counts-telephone", Demo, TELEPHONE, Dark, &[Follow(COUNTS), Measure]),
    state("limit", Demo, LAPTOP, Light, &[Follow(LIMIT), Measure]),
    state("notebook", Demo, LONG, Light, NOTEBOOK),
    state("notebook-dark", Demo, LONG, Dark, NOTEBOOK),
    state("notebook-telephone", Demo, LONG_TELEPHONE, Light, NOTEBOOK),
    state("notebook-reading", Demo, LONG, Light, READING),
    state("notebook-printed", Demo, PAPER, Light, PRINTED),
    state("notebook-collapsed", Demo, LAPTOP, Dark, COLLAPSED),
    state("contents-telephone", Demo, TELEPHONE, Light, CONTENTS),
    state("contents-telephone-dark", Demo, TELEPHONE, Dark, CONTENTS),
    state("crossing", Demo, LONG, Light, &[Follow(CROSSING), Measure, Hover(0.5, 0.5)]),
    state("crossing-dark", Demo, LONG, Dark, &[Follow(CROSSING), Measure, Hover(0.5, 0.5)]),
    state("crossing-telephone", Demo, LONG_TELEPHONE, Light, &[Follow(CROSSING), Measure]),
    state("library", Demo, LAPTOP, Light, LIBRARY),
    state("library-telephone", Demo, TELEPHONE, Dark, LIBRARY_ON_TELEPHONE),
    state("own-notebooks", OwnNotebooks, LAPTOP, Light, &[UntilShown("open-site-notebook")]),
    state("own-notebook", OwnNotebooks, WHOLE, Light, OWN_NOTEBOOK),
    state("own-notebook-dark", OwnNotebooks, WHOLE, Dark, OWN_NOTEBOOK),
    state("own-notebook-telephone", OwnNotebooks, LONG_TELEPHONE, Light, OWN_NOTEBOOK),
    state("standalone", Demo, WHOLE, Light, STANDALONE),
    state("standalone-dark", Demo, WHOLE, Dark, STANDALONE),
    state("standalone-telephone", Demo, LONG_TELEPHONE, Light, STANDALONE),
    state("standalone-printed", Demo, PAPER, Light, STANDALONE_PRINTED),
    state("own-notebook-printed", OwnNotebooks, PAPER, Light, OWN_NOTEBOOK_PRINTED),
    state("pinpoint", Slower, LAPTOP, Light, PINPOINT),
    state("pinpoint-dark", Slower, LAPTOP, Dark, PINPOINT_BY_TIME),
    state("pinpoint-telephone", Slower, LONG_TELEPHONE, Light, PINPOINT_BY_TIME),
    state("pinpoint-by-time", Slower, LAPTOP, Light, PINPOINT_BY_TIME),
    state("article", Article, WHOLE, Light, ARTICLE),
    state("article-dark", Article, WHOLE, Dark, ARTICLE),
    state("article-telephone", Article, LONG_TELEPHONE, Light, ARTICLE),
    state("article-printed", Article, PAPER, Light, ARTICLE_PRINTED),
    state("article-measured", Article, WHOLE, Light, ARTICLE_MEASURED),
    state("article-measured-telephone", Article, LONG_TELEPHONE, Dark, ARTICLE_MEASURED),
    state("frame", Frame, LAPTOP, Light, FRAME),
    state("frame-dark", Frame, LAPTOP, Dark, FRAME),
    state("frame-telephone", Frame, TELEPHONE, Light, FRAME),
    state("stale", OwnNotebooks, LAPTOP, Light, COPY_OF_OWN_NOTEBOOK),
    state("repeated", OwnNotebooks, WHOLE, Light, REPEATED),
    state("repeated-telephone", OwnNotebooks, LONG_TELEPHONE, Dark, REPEATED),
    state("suite-dialog", Demo, LAPTOP, Light, OPEN_SUITE),
    state("suite-dialog-dark", Demo, LAPTOP, Dark, OPEN_SUITE),
    state("suite-dialog-telephone", Demo, TELEPHONE, Light, OPEN_SUITE_ON_TELEPHONE),
    state("suite-rejected", Demo, LAPTOP, Light, REJECTED_SUITE),
    state("suite-listed", Demo, LONG, Light, &[OWN_SUITE, UntilShown("own-suite")]),
    state("suite-listed-dark", Demo, LONG, Dark, &[OWN_SUITE, UntilShown("own-suite")]),
    state(
        "suite-listed-telephone",
        Demo,
        TELEPHONE,
        Light,
        &[OWN_SUITE, UntilShown("suite-notice"), Click("contents")],
    ),
    state("suite-opened-telephone", Demo, TELEPHONE, Dark, &[OWN_SUITE, UntilShown("suite-notice")]),
    state("suite-removed", Demo, LAPTOP, Dark, REMOVED_SUITE),
    state("suite-of-other-host", OtherHost, LAPTOP, Light, &[UntilShown("failed-suite")]),
    state("suite-of-other-host-telephone", OtherHost, TELEPHONE, Light, &[UntilShown("failed-suite")]),
    state("share-menu", Demo, LAPTOP, Light, &[SORT, Click("share-menu"), UntilShown("share")]),
    state("cell-menu", Demo, LAPTOP, Dark, &[SORT, Click("cell-menu"), UntilShown("move-up")]),
    state("text-editing", Demo, LAPTOP, Light, &[SORT, Click("insert-text")]),
    state("self-test", Demo, LAPTOP, Light, SELF_TEST),
    state("self-test-telephone", Demo, TELEPHONE, Dark, SELF_TEST),
    state("first-calls", Demo, LAPTOP, Light, &[Follow(FIRST_CALLS), Measure]),
    state("first-calls-samples", Demo, LAPTOP, Light, &[Follow(FIRST_CALLS), Measure, Click("tab-samples")]),
    state("first-calls-telephone", Demo, TELEPHONE, Light, &[Follow(FIRST_CALLS), Measure]),
    state("failed", Misbehaving, LAPTOP, Light, &[FAILING, Measure]),
    state("failed-table", Misbehaving, LAPTOP, Dark, &[FAILING, Measure, Click("tab-table")]),
];

/// States of cells, and the steps from the start page. Each is taken in all of [`LOOKS`].
pub(crate) const CELL_STATES: &[(&str, &[Step])] = &[
    ("profile", &[Follow(PROFILE), Measure, Click("tab-profile"), UntilShown("icicle")]),
    ("profile-std", &[Follow(PROFILE), Measure, Click("tab-profile"), UntilShown("icicle"), Click("profile-std")]),
    ("profile-compared", PROFILE_COMPARED),
    ("profile-held", PROFILE_HELD),
    ("assembly", &[Follow(CODE), Measure, Click("tab-assembly"), UntilShown("assembly-listing")]),
    ("assembly-compared", ASSEMBLY_COMPARED),
    ("assembly-problem", ASSEMBLY_PROBLEM),
    ("collapsed", ALL_COLLAPSED),
    ("row-menu", ROW_MENU),
    ("stop-all", STOPPABLE),
    ("relative", &[SORT, OTHER_SORT, Measure, Hover(0.5, 0.5)]),
    ("save-failed", SAVE_FAILED),
    ("notice", CLEARED),
    ("update-offer", &[SORT, Run("benchbookOfferUpdate(() => {})"), UntilShown("update")]),
    ("renaming", &[SORT, Measure, UntilSaved, Click("home"), UntilShown("open-notebook"), Click("rename-notebook")]),
    ("deleted", DELETED),
    ("missing-suite", &[DropFile(without_suite), UntilShown("not-measurable")]),
    ("bad-file", &[SORT, Measure, DropFile(damaged), UntilShown("problem")]),
    ("bad-link", &[Visit("content=AAAA"), UntilShown("problem")]),
    ("long-link", &[DropFile(long), UntilShown("text"), Click("share-menu"), Click("share"), UntilShown("offer-file")]),
];

/// States of a page with a runner, and the steps from the start page. Each is taken in all of [`LOOKS`].
pub(crate) const RUNNER_STATES: &[(&str, &[Step])] = &[
    ("runner-start", &[UntilShown("open-runner-notebook")]),
    ("runner-card", &[Click("runner")]),
    ("runner-chosen", &[SORT]),
    ("runner-native", &[Choose("memory::write_file"), Measure]),
    ("runner-escalating", &[SORT, Click("measure"), UntilRunner("measuring"), UntilPriority(3)]),
    ("runner-escalated", &[SORT, Measure]),
    ("runner-table", &[SORT, Measure, Click("tab-table")]),
    ("runner-compared", &[SORT, OTHER_SORT, Measure]),
    ("runner-machines", &[SORT, OTHER_SORT, Measure, Click("machines-details")]),
    ("runner-functions", &[SORT, Measure, Go("archive=all")]),
    ("runner-results", &[SORT, Measure, Go(OF_KEYS)]),
    ("runner-result", &[SORT, OTHER_SORT, Measure, Go("archive=4")]),
    ("runner-samples", &[SORT, Measure, Go("archive=4&view=samples")]),
    (
        "runner-lost",
        &[SORT, Click("measure"), UntilRunner("measuring"), UntilPriority(3), LoseRunner, UntilShown("remark")],
    ),
    ("runner-lost-card", &[LoseRunner, UntilRunner("runner unreachable"), Click("runner")]),
    ("history-cell", &[Choose("sorting::sort_stable"), UntilShown("open-history")]),
    ("history", HISTORY),
    ("history-step", HISTORY_STEP),
    ("runner-lost-archive", &[LoseRunner, UntilRunner("runner unreachable"), Go("archive=all")]),
];

const HISTORY: &[Step] =
    &[Choose("sorting::sort_stable"), UntilShown("open-history"), Click("open-history"), UntilShown("chart-mark")];
const HISTORY_STEP: &[Step] = &[
    Choose("sorting::sort_stable"),
    UntilShown("open-history"),
    Click("open-history"),
    UntilShown("step"),
    Click("step"),
    UntilShown("sides-table"),
];

const OF_KEYS: &str = "archive=all&suite=demo&function=sorting::sort_unstable&generator=sorting::keys";

/// The suffix of the name, the screen, and the looks.
pub(crate) const LOOKS: [(&str, Screen, Appearance); 3] =
    [("", LAPTOP, Light), ("-dark", LAPTOP, Dark), ("-telephone", LONG_TELEPHONE, Light)];
