//! The cause of the difference between two builds.

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;
use benchbook_profile::{Profile, ProfileMetric, brief_name};
use serde::{Deserialize, Serialize};

use crate::attribution::{Attribution, CallDifference, Change, Contributor, Visit};
use crate::calls::Call;
use crate::code::{BuildCode, Edit};
use crate::source::SourceLine;

/// The cause of the difference between two builds of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pinpoint {
    /// The function's path in its suite.
    pub function: String,
    /// What is compared.
    pub metric: ProfileMetric,
    /// The name of the varied parameter; empty without an axis.
    pub axis: String,
    /// The points at which both builds have counted the same calls, by ascending axis values.
    pub points: Vec<ComparedPoint>,
    /// The index of the point that the shares, the calls and the chain are about: the last one.
    pub shown: usize,
    /// All parts of the difference, those with the largest amount at the shown point first. At each point, they add up to the difference.
    pub contributors: Vec<Contributor>,
    /// The calls that lead to the cause of most of the difference, the measured function first; empty if nothing differs.
    pub chain: Vec<Step>,
    /// What the last call of the chain adds at the shown point: if its body has changed, what it executes itself, with new and removed calls.
    pub cause_added: f64,
    /// The functions whose source has changed, of those that both builds execute; if none has, those that the compiler has compiled differently. They are suspects even if
    /// they contribute nothing.
    pub changed: Vec<String>,
    /// The source around what has changed: of the last function of the chain, or of the one that calls it differently. Empty if it is unknown.
    pub source: Vec<SourceLine>,
    /// The file of [`Self::source`] in the later build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_file: Option<String>,
}

/// A point that both builds have counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedPoint {
    /// The axis value; absent without an axis.
    #[serde(default, skip_serializing_if = "AxisValue::is_absent")]
    pub x: AxisValue,
    /// The counts per call of the function, in the earlier build and in the later one.
    pub totals: [f64; 2],
}

/// A call on the way to the cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The name of the function without its crate, its module and the arguments of generics.
    pub short_name: String,
    /// The difference of the call, with all that it calls.
    #[serde(flatten)]
    pub difference: CallDifference,
    /// Why the search ends here; absent before the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The other calls of the same caller, those with the largest difference first.
    pub others: Vec<CallDifference>,
}

impl Pinpoint {
    /// Compares the profiles of two builds by call, the earlier one first. `depth`: how many calls below the function to look at; all if absent.
    ///
    /// `None` if there is no point at which both have counted the same number of calls.
    pub fn new(
        profiles: [&Profile; 2],
        code: [&BuildCode; 2],
        metric: ProfileMetric,
        depth: Option<usize>,
    ) -> Option<Self> {
        let [before, after] = profiles;
        let points: Vec<[usize; 2]> = (0..before.points.len())
            .filter_map(|index| {
                let point = &before.points[index];
                let is_same = |other: &_| {
                    let benchbook_profile::ProfilePoint { x, calls, .. } = other;
                    (x, calls) == (&point.x, &point.calls)
                };
                Some([index, after.points.iter().position(is_same)?])
            })
            .collect();
        let shown = points.len().checked_sub(1)?;
        let root = Call::of_both(profiles, code);
        let least_edit = [Edit::Source, Edit::Compiled].into_iter().find(|least| root.is_edited(*least));
        let attribution = Attribution { profiles, points, shown, least_edit, metric, depth };
        let mut contributors = attribution.contributors(&root);
        contributors.sort_by(|one, other| {
            let size = |contributor: &Contributor| contributor.difference.added[shown].abs();
            size(other).total_cmp(&size(one))
        });
        let Chain { steps, calls, added } = chain(&attribution, &root);
        let compared = |(at, [index, _]): (usize, &[usize; 2])| {
            let [before, after] = attribution.total(&root, at);
            let totals = [[-before, 0], [0, after]];
            let totals = totals.map(|totals| attribution.per_call(at, totals));
            ComparedPoint { x: profiles[0].points[*index].x.clone(), totals }
        };
        let (source_file, source) = source(&calls, code, steps.last().and_then(|step| step.change));
        Some(Self {
            function: after.function.clone(),
            metric,
            axis: after.axis.clone(),
            points: attribution.points.iter().enumerate().map(compared).collect(),
            shown,
            contributors,
            chain: steps,
            cause_added: attribution.per_call(shown, added),
            changed: least_edit.map_or_else(BTreeSet::new, |least| root.edited(least)).into_iter().collect(),
            source,
            source_file,
        })
    }

