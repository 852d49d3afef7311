//! Checks that any implementation of [`Store`] must pass: `check(MemoryStore::default)`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::api::{StoredFunction, StoredGenerator};
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::repeatability::MachineHistory;
use benchbook_host::response::{Failure, FailureKind, FirstCalls, Outcome, Point, WasmCounts, WasmInstructions};
use benchbook_server::store::{NewResult, PointMatch, PointQuery, ResultFilter, Store, StoreError};

use crate::synthetic::{World, query_for};

/// Runs each check on a new, empty store.
///
/// # Panics
/// If a check fails; its name is printed first.
pub fn check<S: Store>(mut open: impl FnMut() -> S) {
    for (name, run) in CHECKS {
        let store = open();
        // The assertion alone does not name the check.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(&store))) {
            eprintln!("the store fails this check: {name}");
            resume_unwind(panic);
        }
    }
}

fn histories(store: &dyn Store) {
    let NewResult { response, .. } = result("sort", &[1.0, 2.0]);
    let past = Arc::new(MachineHistory::default()).at("a build", 1.5);
    let mut history = MachineHistory::default();
    history.record(&past, &response.request, &response.points);
    assert_ne!(history, MachineHistory::default());
    let revision = store.revision();
    assert_eq!(store.history("reference").expect("it is read"), MachineHistory::default());
    for kept in [&MachineHistory::default(), &history] {
        store.keep_history("reference", kept).expect("it is kept");
    }
    assert_eq!(store.history("reference").expect("it is read"), history);
    assert_eq!(store.history("another").expect("it is read"), MachineHistory::default());
    assert_eq!(store.revision(), revision, "no response depends on it");
    store.clear().expect("it is cleared");
    assert_eq!(store.history("reference").expect("it is read"), MachineHistory::default());
}

