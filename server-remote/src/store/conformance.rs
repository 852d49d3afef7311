//! What every store must do, as checks that any implementation can run: `hold(MemoryStore::default)`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::api::{StoredFunction, StoredGenerator};
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::response::{Failure, FailureKind, Outcome, Point};

use super::synthetic::{World, question_of};
use super::{Filter, Found, NewResult, Question, Store, StoreError};

/// Runs every check on an empty store of its own.
///
/// # Panics
/// Where a store does not hold; the check's name is printed before.
pub fn hold<S: Store>(mut open: impl FnMut() -> S) {
    for (name, check) in CHECKS {
        let store = open();
        // Whoever implements a store wants to know which of its promises it broke.
        if let Err(broken) = catch_unwind(AssertUnwindSafe(|| check(&store))) {
            eprintln!("the store does not keep this promise: {name}");
            resume_unwind(broken);
        }
    }
}

/// What a store promises, and how that is seen.
type Check = (&'static str, fn(&dyn Store));

const CHECKS: &[Check] = &[
    ("what was added is there whole", whole),
    ("numbers ascend, also after all was forgotten", ascending),
    ("points are found one by one, from several results", per_point),
    ("a point is found that is at least as precise as asked", at_least_as_precise),
    ("the newest wins, and the others stay", newest_wins),
    ("several functions are found from one and the same result", together),
    ("what differs in anything that counts is not found", others),
    ("failed points are stored and never found", failed),
    ("functions and generators are counted", counted),
    ("results are listed newest first, page by page", listed),
    ("raw samples are found by function and axis value", samples),
    ("a result that could not be found again is refused", unfit),
    ("everything can be forgotten", forgotten),
];

/// A result of one function, its points measured at the axis values.
fn result(function: &str, xs: &[f64]) -> NewResult {
    result_of(&[function], xs)
}

/// The same of several functions.
fn result_of(functions: &[&str], xs: &[f64]) -> NewResult {
    let world = World { together: 1, ..World::SMALL };
    let seed = (0..).find(|seed| world.result(*seed).response.points.iter().all(|point| point.measured().is_some()));
    let mut result = world.result(seed.unwrap_or(0));
    let model = result.response.points[0].clone();
    result.response.request.functions = functions.iter().map(ToString::to_string).collect();
    let at = |&x: &f64| functions.iter().map(move |&function| (function.to_owned(), x));
    let points = xs.iter().flat_map(at).map(|(function, x)| Point { function, x, ..model.clone() });
    result.response.points = points.collect();
    result
}

/// The same result with another quality.
fn with_quality(result: &NewResult, quality: Quality) -> NewResult {
    let mut result = result.clone();
    result.response.quality = quality;
    result
}

/// Another quality: only what is compared differs from `quality`.
fn quality(quality: &Quality, precision: f64, point_ms: f64, processes: u32) -> Quality {
    Quality { precision, point_ms, processes, ..quality.clone() }
}

fn fail(point: &mut Point) {
    let reason = "index out of bounds".to_owned();
    point.outcome = Outcome::Failed(Failure { kind: FailureKind::Panic, reason });
}

fn add(store: &dyn Store, result: &NewResult) -> u64 {
    store.add(result).expect("a result that will do is stored")
}

fn find(store: &dyn Store, question: &Question) -> Vec<Found> {
    store.find(question).expect("a store can be asked")
}

/// Axis values and the results that answered.
fn answers(store: &dyn Store, question: &Question) -> Vec<(f64, u64)> {
    find(store, question).iter().map(|found| (found.x, found.result)).collect()
}

fn ids(store: &dyn Store, filter: &Filter) -> Vec<u64> {
    store.results(filter).expect("results are listed").iter().map(|card| card.id).collect()
}

fn whole(store: &dyn Store) {
    let world = World::SMALL;
    for seed in 0..50 {
        let new = world.result(seed);
        let id = add(store, &new);
        let stored = store.result(id).expect("a store can be asked").expect("what was added is there");
        let mut response = stored.response;
        assert_eq!(stored.id, id);
        for (point, original) in response.points.iter_mut().zip(&new.response.points) {
            let samples = store.samples(id, &original.function, original.x).expect("a store can be asked");
            if let Outcome::Measured(measured) = &mut point.outcome {
                assert!(measured.runs.is_empty(), "raw samples come apart");
                measured.runs = samples.expect("what was measured has samples").runs;
            } else {
                assert_eq!(samples, None, "what failed has no samples");
            }
        }
        assert_eq!(response, new.response);
    }
    assert_eq!(store.result(51).expect("a store can be asked"), None);
    assert_eq!(store.result(u64::MAX).expect("a store can be asked"), None);
}

fn ascending(store: &dyn Store) {
    let new = result("f", &[1.0]);
    let before: Vec<u64> = (0..5).map(|_| add(store, &new)).collect();
    assert!(before[0] > 0 && before.is_sorted_by(|one, next| one < next), "{before:?}");
    store.forget_all().expect("all can be forgotten");
    assert!(add(store, &new) > before[4], "a number is given once");
}

fn per_point(store: &dyn Store) {
    let first = add(store, &result("f", &[1.0, 2.0, 0.1 + 0.2]));
    let second = add(store, &result("f", &[2.0, 8.0]));
    let question = Question { xs: vec![8.0, 1.0, 4.0, 2.0, 0.1 + 0.2, 2.0], ..question_of(&result("f", &[1.0])) };
    let expected = [(0.1 + 0.2, first), (1.0, first), (2.0, second), (8.0, second)];
    assert_eq!(answers(store, &question), expected);
    // One unit in the last place is another axis value.
    assert_eq!(answers(store, &Question { xs: vec![0.3], ..question.clone() }), []);
    assert_eq!(answers(store, &Question { xs: Vec::new(), ..question.clone() }), []);
    assert_eq!(answers(store, &Question { functions: Vec::new(), ..question }), []);
}

fn at_least_as_precise(store: &dyn Store) {
    let base = result("f", &[1.0]);
    let model = base.response.quality.clone();
    let id = add(store, &with_quality(&base, quality(&model, 0.02, 500.0, 3)));
    let asked = |precision, point_ms, processes| Question {
        quality: quality(&model, precision, point_ms, processes),
        ..question_of(&base)
    };
    assert_eq!(answers(store, &asked(0.02, 500.0, 3)), [(1.0, id)], "what is equal is enough");
    assert_eq!(answers(store, &asked(0.05, 150.0, 1)), [(1.0, id)], "and so is what is better");
    assert_eq!(answers(store, &asked(0.019, 500.0, 3)), [], "a target less precise");
    assert_eq!(answers(store, &asked(0.02, 500.1, 3)), [], "less time");
    assert_eq!(answers(store, &asked(0.02, 500.0, 4)), [], "fewer processes");
    // Counts and bounds are not compared: another priority's may do.
    let other = Quality { points: model.points + 2, timeout_ms: Some(1.0), ..asked(0.02, 500.0, 3).quality };
    assert_eq!(answers(store, &Question { quality: other, ..question_of(&base) }), [(1.0, id)]);
}

fn newest_wins(store: &dyn Store) {
    let base = result("f", &[1.0, 2.0]);
    let model = base.response.quality.clone();
    let mut good = with_quality(&base, quality(&model, 0.01, 1_500.0, 5));
    good.response.priority = Priority::LAST;
    let mut rough = with_quality(&result("f", &[1.0]), quality(&model, 0.2, 40.0, 1));
    rough.response.priority = Priority::FIRST;
    let first = add(store, &good);
    let second = add(store, &rough);
    let asked = |quality: &Quality| Question { quality: quality.clone(), ..question_of(&base) };
    let rough_found = find(store, &asked(&rough.response.quality));
    let places: Vec<_> = rough_found.iter().map(|found| (found.x, found.result, found.priority)).collect();
    assert_eq!(places, [(1.0, second, Priority::FIRST), (2.0, first, Priority::LAST)]);
    assert_eq!(rough_found[0].points, rough.response.points, "with raw samples");
    assert_eq!(answers(store, &asked(&good.response.quality)), [(1.0, first), (2.0, first)], "newer and worse");
    let third = add(store, &good);
    assert_eq!(answers(store, &asked(&good.response.quality)), [(1.0, third), (2.0, third)]);
    assert_eq!(ids(store, &Filter { limit: 9, ..Filter::default() }), [third, second, first], "history");
}

fn together(store: &dyn Store) {
    let both = result_of(&["f", "g"], &[1.0, 2.0]);
    let first = add(store, &both);
    let second = add(store, &result("f", &[1.0, 2.0, 4.0]));
    let third = add(store, &result("g", &[1.0, 4.0]));
    let asked = |functions: &[&str]| Question {
        functions: functions.iter().map(ToString::to_string).collect(),
        xs: vec![1.0, 2.0, 4.0],
        ..question_of(&both)
    };
    assert_eq!(answers(store, &asked(&["f"])), [(1.0, second), (2.0, second), (4.0, second)]);
    assert_eq!(answers(store, &asked(&["g"])), [(1.0, third), (2.0, first), (4.0, third)]);
    assert_eq!(answers(store, &asked(&["f", "g"])), [(1.0, first), (2.0, first)]);
    assert_eq!(answers(store, &asked(&["f", "g", "h"])), []);
    for found in find(store, &asked(&["g", "f"])) {
        let order: Vec<&str> = found.points.iter().map(|point| point.function.as_str()).collect();
        assert_eq!(order, ["g", "f"], "in the question's order");
    }
}

fn others(store: &dyn Store) {
    let base = result("f", &[1.0]);
    let id = add(store, &base);
    let question = question_of(&base);
    assert_eq!(answers(store, &question), [(1.0, id)]);
    let axis = question.axis.clone();
    let argument = |name: &str, argument| {
        let mut changed = question.clone();
        changed.arguments.insert(name.to_owned(), argument);
        changed
    };
    let range = Argument::Range(Range { low: 5.0, high: 6.0 });
    assert_eq!(answers(store, &argument(&axis, range)), [(1.0, id)], "the range is not compared");
    let mut fewer = question.clone();
    fewer.arguments.remove("spread");
    let strangers = [
        ("build", Question { fingerprint: "other".to_owned(), ..question.clone() }),
        ("machine", Question { machine: "other".to_owned(), ..question.clone() }),
        ("function", Question { functions: vec!["other".to_owned()], ..question.clone() }),
        ("generator", Question { generator: "other".to_owned(), ..question.clone() }),
        ("seed", Question { seed: question.seed + 1, ..question.clone() }),
        ("great seed", Question { seed: u64::MAX, ..question.clone() }),
        ("axis", Question { axis: "distinct".to_owned(), ..question.clone() }),
        ("text", argument("spread", Argument::Text("random".to_owned()))),
        ("number", argument("distinct", Argument::Number(7.25))),
        ("number for text", argument("spread", Argument::Number(1.0))),
        ("one more", argument("other", Argument::Number(1.0))),
        ("one fewer", fewer),
    ];
    for (what, stranger) in strangers {
        assert_eq!(answers(store, &stranger), [], "another {what}");
    }
}

fn failed(store: &dyn Store) {
    let mut both = result_of(&["f", "g"], &[1.0, 2.0]);
    let older = add(store, &both);
    fail(&mut both.response.points[0]);
    let newer = add(store, &both);
    let question = question_of(&both);
    assert_eq!(answers(store, &question), [(1.0, older), (2.0, newer)]);
    let one = |function: &str| Question { functions: vec![function.to_owned()], ..question.clone() };
    assert_eq!(answers(store, &one("f")), [(1.0, older), (2.0, newer)]);
    assert_eq!(answers(store, &one("g")), [(1.0, newer), (2.0, newer)]);
    let stored = store.result(newer).expect("a store can be asked").expect("it is there");
    assert_eq!(stored.response.points[0], both.response.points[0]);
}

fn counted(store: &dyn Store) {
    let other = |suite: &str, generator: &str, mut result: NewResult| {
        result.response.suite.name = suite.to_owned();
        result.response.request.generator = generator.to_owned();
        result
    };
    assert_eq!(store.functions().expect("a store can be asked"), []);
    add(store, &other("b", "keys", result_of(&["f", "g"], &[1.0, 2.0])));
    add(store, &other("b", "texts", result("g", &[1.0])));
    let newest = add(store, &other("b", "keys", result("g", &[1.0])));
    add(store, &other("a", "keys", result("g", &[1.0])));
    let functions = store.functions().expect("a store can be asked");
    let counts = |function: &StoredFunction| (function.suite.clone(), function.function.clone(), function.results);
    let expected = [("a", "g", 1), ("b", "f", 1), ("b", "g", 3)];
    assert_eq!(
        functions.iter().map(counts).collect::<Vec<_>>(),
        expected.map(|(suite, function, results)| (suite.to_owned(), function.to_owned(), results))
    );
    let generators = store.generators("b", "g").expect("a store can be asked");
    let counts = |generator: &StoredGenerator| (generator.generator.clone(), generator.results);
    assert_eq!(generators.iter().map(counts).collect::<Vec<_>>(), [("keys".to_owned(), 2), ("texts".to_owned(), 1)]);
    let stored = store.result(newest).expect("a store can be asked").expect("it is there").stored;
    assert_eq!((functions[2].newest, generators[0].newest), (stored, stored));
    assert_eq!(store.generators("c", "g").expect("a store can be asked"), []);
}

fn listed(store: &dyn Store) {
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
        let fits = |new: &NewResult| {
            let response = &new.response;
            function.as_ref().is_none_or(|path| response.points.iter().any(|point| point.function == *path))
                && generator.as_ref().is_none_or(|path| response.request.generator == *path)
                && suite.as_ref().is_none_or(|name| response.suite.name == *name)
        };
        let expected: Vec<u64> = added.iter().rev().filter(|(_, new)| fits(new)).map(|(id, _)| *id).collect();
        let mut filter = Filter { function, generator, suite, before: None, limit: 3 };
        let mut seen = Vec::new();
        loop {
            let page = ids(store, &filter);
            assert!(page.len() <= 3);
            let Some(last) = page.last() else { break };
            filter.before = Some(*last);
            seen.extend(page);
        }
        assert_eq!(seen, expected, "{filter:?}");
        assert_eq!(ids(store, &Filter { before: Some(u64::MAX), limit: 1_000, ..filter.clone() }), expected);
        assert!(ids(store, &Filter { before: None, limit: 0, ..filter }).is_empty());
    }
    let card = store.results(&Filter { limit: 1, ..Filter::default() }).expect("a store can be asked").remove(0);
    let (id, NewResult { response, .. }) = &added[39];
    assert_eq!((card.id, card.points), (*id, response.points.len() as u64));
    assert_eq!((&card.request, &card.quality), (&response.request, &response.quality));
    assert_eq!((&card.suite, &card.machine), (&response.suite, &response.machine));
}