    /// The last call of the chain: the cause of most of the difference; `None` if nothing differs.
    pub fn cause(&self) -> Option<&Step> {
        self.chain.last()
    }

    /// How much more than before is counted per call of the function at the shown point.
    pub fn added(&self) -> f64 {
        let [before, after] = self.points[self.shown].totals;
        after - before
    }
}

/// The calls that lead to the cause.
#[derive(Default)]
struct Chain<'c, 'p> {
    steps: Vec<Step>,
    /// Those of the steps.
    calls: Vec<&'c Call<'p>>,
    /// What the cause adds at the shown point, as totals of both builds.
    added: [i64; 2],
}

/// Follows the largest part of the difference.
fn chain<'c, 'p>(attribution: &Attribution<'_>, root: &'c Call<'p>) -> Chain<'c, 'p> {
    let at = attribution.shown;
    let all = attribution.total(root, at).iter().sum::<i64>();
    // What is less than before counts against it.
    let size = |totals: [i64; 2]| totals.iter().sum::<i64>().saturating_mul(if all < 0 { -1 } else { 1 });
    let mut chain = Chain::default();
    let (mut visit, mut others) = (Visit::of_root(root), Vec::new());
    loop {
        let whole = attribution.whole_change(visit);
        let mut below: Vec<Visit<'_, '_>> = attribution.below(visit).collect();
        below.sort_by_key(|visit| -size(attribution.total(visit.call, at)));
        let (of_body, called): (Vec<_>, Vec<_>) =
            below.iter().copied().partition(|below| attribution.is_of_body(visit.call, *below));
        let body = of_body
            .iter()
            .map(|part| attribution.total(part.call, at))
            .fold(attribution.own(visit.call, at), |[before, after], part| [before + part[0], after + part[1]]);
        let next = called.first().copied().filter(|next| {
            let of_next = size(attribution.total(next.call, at));
            of_next > 0 && of_next >= size(body) && whole.is_none()
        });
        let change = match next {
            Some(_) => None,
            None if whole.is_some() || of_body.is_empty() => whole.or_else(|| attribution.own_change(visit.call)),
            None => Some(Change::Body),
        };
        chain.calls.push(visit.call);
        chain.steps.push(Step {
            short_name: brief_name(&attribution.short_name(visit.call)),
            difference: attribution.difference(visit.call, true),
            change,
            others: std::mem::take(&mut others),
        });
        let Some(next) = next else {
            chain.added = if whole.is_some() { attribution.total(visit.call, at) } else { body };
            // Nothing differs, or as much is gone as is new.
            return if change.is_some() && size(chain.added) > 0 { chain } else { Chain::default() };
        };
        let is_other = |other: &&Visit<'_, '_>| !std::ptr::eq(other.call, next.call);
        others = below.iter().filter(is_other).map(|visit| attribution.difference(visit.call, true)).collect();
        visit = next;
    }
}

