//! The notebooks in `docs/notebooks/`: their figures support their conclusions.

use std::fs;
use std::path::Path;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use benchbook_host::response::MachineKind;

use crate::cell::{CellContent, MeasurementCell};
use crate::file::read;
use crate::notebook::Notebook;
use crate::ranking::ranking;
use crate::result::CellResult;
use crate::trace::Trace;

use Claim::Sentence;
use MachineKind::{Browser, Native};

/// A sentence of a notebook, or what it states about the figures of a cell.
enum Claim {
    /// A sentence. The claims up to the next one are what it states.
    Sentence(&'static str),
    /// On these machines, the interval of the ratio of the other functions' times to that of one has a lower bound above this. The intervals
    /// hold simultaneously, at 95%.
    Faster { cell: &'static str, on: Machines, function: &'static str, than: Functions, times: f64, at: Values },
}

type Machines = &'static [MachineKind];
type Functions = &'static [&'static str];

const BOTH: Machines = &[Native, Browser];

/// One function is more than some `times` as fast as the others.
const fn times_as_fast(
    cell: &'static str,
    on: Machines,
    function: &'static str,
    than: Functions,
    times: f64,
    at: Values,
) -> Claim {
    Claim::Faster { cell, on, function, than, times, at }
}

const fn faster(cell: &'static str, on: Machines, function: &'static str, than: Functions, at: Values) -> Claim {
    times_as_fast(cell, on, function, than, 1.0, at)
}

/// Measured values of the axis.
#[derive(Clone, Copy)]
enum Values {
    All,
    Between(f64, f64),
}

impl Values {
    /// Whether these values include the ends, so that a claim is about all of it.
    fn are_covered_by(&self, found: &[(AxisValue, f64)]) -> bool {
        let has = |end: f64| found.iter().any(|(x, _)| x.number() == Some(end));
        match self {
            Self::All => !found.is_empty(),
            Self::Between(low, high) => has(*low) && has(*high),
        }
    }

    fn contain(&self, x: &AxisValue) -> bool {
        match (self, x) {
            (Self::All, _) => true,
            (Self::Between(low, high), AxisValue::Number(x)) => (*low..=*high).contains(x),
            _ => false,
        }
    }
}

const NATIVELY: Machines = &[Native];

const PUSHED: &str = "Values pushed to the front";
const INSERT: &str = "vec_insert_front";
const DEQUE: &str = "vec_deque_push_front";
const LIST: &str = "linked_list_push_front";

const FRONT: &[Claim] = &[
    Sentence("A `LinkedList` takes more than 1.4 times as long as a `VecDeque`, for any number of values."),
    times_as_fast(PUSHED, NATIVELY, DEQUE, &[LIST], 1.4, Values::All),
    Sentence(
        "From 100 values, inserting at the front of a `Vec` takes more than 4 times as long as a `VecDeque`, and at 1 000 more than 20 times.",
    ),
    times_as_fast(PUSHED, NATIVELY, DEQUE, &[INSERT], 4.0, Values::Between(100.0, 1e3)),
    times_as_fast(PUSHED, NATIVELY, DEQUE, &[INSERT], 20.0, Values::Between(1e3, 1e3)),
];

const RANDOM_KEYS: &str = "Random keys, by their number";
const NEARLY_SORTED: &str = "10 000 nearly sorted keys";
const UNSTABLE: &str = "sort_unstable";
const STABLE: &str = "sort_stable";
const RADIX: &str = "radix_sort";

const SORTS: &[Claim] = &[
    Sentence("Keeping the order of equal keys costs more than a quarter more time, for any number of random keys."),
    times_as_fast(RANDOM_KEYS, NATIVELY, UNSTABLE, &[STABLE], 1.25, Values::All),
    Sentence("Up to 1 000 random keys, `sort_unstable` is more than 1.2 times as fast as the radix sort."),
    times_as_fast(RANDOM_KEYS, NATIVELY, UNSTABLE, &[RADIX], 1.2, Values::Between(100.0, 1e3)),
    Sentence("For sorted keys, both sorts of the standard library are more than 15 times as fast as the radix sort."),
    times_as_fast(NEARLY_SORTED, NATIVELY, UNSTABLE, &[RADIX], 15.0, Values::Between(0.0, 0.0)),
    times_as_fast(NEARLY_SORTED, NATIVELY, STABLE, &[RADIX], 15.0, Values::Between(0.0, 0.0)),
    Sentence("With 1% of the keys in a wrong position, `sort_unstable` is the fastest."),
    faster(NEARLY_SORTED, NATIVELY, UNSTABLE, &[STABLE, RADIX], Values::Between(1.0, 1.0)),
];

const ABSENT: &str = "A word that the text lacks";
const FIND: &str = "find";
const MEMMEM: &str = "find_memmem";
const NAIVE: &str = "find_naive";