fn samples(store: &dyn Store) {
    let mut new = result_of(&["f", "g"], &[1.0, 0.1 + 0.2]);
    fail(&mut new.response.points[1]);
    let id = add(store, &new);
    let runs = |function, x| store.samples(id, function, x).expect("a store can be asked").map(|samples| samples.runs);
    let expected = new.response.points[0].measured().map(|measured| measured.runs.clone());
    assert!(expected.as_ref().is_some_and(|runs| !runs[0].samples.is_empty()));
    assert_eq!(runs("f", 1.0), expected);
    assert_eq!(runs("f", 0.1 + 0.2), expected);
    assert_eq!(runs("g", 1.0), None, "it failed");
    assert_eq!(runs("f", 0.3), None, "another axis value");
    assert_eq!(runs("h", 1.0), None, "another function");
    assert_eq!(store.samples(id + 1, "f", 1.0).expect("a store can be asked"), None, "another result");
}

fn unfit(store: &dyn Store) {
    let good = result("f", &[1.0]);
    let mut infinite = good.clone();
    if let Outcome::Measured(measured) = &mut infinite.response.points[0].outcome {
        measured.summary.sd = f64::INFINITY;
    }
    let refused = [result("f", &[]), result("f", &[0.0, -0.0]), result("f", &[f64::NAN]), infinite];
    for new in &refused {
        assert!(matches!(store.add(new), Err(StoreError::Unfit(_))), "{:?}", new.response.points);
    }
    assert!(ids(store, &Filter { limit: 9, ..Filter::default() }).is_empty());
    assert_eq!(store.functions().expect("a store can be asked"), []);
    add(store, &good);
}

fn forgotten(store: &dyn Store) {
    let new = result("f", &[1.0]);
    let id = add(store, &new);
    assert_eq!(store.count().expect("a store can be asked"), 1);
    store.forget_all().expect("all can be forgotten");
    assert_eq!(store.count().expect("a store can be asked"), 0);
    assert_eq!(answers(store, &question_of(&new)), []);
    assert!(ids(store, &Filter { limit: 9, ..Filter::default() }).is_empty());
    assert_eq!(store.functions().expect("a store can be asked"), []);
    assert_eq!(store.generators(&new.response.suite.name, "f").expect("a store can be asked"), []);
    assert_eq!(store.result(id).expect("a store can be asked"), None);
    assert_eq!(store.samples(id, "f", 1.0).expect("a store can be asked"), None);
    let again = add(store, &new);
    assert_eq!(answers(store, &question_of(&new)), [(1.0, again)]);
    assert_eq!(store.functions().expect("a store can be asked")[0].results, 1);
}