/// The source of what has changed, by the calls of the chain, and its file.
fn source(calls: &[&Call<'_>], code: [&BuildCode; 2], change: Option<Change>) -> (Option<String>, Vec<SourceLine>) {
    let of_callee = matches!(change, Some(Change::Body | Change::Compiled));
    let last = calls.len().saturating_sub(usize::from(!of_callee));
    // Of the nearest function that has changed.
    let lines = calls[..last].iter().rev().find_map(|call| {
        let [Some(before), Some(after)] = call.frames else { return None };
        let lines = BuildCode::changed_lines(code, [before, after]);
        let file = after.place.as_ref().map(|place| place.file.clone());
        (!lines.is_empty()).then_some((file, lines))
    });
    lines.unwrap_or_default()
}

#[cfg(all(test, feature = "sources"))]
mod tests {
    use benchbook_instrument::CodeMap;
    use benchbook_profile::{Amounts, Frame, Place, ProfilePoint};

    use super::*;
    use crate::source::SourceFile;

    /// Two commits of the same file.
    const BEFORE: &str = "fn run() {
    bridge();
    foo();
}
fn bridge() {
    size();
}
fn size() {
    one();
}
fn foo() {}
";
    const AFTER: &str = "fn run() {
    bridge();
    foo();
}
// Counts.
fn bridge() {
    size();
}
fn size() {
    all();
}
fn foo() {}
";

    /// A function that is called at a line: its name and its first line, its calls, and its own instructions.
    fn frame(name: &str, [line, call_site]: [u32; 2], calls: i64, own: [i64; 2], children: Vec<Frame>) -> Frame {
        let place = |line| Some(Place { file: "src/lib.rs".to_owned(), line });
        let own = own.map(|instructions| Amounts { instructions, calls, ..Amounts::default() }).to_vec();
        let call_site = place(call_site).filter(|place| place.line > 0);
        let (name, place) = (format!("demo::{name}"), place(line));
        Frame { name, place, call_site, own, children, ..Frame::default() }
    }

    fn profile(children: Vec<Frame>) -> Profile {
        let point = |x| ProfilePoint { x: AxisValue::Number(x), calls: 1, memory: None };
        Profile {
            function: "run".to_owned(),
            crate_name: "demo".to_owned(),
            axis: "n".to_owned(),
            points: vec![point(10.0), point(20.0)],
            root: Frame { name: "run".to_owned(), ..frame("run", [1, 0], 1, [5, 5], children) },
            includes_library: false,
        }
    }

    fn code(text: &str) -> BuildCode {
        let map = CodeMap {
            strings: vec!["src/lib.rs".to_owned()],
            frames: vec![benchbook_instrument::Frame {
                function: 0,
                file: Some(0),
                line: Some(1),
                caller: None,
                is_conditional: false,
            }],
            ..CodeMap::default()
        };
        BuildCode::new(&map, |_| Some(SourceFile::read(text)))
    }

    fn found(before: Vec<Frame>, after: Vec<Frame>, texts: [&str; 2], depth: Option<usize>) -> Pinpoint {
        let found = Pinpoint::new(
            [&profile(before), &profile(after)],
            texts.map(code).each_ref(),
            ProfileMetric::Instructions,
            depth,
        )
        .expect("the calls are the same");
        for at in 0..2 {
            let all: f64 = found.contributors.iter().map(|one| one.difference.added[at]).sum();
            let [before, after] = found.points[at].totals;
            assert_eq!(all, after - before);
        }
        found
    }

    fn foo() -> Frame {
        frame("foo", [11, 3], 1, [50, 50], Vec::new())
    }

    fn bridge(line: u32, calls: i64, inner: Vec<Frame>) -> Frame {
        frame("bridge", [line, 2], calls, [calls, calls], inner)
    }

    fn size([line, call_site]: [u32; 2], calls: i64, own: [i64; 2]) -> Frame {
        frame("size", [line, call_site], calls, own, Vec::new())
    }

    fn text(found: &Pinpoint) -> String {
        found.answer().replace('\u{202f}', " ")
    }

    #[test]
    fn a_changed_body_is_found_below_unchanged_ones() {
        let before = vec![foo(), bridge(5, 1, vec![size([8, 6], 1, [2, 2])])];
        let after = vec![foo(), bridge(6, 1, vec![size([9, 7], 1, [102, 202])])];
        let found = found(before, after, [BEFORE, AFTER], None);
        assert_eq!(text(&found), "The body of `size` has changed (src/lib.rs:9): 100% of the added wasm instructions");
        let names: Vec<&str> = found.chain.iter().map(|step| step.short_name.as_str()).collect();
        assert_eq!(names, ["run", "bridge", "size"]);
        assert_eq!((found.contributors.len(), found.added()), (1, 200.0));
        let changed: Vec<(&str, [Option<u32>; 2])> =
            found.source.iter().filter(|line| line.is_changed()).map(|line| (line.text.trim(), line.lines)).collect();
        assert_eq!(found.cause_added, 200.0);
        assert_eq!(changed, [("one();", [Some(9), None]), ("all();", [None, Some(10)])]);
    }

    /// As a part of the body, although more comes from the library than from the function itself.
    #[test]
    fn a_new_call_of_the_library_belongs_to_a_changed_body() {
        let before = vec![bridge(5, 1, vec![size([8, 6], 1, [2, 2])])];
        let count = |line| Frame {
            place: Some(Place { file: "core/src/iter.rs".to_owned(), line: 1 }),
            ..frame("", [1, line], 0, [90, 180], Vec::new())
        };
        let count = |line| Frame { name: "core::iter::Iterator::count".to_owned(), ..count(line) };
        let size = Frame { children: vec![count(10)], ..size([9, 7], 1, [12, 12]) };
        let found = found(before, vec![bridge(6, 1, vec![size])], [BEFORE, AFTER], None);
        let expected = "The body of `size` has changed (src/lib.rs:9), which now calls `Iterator::count`: 100% of the added wasm instructions";
        assert_eq!((text(&found).as_str(), found.cause_added, found.contributors.len()), (expected, 190.0, 2));
    }

    #[test]
    fn calls_are_new_gone_or_more() {
        let same = || bridge(5, 1, vec![size([8, 6], 1, [2, 2])]);
        let new = found(vec![same()], vec![same(), foo()], [BEFORE; 2], None);
        assert_eq!(text(&new), "`run` now calls `foo` (src/lib.rs:3): 100% of the added wasm instructions");
        let gone = found(vec![same(), foo()], vec![same()], [BEFORE; 2], None);
        assert_eq!(text(&gone), "`run` no longer calls `foo`: 100% of the saved wasm instructions");
        let more = |calls| bridge(5, calls, vec![size([8, 6], calls, [2 * calls, 2 * calls])]);
        let more = found(vec![more(1), foo()], vec![more(3), foo()], [BEFORE; 2], None);
        assert_eq!(
            text(&more),
            "`run` calls `bridge` 3 times instead of 1 (src/lib.rs:2): 100% of the added wasm instructions"
        );
    }

    #[test]
    fn a_call_that_takes_more_with_the_same_code_is_the_answer() {
        let of = |own| vec![bridge(5, 1, vec![size([8, 6], 1, own)])];
        let changed = BEFORE.replace("    bridge();", "    bridge(1);");
        let found = found(of([2, 2]), of([9, 9]), [BEFORE, &changed], None);
        let expected = "A call of `bridge` executes something else, although its source is the same: see what `run` gives it (src/lib.rs:2): 100% of the added wasm instructions";
        assert_eq!(text(&found), expected);
        let changed: Vec<&str> =
            found.source.iter().filter(|line| line.is_changed()).map(|line| line.text.trim()).collect();
        assert_eq!(changed, ["bridge();", "bridge(1);"], "the caller's source");
    }

    #[test]
    fn renamed_moved_and_wrapped_functions_are_the_same() {
        let of = |name: &str| vec![frame(name, [5, 2], 1, [7, 7], vec![size([8, 6], 1, [2, 2])]), foo()];
        for name in ["renamed", "module::bridge"] {
            let found = found(of("bridge"), of(name), [BEFORE; 2], None);
            assert_eq!(found.contributors, [], "{name}");
            assert_eq!(text(&found), "The builds have the same wasm instructions, function by function");
        }
        let inner = || bridge(5, 1, vec![size([8, 6], 1, [2, 2])]);
        let wrapped = || frame("shim", [11, 2], 1, [3, 3], vec![inner()]);
        // What it contains counts in both builds.
        let slower = bridge(5, 1, vec![size([8, 6], 1, [22, 22])]);
        let both = found(vec![slower], vec![wrapped()], [BEFORE; 2], None);
        assert_eq!((both.contributors.len(), both.added(), both.cause_added), (2, -17.0, -20.0));
        assert!(text(&both).ends_with("20 saved wasm instructions, of 17 with all others"), "{}", text(&both));
        for (before, after, added) in [(inner(), wrapped(), 3.0), (wrapped(), inner(), -3.0)] {
            let found = found(vec![before], vec![after], [BEFORE; 2], None);
            assert_eq!((found.contributors.len(), found.added()), (1, added), "{:#?}", found.contributors);
        }
    }

    #[test]
    fn the_search_ends_at_the_depth() {
        let before = vec![bridge(5, 1, vec![size([8, 6], 1, [2, 2])])];
        let after = vec![bridge(6, 1, vec![size([9, 7], 1, [102, 202])])];
        let found = found(before, after, [BEFORE, AFTER], Some(1));
        let names: Vec<&str> = found.chain.iter().map(|step| step.short_name.as_str()).collect();
        assert_eq!(names, ["run", "bridge"]);
        assert_eq!(found.contributors.len(), 1);
        assert_eq!(
            text(&found),
            "Something that `bridge` calls has changed (src/lib.rs:6): 100% of the added wasm instructions"
        );
    }
}
