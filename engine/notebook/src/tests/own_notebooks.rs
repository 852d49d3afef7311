//! The notebooks in `docs/notebooks/`: their figures support their conclusions.

use std::fs;
use std::path::Path;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use benchbook_host::response::MachineKind;

use crate::cell::{CellContent, MeasurementCell};
use crate::curve::Reading;
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
    /// The ratio of the medians, in the browser to native, is between these.
    InBrowser { cell: &'static str, function: &'static str, ratio: (f64, f64), at: Values },
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

const fn in_browser(cell: &'static str, function: &'static str, low: f64, high: f64, at: Values) -> Claim {
    Claim::InBrowser { cell, function, ratio: (low, high), at }
}

/// Measured values of the axis.
#[derive(Clone, Copy)]
enum Values {
    All,
    Between(f64, f64),
    Choices(&'static [&'static str]),
}

impl Values {
    fn contain(&self, x: &AxisValue) -> bool {
        match (self, x) {
            (Self::All, _) => true,
            (Self::Between(low, high), AxisValue::Number(x)) => (*low..=*high).contains(x),
            (Self::Choices(choices), AxisValue::Text(text)) => choices.contains(&text.as_str()),
            _ => false,
        }
    }
}

const RANDOM_HITS: &str = "Look-ups that hit, random keys";
const MISSES: &str = "Look-ups that miss, random keys";
const CONSECUTIVE: &str = "Look-ups that hit, consecutive keys";
const HASH: &str = "hash_map_get";
const FX: &str = "fx_hash_map_get";
const TREE: &str = "btree_map_get";
const SORTED: &str = "sorted_vec_get";

const MAPS: &[Claim] = &[
    Sentence("The Fx hash is the fastest at every size, natively and in the browser."),
    faster(RANDOM_HITS, BOTH, FX, &[HASH, TREE, SORTED], Values::All),
    Sentence("Natively, the default hasher takes more than 3 times as long as the Fx hash up to 10 000 entries."),
    times_as_fast(RANDOM_HITS, &[Native], FX, &[HASH], 3.0, Values::Between(10.0, 1e4)),
    Sentence("A sorted vector is faster than a `HashMap` with the default hasher up to 100 entries."),
    faster(RANDOM_HITS, BOTH, SORTED, &[HASH], Values::Between(10.0, 100.0)),
    Sentence("From 30 to 1 000 entries, a sorted vector is more than 2.5 times as fast as a `BTreeMap`."),
    times_as_fast(RANDOM_HITS, BOTH, SORTED, &[TREE], 2.5, Values::Between(30.0, 1e3)),
    Sentence("From 3 000 entries, both hash maps are faster than the tree and the sorted vector."),
    faster(RANDOM_HITS, BOTH, HASH, &[TREE, SORTED], Values::Between(3e3, 1e6)),
    faster(RANDOM_HITS, BOTH, FX, &[TREE, SORTED], Values::Between(3e3, 1e6)),
    Sentence("From 10 000 entries, both hash maps are faster than the tree and the vector."),
    faster(MISSES, BOTH, HASH, &[TREE, SORTED], Values::Between(1e4, 1e6)),
    faster(MISSES, BOTH, FX, &[TREE, SORTED], Values::Between(1e4, 1e6)),
    Sentence("Natively, the Fx hash is the fastest at every size here, too."),
    faster(CONSECUTIVE, &[Native], FX, &[HASH, TREE, SORTED], Values::All),
    Sentence("In the browser, it takes more than twice as long as the default hasher at 100 000 entries."),
    times_as_fast(CONSECUTIVE, &[Browser], HASH, &[FX], 2.0, Values::Between(1e5, 1e5)),
];

const SPREADS: &str = "Four spreads of 10 000 keys";
const RANDOM_KEYS: &str = "Random keys, by their number";
const NEARLY_SORTED: &str = "10 000 nearly sorted keys";
const UNSTABLE: &str = "sort_unstable";
const STABLE: &str = "sort_stable";
const RADIX: &str = "radix_sort";
const IN_ORDER: Values = Values::Choices(&["Sorted", "Reversed"]);

const SORTS: &[Claim] = &[
    Sentence(
        "For sorted and for reversed keys, both sorts of the standard library are more than 15 times as fast as the radix sort.",
    ),
    times_as_fast(SPREADS, BOTH, UNSTABLE, &[RADIX], 15.0, IN_ORDER),
    times_as_fast(SPREADS, BOTH, STABLE, &[RADIX], 15.0, IN_ORDER),
    Sentence("For random keys, `sort_unstable` is the fastest."),
    faster(SPREADS, BOTH, UNSTABLE, &[STABLE, RADIX], Values::Choices(&["Random"])),
    Sentence("For few distinct keys, `sort_unstable` is the fastest in the browser."),
    faster(SPREADS, &[Browser], UNSTABLE, &[STABLE, RADIX], Values::Choices(&["FewDistinct"])),
    Sentence("Up to 3 000 random keys, `sort_unstable` is the fastest."),
    faster(RANDOM_KEYS, BOTH, UNSTABLE, &[STABLE, RADIX], Values::Between(100.0, 3e3)),
    Sentence("Keeping the order of equal keys costs at least a fifth more time, for any number of random keys."),
    times_as_fast(RANDOM_KEYS, BOTH, UNSTABLE, &[STABLE], 1.2, Values::All),
    Sentence("From 10 000 random keys, the radix sort is faster than `sort_stable`."),
    faster(RANDOM_KEYS, BOTH, RADIX, &[STABLE], Values::Between(1e4, 1e6)),
    Sentence("With 1 or 2% of the keys in a wrong position, `sort_unstable` is the fastest."),
    faster(NEARLY_SORTED, BOTH, UNSTABLE, &[STABLE, RADIX], Values::Between(1.0, 2.0)),
];