const SEARCH: &[Claim] = &[
    Sentence("At 64 bytes, `find` is the fastest."),
    faster(ABSENT, NATIVELY, FIND, &[MEMMEM, NAIVE], Values::Between(64.0, 64.0)),
    Sentence("From 256 bytes, `find_memmem` is the fastest, and from 8 192 bytes more than 4 times as fast as `find`."),
    faster(ABSENT, NATIVELY, MEMMEM, &[FIND, NAIVE], Values::Between(256.0, 65_536.0)),
    times_as_fast(ABSENT, NATIVELY, MEMMEM, &[FIND], 4.0, Values::Between(8_192.0, 65_536.0)),
    Sentence("The loop takes more than 2.5 times as long as either, for any length."),
    times_as_fast(ABSENT, NATIVELY, FIND, &[NAIVE], 2.5, Values::All),
    times_as_fast(ABSENT, NATIVELY, MEMMEM, &[NAIVE], 2.5, Values::All),
];

const PRODUCTS: &str = "Square matrices";
const DEFINITION: &str = "multiply_naive";
const TRANSPOSED: &str = "multiply_transposed";
const BY_ROWS: &str = "multiply_by_rows";
const BLOCKED: &str = "multiply_blocked";

const MATRICES: &[Claim] = &[
    Sentence(
        "With the loops in another order, the product takes less than half the time of the definition, for any size.",
    ),
    times_as_fast(PRODUCTS, NATIVELY, BY_ROWS, &[DEFINITION], 2.0, Values::All),
    Sentence(
        "At 128 rows, it takes less than a fifth of the time of the definition, and less than a third of that with a transposed matrix.",
    ),
    times_as_fast(PRODUCTS, NATIVELY, BY_ROWS, &[DEFINITION], 5.0, Values::Between(128.0, 128.0)),
    times_as_fast(PRODUCTS, NATIVELY, BY_ROWS, &[TRANSPOSED], 3.0, Values::Between(128.0, 128.0)),
    Sentence("Up to 32 rows, blocks make it slower."),
    faster(PRODUCTS, NATIVELY, BY_ROWS, &[BLOCKED], Values::Between(8.0, 32.0)),
];

const SHARES: &str = "10 000 keys, by the share that is wanted";
const SORTING: &str = "smallest_by_sorting";
const SELECTING: &str = "smallest_by_selecting";
const HEAP: &str = "smallest_by_heap";

const SMALLEST: &[Claim] = &[
    Sentence("For 0.1% of the keys, the heap is the fastest, and more than 5 times as fast as sorting all keys."),
    faster(SHARES, NATIVELY, HEAP, &[SELECTING], Values::Between(0.1, 0.1)),
    times_as_fast(SHARES, NATIVELY, HEAP, &[SORTING], 5.0, Values::Between(0.1, 0.1)),
    Sentence("From 1 to 50%, selecting is the fastest."),
    faster(SHARES, NATIVELY, SELECTING, &[SORTING, HEAP], Values::Between(1.0, 50.0)),
    Sentence("For a tenth of the keys or more, the heap takes more than 3 times as long as selecting."),
    times_as_fast(SHARES, NATIVELY, SELECTING, &[HEAP], 3.0, Values::Between(10.0, 100.0)),
];

const SUMS: &str = "Adding up numbers";
const HASHES: &str = "Hashing bytes";
const LANES: &str = "sum_in_lanes";

const BROWSER: &[Claim] = &[
    Sentence("From 1 000 values, `sum_in_lanes` is the fastest in both."),
    faster(SUMS, BOTH, LANES, &["sum", "sum_compensated"], Values::Between(1e3, 1e5)),
    Sentence("From 4 096 bytes, XXH3 is the fastest in both."),
    faster(HASHES, BOTH, "xxh3", &["sip_hash", "fnv_1a"], Values::Between(4_096.0, 65_536.0)),
    Sentence("At 256 bytes, SipHash takes longer than XXH3 in both."),
    faster(HASHES, BOTH, "xxh3", &["sip_hash"], Values::Between(256.0, 256.0)),
];

const LOOK_UPS: &str = "Look-ups of random keys";
const HASH: &str = "hash_map_get";
const FX: &str = "fx_hash_map_get";
const TREE: &str = "btree_map_get";
const SORTED: &str = "sorted_vec_get";

const MAPS: &[Claim] = &[
    Sentence("The Fx hash is the fastest at every size."),
    faster(LOOK_UPS, NATIVELY, FX, &[HASH, TREE, SORTED], Values::All),
    Sentence("Up to 10 000 entries, the default hasher takes more than twice as long as the Fx hash."),
    times_as_fast(LOOK_UPS, NATIVELY, FX, &[HASH], 2.0, Values::Between(30.0, 1e4)),
    Sentence("From 30 to 100 entries, a sorted vector is faster than a `HashMap` with the default hasher."),
    faster(LOOK_UPS, NATIVELY, SORTED, &[HASH], Values::Between(30.0, 100.0)),
    Sentence("From 100 to 10 000 entries, a sorted vector is more than 1.5 times as fast as a `BTreeMap`."),
    times_as_fast(LOOK_UPS, NATIVELY, SORTED, &[TREE], 1.5, Values::Between(100.0, 1e4)),
    Sentence("At 10 000 entries, both hash maps are faster than the tree and the sorted vector."),
    faster(LOOK_UPS, NATIVELY, HASH, &[TREE, SORTED], Values::Between(1e4, 1e4)),
    faster(LOOK_UPS, NATIVELY, FX, &[TREE, SORTED], Values::Between(1e4, 1e4)),
];