/// The name of a check, and the check.
type Check = (&'static str, fn(&dyn Store));

const CHECKS: &[Check] = &[
    ("a stored result is complete", complete),
    ("numbers ascend, even after all results were deleted", ascending),
    ("every write advances the revision", revisions),
    ("each point is found separately, across results", separate_points),
    ("a number, a text and no value are different axis values", kinds_of_values),
    ("a point is found if it satisfies the requested quality", satisfying),
    ("a point is found if it has the requested first calls", first_calls),
    ("a point is found if it has the requested wasm instructions", wasm_instructions),
    ("the newest point is found, and older results remain", newest),
    ("several functions are found only in the same result", same_result),
    ("a result that differs in any part of the key is not found", different),
    ("failed points are stored, but never found", failures),
    ("the history of a machine is kept until all results are deleted", histories),
    ("functions and generators are counted", counts),
    ("results are listed newest first, in pages", pages),
    ("raw samples are found by function and axis value", samples),
    ("a result that could not be found again is rejected", invalid),
    ("all results can be deleted", cleared),
];

/// A result of one function, with points at the axis values.
fn result(function: &str, xs: &[f64]) -> NewResult {
    result_of(&[function], xs)
}

/// A result of several functions, with points at the axis values.
fn result_of(functions: &[&str], xs: &[f64]) -> NewResult {
    result_at(functions, &numbers(xs))
}

fn result_at(functions: &[&str], xs: &[AxisValue]) -> NewResult {
    let world = World { together: 1, ..World::SMALL };
    let seed = (0..).find(|seed| world.result(*seed).response.points.iter().all(|point| point.measured().is_some()));
    let mut result = world.result(seed.unwrap_or(0));
    let model = result.response.points[0].clone();
    result.response.request.functions = functions.iter().map(ToString::to_string).collect();
    let at = |x: &AxisValue| functions.iter().map(|&function| (function.to_owned(), x.clone())).collect::<Vec<_>>();
    let points = xs.iter().flat_map(at).map(|(function, x)| Point { function, x, ..model.clone() });
    result.response.points = points.collect();
    result
}

/// The result with another quality.
fn with_quality(result: &NewResult, quality: Quality) -> NewResult {
    let mut result = result.clone();
    result.response.quality = quality;
    result
}

/// The quality with other values of the fields that searches compare.
fn quality(quality: &Quality, precision: f64, point_ms: f64, processes: u32) -> Quality {
    Quality { precision, point_ms, processes, ..quality.clone() }
}

fn fail(point: &mut Point) {
    let reason = "index out of bounds".to_owned();
    point.outcome = Outcome::Failed(Failure { kind: FailureKind::Panic, reason });
}

fn add(store: &dyn Store, result: &NewResult) -> u64 {
    store.add(result).expect("a valid result is stored")
}

fn find(store: &dyn Store, query: &PointQuery) -> Vec<PointMatch> {
    store.find(query).expect("the query succeeds")
}

/// The numbers on the axis found, with the results that contain them.
fn matches(store: &dyn Store, query: &PointQuery) -> Vec<(f64, u64)> {
    find(store, query).iter().filter_map(|found| Some((found.x.number()?, found.result))).collect()
}

fn numbers(xs: &[f64]) -> Vec<AxisValue> {
    xs.iter().copied().map(AxisValue::Number).collect()
}

fn ids(store: &dyn Store, filter: &ResultFilter) -> Vec<u64> {
    store.results(filter).expect("the query succeeds").iter().map(|card| card.id).collect()
}

fn complete(store: &dyn Store) {
    let world = World::SMALL;
    for seed in 0..50 {
        let new = world.result(seed);
        let id = add(store, &new);
        let stored = store.result(id).expect("the query succeeds").expect("the result is stored");
        let mut response = stored.response;
        assert_eq!(stored.id, id);
        for (point, original) in response.points.iter_mut().zip(&new.response.points) {
            let samples = store.samples(id, &original.function, &original.x).expect("the query succeeds");
            if let Outcome::Measured(measured) = &mut point.outcome {
                assert!(measured.runs.is_empty(), "a result excludes raw samples");
                measured.runs = samples.expect("a measured point has samples").runs;
            } else {
                assert_eq!(samples, None, "a failed point has no samples");
            }
        }
        assert_eq!(response, new.response);
    }
    assert_eq!(store.result(51).expect("the query succeeds"), None);
    assert_eq!(store.result(u64::MAX).expect("the query succeeds"), None);
}

fn ascending(store: &dyn Store) {
    let new = result("f", &[1.0]);
    let before: Vec<u64> = (0..5).map(|_| add(store, &new)).collect();
    assert!(before[0] > 0 && before.is_sorted_by(|one, next| one < next), "{before:?}");
    store.clear().expect("all results can be deleted");
    assert!(add(store, &new) > before[4], "numbers are never reused");
}

fn revisions(store: &dyn Store) {
    let before = store.revision();
    let id = add(store, &result("f", &[1.0]));
    let added = store.revision();
    assert!(added > before, "a result was added");
    store.result(id).expect("the query succeeds");
    assert_eq!(store.revision(), added, "reading changes nothing");
    assert!(store.add(&result("f", &[])).is_err());
    assert_eq!(store.revision(), added, "nothing was stored");
    store.clear().expect("all results can be deleted");
    assert!(store.revision() > added, "all results were deleted");
}

fn separate_points(store: &dyn Store) {
    let first = add(store, &result("f", &[1.0, 2.0, 0.1 + 0.2]));
    let second = add(store, &result("f", &[2.0, 8.0]));
    let query = PointQuery { xs: numbers(&[8.0, 1.0, 4.0, 2.0, 0.1 + 0.2, 2.0]), ..query_for(&result("f", &[1.0])) };
    let expected = [(0.1 + 0.2, first), (1.0, first), (2.0, second), (8.0, second)];
    assert_eq!(matches(store, &query), expected);
    for found in find(store, &query) {
        let stored = store.result(found.result).expect("the query succeeds").map(|result| result.stored);
        assert_eq!(stored, Some(found.stored));
    }
    // One unit in the last place is another axis value.
    assert_eq!(matches(store, &PointQuery { xs: numbers(&[0.3]), ..query.clone() }), []);
    assert_eq!(matches(store, &PointQuery { xs: Vec::new(), ..query.clone() }), []);
    assert_eq!(matches(store, &PointQuery { functions: Vec::new(), ..query }), []);
}

fn kinds_of_values(store: &dyn Store) {
    let values: [AxisValue; 5] = [AxisValue::Absent, 1.0.into(), "".into(), "1".into(), "ä'%\0".into()];
    let mut ids = Vec::new();
    for x in &values {
        ids.push(add(store, &result_at(&["f"], std::slice::from_ref(x))));
    }
    let query = PointQuery { xs: values.to_vec(), ..query_for(&result("f", &[1.0])) };
    let found: Vec<(AxisValue, u64)> =
        find(store, &query).into_iter().map(|found| (found.x.clone(), found.result)).collect();
    assert_eq!(found, values.iter().cloned().zip(ids.iter().copied()).collect::<Vec<_>>());
    for (x, id) in values.iter().zip(ids) {
        let stored = store.result(id).expect("the query succeeds").expect("the result is stored");
        assert_eq!(stored.response.points[0].x, *x);
        for other in &values {
            let samples = store.samples(id, "f", other).expect("the query succeeds");
            assert_eq!(samples.map(|samples| samples.x), (x == other).then(|| x.clone()), "{x:?}");
        }
    }
    let twice = result_at(&["f"], &["1".into(), 1.0.into(), "1".into()]);
    assert!(matches!(store.add(&twice), Err(StoreError::Invalid(_))));
}

fn satisfying(store: &dyn Store) {
    let base = result("f", &[1.0]);
    let model = base.response.quality.clone();
    let id = add(store, &with_quality(&base, quality(&model, 0.02, 500.0, 3)));
    let requested = |precision, point_ms, processes| PointQuery {
        quality: quality(&model, precision, point_ms, processes),
        ..query_for(&base)
    };
    assert_eq!(matches(store, &requested(0.02, 500.0, 3)), [(1.0, id)], "equal quality");
    assert_eq!(matches(store, &requested(0.05, 150.0, 1)), [(1.0, id)], "better quality");
    assert_eq!(matches(store, &requested(0.019, 500.0, 3)), [], "a less precise target");
    assert_eq!(matches(store, &requested(0.02, 500.1, 3)), [], "less time");
    assert_eq!(matches(store, &requested(0.02, 500.0, 4)), [], "fewer processes");
    // Counts and bounds are not compared, so another priority may match.
    let other = Quality { points: model.points + 2, timeout_ms: Some(1.0), ..requested(0.02, 500.0, 3).quality };
    assert_eq!(matches(store, &PointQuery { quality: other, ..query_for(&base) }), [(1.0, id)]);
}

/// Points with and without first calls, each as one result.
fn first_calls(store: &dyn Store) {
    let with = |functions: &[&str], first_calls: &[Option<FirstCalls>]| {
        let mut result = result_of(functions, &[1.0]);
        for (point, first_calls) in result.response.points.iter_mut().zip(first_calls) {
            if let Outcome::Measured(measured) = &mut point.outcome {
                measured.first_calls.clone_from(first_calls);
            }
        }
        result
    };
    let failure = Failure { kind: FailureKind::Trap, reason: "it ended".to_owned() };
    let [present, failed] = [None, Some(failure)].map(|failure| Some(FirstCalls { failure, ..FirstCalls::default() }));
    let requested = |functions: &[&str]| PointQuery { first_calls: true, ..query_for(&with(functions, &[])) };
    let first = add(store, &with(&["f", "g"], &[None, None]));
    assert_eq!(matches(store, &requested(&["f"])), []);
    assert_eq!(matches(store, &query_for(&with(&["f"], &[]))), [(1.0, first)]);
    let second = add(store, &with(&["f", "g"], &[present.clone(), present.clone()]));
    add(store, &with(&["f", "g"], &[present.clone(), None]));
    let fourth = add(store, &with(&["f", "g"], &[present, failed.clone()]));
    let fifth = add(store, &with(&["f", "g"], &[failed, None]));
    assert_eq!(matches(store, &requested(&["f"])), [(1.0, fourth)]);
    assert_eq!(matches(store, &requested(&["f", "g"])), [(1.0, second)]);
    assert_eq!(matches(store, &query_for(&with(&["f", "g"], &[]))), [(1.0, fifth)], "without first calls, any point");
    let found = find(store, &requested(&["f"]));
    assert!(found[0].points[0].measured().is_some_and(|measured| measured.first_calls.is_some()));
}

/// Points with and without wasm instructions, each as one result.
fn wasm_instructions(store: &dyn Store) {
    let with = |counts: Option<WasmCounts>| {
        let mut result = result("f", &[1.0]);
        if let Outcome::Measured(measured) = &mut result.response.points[0].outcome {
            measured.wasm_instructions = counts;
        }
        result
    };
    let requested = PointQuery { wasm_instructions: true, ..query_for(&with(None)) };
    let instructions = WasmInstructions { calls: 2, load: 8, ..WasmInstructions::default() };
    let counted = add(store, &with(Some(WasmCounts::Counted(instructions))));
    let failed = add(store, &with(Some(WasmCounts::Failed("it ended".to_owned()))));
    assert_eq!(matches(store, &requested), [(1.0, counted)]);
    assert_eq!(matches(store, &query_for(&with(None))), [(1.0, failed)], "without counts, any point");
    add(store, &with(None));
    let uncountable = add(store, &with(Some(WasmCounts::Uncountable("it is native".to_owned()))));
    assert_eq!(matches(store, &requested), [(1.0, uncountable)], "nothing more can be counted");
}

fn newest(store: &dyn Store) {
    let base = result("f", &[1.0, 2.0]);
    let model = base.response.quality.clone();
    let mut good = with_quality(&base, quality(&model, 0.01, 1_500.0, 5));
    good.response.priority = Priority::LAST;
    let mut rough = with_quality(&result("f", &[1.0]), quality(&model, 0.2, 40.0, 1));
    rough.response.priority = Priority::FIRST;
    let first = add(store, &good);
    let second = add(store, &rough);
    let requested = |quality: &Quality| PointQuery { quality: quality.clone(), ..query_for(&base) };
    let rough_found = find(store, &requested(&rough.response.quality));
    let found: Vec<_> = rough_found.iter().map(|found| (found.x.number(), found.result, found.priority)).collect();
    assert_eq!(found, [(Some(1.0), second, Priority::FIRST), (Some(2.0), first, Priority::LAST)]);
    assert_eq!(rough_found[0].points, rough.response.points, "with raw samples");
    assert_eq!(matches(store, &requested(&good.response.quality)), [(1.0, first), (2.0, first)], "newer and worse");
    let third = add(store, &good);
    assert_eq!(matches(store, &requested(&good.response.quality)), [(1.0, third), (2.0, third)]);
    assert_eq!(ids(store, &ResultFilter { limit: 9, ..ResultFilter::default() }), [third, second, first], "history");
}

fn same_result(store: &dyn Store) {
    let both = result_of(&["f", "g"], &[1.0, 2.0]);
    let first = add(store, &both);
    let second = add(store, &result("f", &[1.0, 2.0, 4.0]));
    let third = add(store, &result("g", &[1.0, 4.0]));
    let requested = |functions: &[&str]| PointQuery {
        functions: functions.iter().map(ToString::to_string).collect(),
        xs: numbers(&[1.0, 2.0, 4.0]),
        ..query_for(&both)
    };
    assert_eq!(matches(store, &requested(&["f"])), [(1.0, second), (2.0, second), (4.0, second)]);
    assert_eq!(matches(store, &requested(&["g"])), [(1.0, third), (2.0, first), (4.0, third)]);
    assert_eq!(matches(store, &requested(&["f", "g"])), [(1.0, first), (2.0, first)]);
    assert_eq!(matches(store, &requested(&["f", "g", "h"])), []);
    for found in find(store, &requested(&["g", "f"])) {
        let order: Vec<&str> = found.points.iter().map(|point| point.function.as_str()).collect();
        assert_eq!(order, ["g", "f"], "in the query's order");
    }
}

fn different(store: &dyn Store) {
    let base = result("f", &[1.0]);
    let id = add(store, &base);
    let query = query_for(&base);
    assert_eq!(matches(store, &query), [(1.0, id)]);
    let axis = query.axis.clone();
    let argument = |name: &str, argument| {
        let mut changed = query.clone();
        changed.arguments.insert(name.to_owned(), argument);
        changed
    };
    let range = Argument::Range(Range { low: 5.0, high: 6.0 });
    assert_eq!(matches(store, &argument(&axis, range)), [(1.0, id)], "the range is not compared");
    let mut fewer = query.clone();
    fewer.arguments.remove("spread");
    let different = [
        ("build", PointQuery { fingerprint: "other".to_owned(), ..query.clone() }),
        ("method", PointQuery { method: query.method + 1, ..query.clone() }),
        ("machine", PointQuery { machine: "other".to_owned(), ..query.clone() }),
        ("function", PointQuery { functions: vec!["other".to_owned()], ..query.clone() }),
        ("generator", PointQuery { generator: "other".to_owned(), ..query.clone() }),
        ("seed", PointQuery { seed: query.seed + 1, ..query.clone() }),
        ("large seed", PointQuery { seed: u64::MAX, ..query.clone() }),
        ("axis", PointQuery { axis: "distinct".to_owned(), ..query.clone() }),
        ("text", argument("spread", Argument::Text("random".to_owned()))),
        ("number", argument("distinct", Argument::Number(7.25))),
        ("number for text", argument("spread", Argument::Number(1.0))),
        ("one more", argument("other", Argument::Number(1.0))),
        ("one fewer", fewer),
    ];
    for (what, other) in different {
        assert_eq!(matches(store, &other), [], "different {what}");
    }
}

fn failures(store: &dyn Store) {
    let mut both = result_of(&["f", "g"], &[1.0, 2.0]);
    let older = add(store, &both);
    fail(&mut both.response.points[0]);
    let newer = add(store, &both);
    let query = query_for(&both);
    assert_eq!(matches(store, &query), [(1.0, older), (2.0, newer)]);
    let one = |function: &str| PointQuery { functions: vec![function.to_owned()], ..query.clone() };
    assert_eq!(matches(store, &one("f")), [(1.0, older), (2.0, newer)]);
    assert_eq!(matches(store, &one("g")), [(1.0, newer), (2.0, newer)]);
    let stored = store.result(newer).expect("the query succeeds").expect("the result is stored");
    assert_eq!(stored.response.points[0], both.response.points[0]);
}

fn counts(store: &dyn Store) {
    let other = |suite: &str, generator: &str, mut result: NewResult| {
        result.response.suite.name = suite.to_owned();
        result.response.request.generator = generator.to_owned();
        result
    };
    assert_eq!(store.functions().expect("the query succeeds"), []);
    add(store, &other("b", "keys", result_of(&["f", "g"], &[1.0, 2.0])));
    add(store, &other("b", "texts", result("g", &[1.0])));
    let newest = add(store, &other("b", "keys", result("g", &[1.0])));
    add(store, &other("a", "keys", result("g", &[1.0])));
    let functions = store.functions().expect("the query succeeds");
    let counts = |function: &StoredFunction| (function.suite.clone(), function.function.clone(), function.results);
    let expected = [("a", "g", 1), ("b", "f", 1), ("b", "g", 3)];
    assert_eq!(
        functions.iter().map(counts).collect::<Vec<_>>(),
        expected.map(|(suite, function, results)| (suite.to_owned(), function.to_owned(), results))
    );
    let generators = store.generators("b", "g").expect("the query succeeds");
    let counts = |generator: &StoredGenerator| (generator.generator.clone(), generator.results);
    assert_eq!(generators.iter().map(counts).collect::<Vec<_>>(), [("keys".to_owned(), 2), ("texts".to_owned(), 1)]);
    let stored = store.result(newest).expect("the query succeeds").expect("the result is stored").stored;
    assert_eq!((functions[2].newest, generators[0].newest), (stored, stored));
    assert_eq!(store.generators("c", "g").expect("the query succeeds"), []);
}

fn pages(store: &dyn Store) {
    let world = World::SMALL;
    let added: Vec<(u64, NewResult)> =
        (0..40).map(|seed| world.result(seed)).map(|new| (add(store, &new), new)).collect();
    let some = |text: &str| Some(text.to_owned());
    let filters = [
        (None, None, None),
        (some("sorting::sort_1"), None, None),
        (None, some("sorting::keys_0"), None),
        (None, None, some("suite-1")),
        (some("sorting::sort_0"), some("sorting::keys_1"), None),
        (some("sorting::sort_0"), None, some("suite-0")),
        (None, some("sorting::keys_1"), some("suite-1")),
        (some("sorting::sort_2"), some("sorting::keys_0"), some("suite-0")),
        (some("other"), None, None),
    ];
    for (function, generator, suite) in filters {
        let matches = |new: &NewResult| {
            let response = &new.response;
            function.as_ref().is_none_or(|path| response.points.iter().any(|point| point.function == *path))
                && generator.as_ref().is_none_or(|path| response.request.generator == *path)
                && suite.as_ref().is_none_or(|name| response.suite.name == *name)
        };
        let expected: Vec<u64> = added.iter().rev().filter(|(_, new)| matches(new)).map(|(id, _)| *id).collect();
        let mut filter = ResultFilter { function, generator, suite, before: None, limit: 3 };
        let mut seen = Vec::new();
        loop {
            let page = ids(store, &filter);
            assert!(page.len() <= 3);
            let Some(last) = page.last() else { break };
            filter.before = Some(*last);
            seen.extend(page);
        }
        assert_eq!(seen, expected, "{filter:?}");
        assert_eq!(ids(store, &ResultFilter { before: Some(u64::MAX), limit: 1_000, ..filter.clone() }), expected);
        assert!(ids(store, &ResultFilter { before: None, limit: 0, ..filter }).is_empty());
    }
    let card =
        store.results(&ResultFilter { limit: 1, ..ResultFilter::default() }).expect("the query succeeds").remove(0);
    let (id, NewResult { response, .. }) = &added[39];
    assert_eq!((card.id, card.points), (*id, response.points.len() as u64));
    assert_eq!((&card.request, &card.quality), (&response.request, &response.quality));
    assert_eq!((&card.suite, &card.machine), (&response.suite, &response.machine));
}

fn samples(store: &dyn Store) {
    let mut new = result_of(&["f", "g"], &[1.0, 0.1 + 0.2]);
    fail(&mut new.response.points[1]);
    let id = add(store, &new);
    let at = |id, function, x: f64| store.samples(id, function, &x.into()).expect("the query succeeds");
    let runs = |function, x| at(id, function, x).map(|samples| samples.runs);
    let expected = new.response.points[0].measured().map(|measured| measured.runs.clone());
    assert!(expected.as_ref().is_some_and(|runs| !runs[0].samples.is_empty()));
    assert_eq!(runs("f", 1.0), expected);
    assert_eq!(runs("f", 0.1 + 0.2), expected);
    assert_eq!(runs("g", 1.0), None, "the point failed");
    assert_eq!(runs("f", 0.3), None, "another axis value");
    assert_eq!(runs("h", 1.0), None, "another function");
    assert_eq!(at(id + 1, "f", 1.0), None, "another result");
}

fn invalid(store: &dyn Store) {
    let good = result("f", &[1.0]);
    let mut infinite = good.clone();
    if let Outcome::Measured(measured) = &mut infinite.response.points[0].outcome {
        measured.summary.sd = f64::INFINITY;
    }
    let rejected = [result("f", &[]), result("f", &[0.0, -0.0]), result("f", &[f64::NAN]), infinite];
    for new in &rejected {
        assert!(matches!(store.add(new), Err(StoreError::Invalid(_))), "{:?}", new.response.points);
    }
    assert!(ids(store, &ResultFilter { limit: 9, ..ResultFilter::default() }).is_empty());
    assert_eq!(store.functions().expect("the query succeeds"), []);
    add(store, &good);
}

fn cleared(store: &dyn Store) {
    let new = result("f", &[1.0]);
    let id = add(store, &new);
    assert_eq!(store.count().expect("the query succeeds"), 1);
    store.clear().expect("all results can be deleted");
    assert_eq!(store.count().expect("the query succeeds"), 0);
    assert_eq!(matches(store, &query_for(&new)), []);
    assert!(ids(store, &ResultFilter { limit: 9, ..ResultFilter::default() }).is_empty());
    assert_eq!(store.functions().expect("the query succeeds"), []);
    assert_eq!(store.generators(&new.response.suite.name, "f").expect("the query succeeds"), []);
    assert_eq!(store.result(id).expect("the query succeeds"), None);
    assert_eq!(store.samples(id, "f", &1.0.into()).expect("the query succeeds"), None);
    let again = add(store, &new);
    assert_eq!(matches(store, &query_for(&new)), [(1.0, again)]);
    assert_eq!(store.functions().expect("the query succeeds")[0].results, 1);
}