const SUMS: &str = "Adding up numbers";
const HASHES: &str = "Hashing bytes";
const ALLOCATIONS: &str = "Allocating";
const LANES: &str = "sum_in_lanes";
const VECTOR: &str = "allocate_in_vec";
const ARENA: &str = "allocate_in_arena";
const BOXES: &str = "allocate_boxes";
const THOUSANDS: Values = Values::Between(1e3, 1e4);
const LONG: Values = Values::Between(4_096.0, 65_536.0);
const FROM_300: Values = Values::Between(300.0, 5e4);

const BROWSER: &[Claim] = &[
    Sentence("From 1 000 values, all three sums take 1 to 1.25 times as long in the browser as natively."),
    in_browser(SUMS, "sum", 1.0, 1.25, THOUSANDS),
    in_browser(SUMS, LANES, 1.0, 1.25, THOUSANDS),
    in_browser(SUMS, "sum_compensated", 1.0, 1.25, THOUSANDS),
    Sentence("From 100 values, `sum_in_lanes` is the fastest in both."),
    faster(SUMS, BOTH, LANES, &["sum", "sum_compensated"], Values::Between(100.0, 1e4)),
    Sentence(
        "From 4 096 bytes, SipHash and FNV-1a take 0.9 to 1.2 times as long in the browser as natively, the Fx hash 1.1 to 1.4 times, and XXH3 1.3 to 1.6 times.",
    ),
    in_browser(HASHES, "sip_hash", 0.9, 1.2, LONG),
    in_browser(HASHES, "fnv_1a", 0.9, 1.2, LONG),
    in_browser(HASHES, "fx_hash", 1.1, 1.4, LONG),
    in_browser(HASHES, "xxh3", 1.3, 1.6, LONG),
    Sentence("At 16 and 64 bytes, XXH3 takes 4 to 7 times as long in the browser."),
    in_browser(HASHES, "xxh3", 4.0, 7.0, Values::Between(16.0, 64.0)),
    Sentence("From 4 096 bytes, XXH3 is the fastest in both."),
    faster(HASHES, BOTH, "xxh3", &["sip_hash", "fnv_1a", "fx_hash"], LONG),
    Sentence("In both, one vector is the fastest at every size, followed by the arena and then by boxes."),
    faster(ALLOCATIONS, BOTH, VECTOR, &[ARENA, BOXES], Values::All),
    faster(ALLOCATIONS, BOTH, ARENA, &[BOXES], Values::All),
    Sentence(
        "From 300 values, the arena takes 1.4 to 2.2 times as long in the browser as natively, but boxes take 15 to 35% less time.",
    ),
    in_browser(ALLOCATIONS, ARENA, 1.4, 2.2, FROM_300),
    in_browser(ALLOCATIONS, BOXES, 0.65, 0.85, FROM_300),
];

/// The beginning of each notebook's file name, and the conclusions that it lists.
const PUBLISHED: [(&str, &[Claim]); 3] = [("maps", MAPS), ("sorts", SORTS), ("browser", BROWSER)];

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

/// The median of a function's time at each of these values.
fn medians(result: &CellResult, function: &str, at: &Values) -> Vec<(AxisValue, f64)> {
    let trace = result.traces().find(|trace| name_of(&trace.path) == function).expect(function);
    let readings = trace.curve.readings().iter().filter(|reading| at.contain(&reading.x));
    let median = |reading: &Reading| Some((reading.x.clone(), reading.measured()?.summary.median?));
    readings.filter_map(median).collect()
}

/// The values at which the figures do not support a claim, with the figures.
fn unsupported(notebook: &Notebook, claim: &Claim) -> Vec<(AxisValue, f64)> {
    match claim {
        Sentence(_) => Vec::new(),
        Claim::Faster { cell, on, function, than, times, at } => {
            let pairs = on.iter().flat_map(|kind| than.iter().map(move |other| (*kind, other)));
            let below = |(kind, other): (MachineKind, &&str)| {
                let found = intervals(result(notebook, cell, kind), other, function, at);
                assert!(!found.is_empty(), "{cell}: nothing was measured there");
                found.into_iter().filter(|(_, low)| low <= times).collect::<Vec<_>>()
            };
            pairs.flat_map(below).collect()
        }
        Claim::InBrowser { cell, function, ratio: (low, high), at } => {
            let [browser, native] = [Browser, Native].map(|kind| medians(result(notebook, cell, kind), function, at));
            let ratios = browser.iter().filter_map(|(x, here)| {
                let (_, native) = native.iter().find(|(other, _)| other == x)?;
                Some((x.clone(), here / native))
            });
            let ratios: Vec<_> = ratios.collect();
            assert!(!ratios.is_empty(), "{cell}: nothing was measured there");
            ratios.into_iter().filter(|(_, ratio)| !(*low..=*high).contains(ratio)).collect()
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