/// The beginning of each notebook's file name, and the conclusions that it lists.
const PUBLISHED: [(&str, &[Claim]); 7] = [
    ("front", FRONT),
    ("sorts", SORTS),
    ("search", SEARCH),
    ("smallest", SMALLEST),
    ("matrices", MATRICES),
    ("maps", MAPS),
    ("browser", BROWSER),
];

/// Reads a notebook of `docs/notebooks/`.
fn published(name: &str) -> Notebook {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/notebooks");
    let text = fs::read_to_string(folder.join(format!("{name}.benchbook.json"))).expect(name);
    read(&text).expect(name)
}

/// The items of the lists in its texts.
fn listed(notebook: &Notebook) -> Vec<String> {
    let texts = notebook.cells.iter().filter_map(|cell| match &cell.content {
        CellContent::Text(text) => Some(text),
        CellContent::Measurement(_) => None,
    });
    let items = texts.flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("- "));
    items.map(str::to_owned).collect()
}

/// The result of a cell on a kind of machine.
fn result<'n>(notebook: &'n Notebook, title: &str, kind: MachineKind) -> &'n CellResult {
    let cells = notebook.cells.iter().filter_map(|cell| cell.measurement());
    let cell: &MeasurementCell = cells.clone().find(|cell| cell.title == title).expect(title);
    cell.results.iter().find(|result| result.setup.machine.kind == kind).expect(title)
}

/// The interval of the ratio of one function's time to another's at each of these values.
fn intervals(result: &CellResult, slower: &str, faster: &str, at: &Values) -> Vec<(AxisValue, f64)> {
    let traces: Vec<Trace> = result.traces().collect();
    let ranking = ranking(&traces.iter().collect::<Vec<_>>());
    let index = |name: &str| traces.iter().position(|trace| name_of(&trace.path) == name).expect(name);
    let (slower, faster) = (index(slower), index(faster));
    let values = ranking.values().iter().enumerate().filter(|(_, x)| at.contain(x));
    let low = |(value, x): (usize, &AxisValue)| {
        let ratio = ranking.ratio(slower, faster, value);
        (x.clone(), ratio.unwrap_or_else(|| panic!("no ratio at {x}")).interval.low)
    };
    values.map(low).collect()
}

/// The values at which the figures do not support a claim, with the figures.
fn unsupported(notebook: &Notebook, claim: &Claim) -> Vec<(AxisValue, f64)> {
    match claim {
        Sentence(_) => Vec::new(),
        Claim::Faster { cell, on, function, than, times, at } => {
            let pairs = on.iter().flat_map(|kind| than.iter().map(move |other| (*kind, other)));
            let below = |(kind, other): (MachineKind, &&str)| {
                let found = intervals(result(notebook, cell, kind), other, function, at);
                assert!(at.are_covered_by(&found), "{cell}: {found:?}");
                found.into_iter().filter(|(_, low)| low <= times).collect::<Vec<_>>()
            };
            pairs.flat_map(below).collect()
        }
    }
}

#[test]
fn figures_support_the_conclusions() {
    let mut wrong = Vec::new();
    for (name, claims) in PUBLISHED {
        let notebook = published(name);
        let mut sentences = Vec::new();
        for conclusion in claims.chunk_by(|_, next| !matches!(next, Sentence(_))) {
            let [Sentence(sentence), facts @ ..] = conclusion else { panic!("{name}: no sentence comes first") };
            sentences.push(*sentence);
            assert!(!facts.is_empty(), "{sentence}");
            let failed: Vec<_> = facts.iter().flat_map(|fact| unsupported(&notebook, fact)).collect();
            if !failed.is_empty() {
                wrong.push(format!("{name}: {sentence}\n  {failed:?}"));
            }
        }
        assert_eq!(listed(&notebook), sentences, "{name}: each item of a list is a conclusion that this test checks");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_were_measured_natively_and_in_a_browser_on_one_machine() {
    let machine = |notebook: &Notebook| {
        notebook.machines().into_iter().find(|machine| machine.kind == Native).map(|machine| machine.name.clone())
    };
    let first = machine(&published(PUBLISHED[0].0));
    assert!(first.is_some());
    for (name, _) in PUBLISHED {
        let notebook = published(name);
        assert_eq!(machine(&notebook), first, "{name}");
        for cell in notebook.cells.iter().filter_map(|cell| cell.measurement()) {
            let kinds: Vec<MachineKind> = cell.results.iter().map(|result| result.setup.machine.kind).collect();
            assert!(kinds.len() == 2 && kinds.contains(&Browser) && kinds.contains(&Native), "{}", cell.title);
        }
    }
}
