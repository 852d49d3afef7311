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

use MachineKind::{Browser, Native};

/// A sentence of a notebook, and what it states about the figures of its cells.
struct Conclusion {
    sentence: &'static str,
    facts: &'static [&'static [Fact]],
}

/// A statement about the figures of a cell.
enum Fact {
    /// One function is faster than others: the simultaneous 95 % intervals of the ratios exclude 1.
    Faster { cell: &'static str, on: MachineKind, function: &'static str, than: &'static [&'static str], at: Values },
    /// The interval of the ratio of one function's time to another's has a lower bound above this.
    TimesAsLong {
        cell: &'static str,
        on: MachineKind,
        function: &'static str,
        other: &'static str,
        above: f64,
        at: Values,
    },
    /// The ratio of the medians, in the browser to native, is between these.
    InBrowser { cell: &'static str, function: &'static str, ratio: (f64, f64), at: Values },
}

/// [`Fact::Faster`] on both machines.
const fn faster(cell: &'static str, function: &'static str, than: &'static [&'static str], at: Values) -> [Fact; 2] {
    [Fact::Faster { cell, on: Native, function, than, at }, Fact::Faster { cell, on: Browser, function, than, at }]
}

/// [`Fact::TimesAsLong`] on both machines.
const fn times_as_long(
    cell: &'static str,
    function: &'static str,
    other: &'static str,
    above: f64,
    at: Values,
) -> [Fact; 2] {
    [
        Fact::TimesAsLong { cell, on: Native, function, other, above, at },
        Fact::TimesAsLong { cell, on: Browser, function, other, above, at },
    ]
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

/// A notebook, and the conclusions that it lists.
struct Published {
    /// The beginning of the file's name.
    name: &'static str,
    conclusions: &'static [Conclusion],
}

const RANDOM_HITS: &str = "Look-ups that hit, random keys";
const MISSES: &str = "Look-ups that miss, random keys";
const CONSECUTIVE: &str = "Look-ups that hit, consecutive keys";
const HASH: &str = "hash_map_get";
const FX: &str = "fx_hash_map_get";
const TREE: &str = "btree_map_get";
const SORTED: &str = "sorted_vec_get";

const MAPS: Published = Published {
    name: "maps",
    conclusions: &[
        Conclusion {
            sentence: "The Fx hash is the fastest at every size, natively and in the browser.",
            facts: &[&faster(RANDOM_HITS, FX, &[HASH, TREE, SORTED], Values::All)],
        },
        Conclusion {
            sentence: "Natively, the default hasher takes more than 3 times as long as the Fx hash up to 10 000 entries.",
            facts: &[&[Fact::TimesAsLong {
                cell: RANDOM_HITS,
                on: Native,
                function: HASH,
                other: FX,
                above: 3.0,
                at: Values::Between(10.0, 1e4),
            }]],
        },
        Conclusion {
            sentence: "A sorted vector is faster than a `HashMap` with the default hasher up to 100 entries.",
            facts: &[&faster(RANDOM_HITS, SORTED, &[HASH], Values::Between(10.0, 100.0))],
        },
        Conclusion {
            sentence: "From 30 to 1 000 entries, a sorted vector is more than 2.5 times as fast as a `BTreeMap`.",
            facts: &[&times_as_long(RANDOM_HITS, TREE, SORTED, 2.5, Values::Between(30.0, 1e3))],
        },
        Conclusion {
            sentence: "From 3 000 entries, both hash maps are faster than the tree and the sorted vector.",
            facts: &[
                &faster(RANDOM_HITS, HASH, &[TREE, SORTED], Values::Between(3e3, 1e6)),
                &faster(RANDOM_HITS, FX, &[TREE, SORTED], Values::Between(3e3, 1e6)),
            ],
        },
        Conclusion {
            sentence: "From 10 000 entries, both hash maps are faster than the tree and the vector.",
            facts: &[
                &faster(MISSES, HASH, &[TREE, SORTED], Values::Between(1e4, 1e6)),
                &faster(MISSES, FX, &[TREE, SORTED], Values::Between(1e4, 1e6)),
            ],
        },
        Conclusion {
            sentence: "Natively, the Fx hash is the fastest at every size here, too.",
            facts: &[&[Fact::Faster {
                cell: CONSECUTIVE,
                on: Native,
                function: FX,
                than: &[HASH, TREE, SORTED],
                at: Values::All,
            }]],
        },
        Conclusion {
            sentence: "In the browser, it takes more than twice as long as the default hasher at 100 000 entries.",
            facts: &[&[Fact::TimesAsLong {
                cell: CONSECUTIVE,
                on: Browser,
                function: FX,
                other: HASH,
                above: 2.0,
                at: Values::Between(1e5, 1e5),
            }]],
        },
    ],
};

const SPREADS: &str = "Four spreads of 10 000 keys";
const RANDOM_KEYS: &str = "Random keys, by their number";
const NEARLY_SORTED: &str = "10 000 nearly sorted keys";
const UNSTABLE: &str = "sort_unstable";
const STABLE: &str = "sort_stable";
const RADIX: &str = "radix_sort";
const IN_ORDER: Values = Values::Choices(&["Sorted", "Reversed"]);

const SORTS: Published = Published {
    name: "sorts",
    conclusions: &[
        Conclusion {
            sentence: "For sorted and for reversed keys, both sorts of the standard library are more than 15 times as fast as the radix sort.",
            facts: &[
                &times_as_long(SPREADS, RADIX, UNSTABLE, 15.0, IN_ORDER),
                &times_as_long(SPREADS, RADIX, STABLE, 15.0, IN_ORDER),
            ],
        },
        Conclusion {
            sentence: "For random keys, `sort_unstable` is the fastest.",
            facts: &[&faster(SPREADS, UNSTABLE, &[STABLE, RADIX], Values::Choices(&["Random"]))],
        },
        Conclusion {
            sentence: "For few distinct keys, `sort_unstable` is the fastest in the browser.",
            facts: &[&[Fact::Faster {
                cell: SPREADS,
                on: Browser,
                function: UNSTABLE,
                than: &[STABLE, RADIX],
                at: Values::Choices(&["FewDistinct"]),
            }]],
        },
        Conclusion {
            sentence: "Up to 3 000 random keys, `sort_unstable` is the fastest.",
            facts: &[&faster(RANDOM_KEYS, UNSTABLE, &[STABLE, RADIX], Values::Between(100.0, 3e3))],
        },
        Conclusion {
            sentence: "Retaining the order of equal keys costs at least a fifth more time, for any number of random keys.",
            facts: &[&times_as_long(RANDOM_KEYS, STABLE, UNSTABLE, 1.2, Values::All)],
        },
        Conclusion {
            sentence: "From 10 000 random keys, the radix sort is faster than `sort_stable`.",
            facts: &[&faster(RANDOM_KEYS, RADIX, &[STABLE], Values::Between(1e4, 1e6))],
        },
        Conclusion {
            sentence: "With 1 or 2 % of the keys in a wrong position, `sort_unstable` is the fastest.",
            facts: &[&faster(NEARLY_SORTED, UNSTABLE, &[STABLE, RADIX], Values::Between(1.0, 2.0))],
        },
    ],
};

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

const BROWSER: Published = Published {
    name: "browser",
    conclusions: &[
        Conclusion {
            sentence: "From 1 000 values, all three sums take 1 to 1.25 times as long in the browser as natively.",
            facts: &[&[
                Fact::InBrowser { cell: SUMS, function: "sum", ratio: (1.0, 1.25), at: THOUSANDS },
                Fact::InBrowser { cell: SUMS, function: LANES, ratio: (1.0, 1.25), at: THOUSANDS },
                Fact::InBrowser { cell: SUMS, function: "sum_compensated", ratio: (1.0, 1.25), at: THOUSANDS },
            ]],
        },
        Conclusion {
            sentence: "From 100 values, `sum_in_lanes` is the fastest in both.",
            facts: &[&faster(SUMS, LANES, &["sum", "sum_compensated"], Values::Between(100.0, 1e4))],
        },
        Conclusion {
            sentence: "From 4 096 bytes, SipHash and FNV-1a take 0.9 to 1.2 times as long in the browser as natively, the Fx hash 1.1 to 1.4 times, and XXH3 1.3 to 1.6 times.",
            facts: &[&[
                Fact::InBrowser { cell: HASHES, function: "sip_hash", ratio: (0.9, 1.2), at: LONG },
                Fact::InBrowser { cell: HASHES, function: "fnv_1a", ratio: (0.9, 1.2), at: LONG },
                Fact::InBrowser { cell: HASHES, function: "fx_hash", ratio: (1.1, 1.4), at: LONG },
                Fact::InBrowser { cell: HASHES, function: "xxh3", ratio: (1.3, 1.6), at: LONG },
            ]],
        },
        Conclusion {
            sentence: "At 16 and 64 bytes, XXH3 takes 4 to 7 times as long in the browser.",
            facts: &[&[Fact::InBrowser {
                cell: HASHES,
                function: "xxh3",
                ratio: (4.0, 7.0),
                at: Values::Between(16.0, 64.0),
            }]],
        },
        Conclusion {
            sentence: "From 4 096 bytes, XXH3 is the fastest in both.",
            facts: &[&faster(HASHES, "xxh3", &["sip_hash", "fnv_1a", "fx_hash"], LONG)],
        },
        Conclusion {
            sentence: "In both, one vector is the fastest at every size, followed by the arena and then by boxes.",
            facts: &[
                &faster(ALLOCATIONS, VECTOR, &[ARENA, BOXES], Values::All),
                &faster(ALLOCATIONS, ARENA, &[BOXES], Values::All),
            ],
        },
        Conclusion {
            sentence: "From 300 values, the arena takes 1.4 to 2.2 times as long in the browser as natively, but boxes take 15 to 35 % less time.",
            facts: &[&[
                Fact::InBrowser { cell: ALLOCATIONS, function: ARENA, ratio: (1.4, 2.2), at: FROM_300 },
                Fact::InBrowser { cell: ALLOCATIONS, function: BOXES, ratio: (0.65, 0.85), at: FROM_300 },
            ]],
        },
    ],
};

const PUBLISHED: [Published; 3] = [MAPS, SORTS, BROWSER];

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

/// The values at which the figures do not support a fact, with the figures.
fn unsupported(notebook: &Notebook, fact: &Fact) -> Vec<(AxisValue, f64)> {
    let above = |cell: &str, on: MachineKind, slower: &str, faster: &str, bound: f64, at: &Values| {
        let found = intervals(result(notebook, cell, on), slower, faster, at);
        assert!(!found.is_empty(), "{cell}: nothing was measured there");
        found.into_iter().filter(|(_, low)| *low <= bound).collect::<Vec<_>>()
    };
    match fact {
        Fact::Faster { cell, on, function, than, at } => {
            than.iter().flat_map(|other| above(cell, *on, other, function, 1.0, at)).collect()
        }
        Fact::TimesAsLong { cell, on, function, other, above: bound, at } => {
            above(cell, *on, function, other, *bound, at)
        }
        Fact::InBrowser { cell, function, ratio: (low, high), at } => {
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
    for Published { name, conclusions } in PUBLISHED {
        let notebook = published(name);
        let sentences: Vec<&str> = conclusions.iter().map(|conclusion| conclusion.sentence).collect();
        assert_eq!(listed(&notebook), sentences, "{name}: each item of a list is a conclusion that this test checks");
        for Conclusion { sentence, facts } in conclusions {
            assert!(!facts.is_empty(), "{sentence}");
            let failed: Vec<_> =
                facts.iter().copied().flatten().flat_map(|fact| unsupported(&notebook, fact)).collect();
            if !failed.is_empty() {
                wrong.push(format!("{name}: {sentence}\n  {failed:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_were_measured_natively_and_in_a_browser_on_one_machine() {
    let machine = |notebook: &Notebook| {
        notebook.machines().into_iter().find(|machine| machine.kind == Native).map(|machine| machine.name.clone())
    };
    let first = machine(&published(PUBLISHED[0].name));
    assert!(first.is_some());
    for Published { name, .. } in PUBLISHED {
        let notebook = published(name);
        assert_eq!(machine(&notebook), first, "{name}");
        for cell in notebook.cells.iter().filter_map(|cell| cell.measurement()) {
            let kinds: Vec<MachineKind> = cell.results.iter().map(|result| result.setup.machine.kind).collect();
            assert!(kinds.len() == 2 && kinds.contains(&Browser) && kinds.contains(&Native), "{}", cell.title);
        }
    }
}
