//! Both stores conform to the interface, and return equal results.

use std::fmt::Debug;
use std::sync::Arc;

use benchbook_host::api::{QueueLoad, ResultCard, StoredFunction, StoredGenerator, StoredResult};
use benchbook_host::child::ProcessCounts;
use benchbook_server::metrics::{Metrics, MetricsReading};
use benchbook_server::store::{ObservedStore, PointMatch, PointQuery, ResultFilter, SqliteStore, Store};
use benchbook_store_support::synthetic::{World, query_for};
use benchbook_store_support::{MemoryStore, conformance};
use proptest::prelude::*;
use tempfile::TempDir;

#[test]
fn the_memory_store_conforms() {
    conformance::check(MemoryStore::default);
}

#[test]
fn the_sqlite_store_conforms() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut names = (0..).map(|number| folder.path().join(format!("{number}.db")));
    conformance::check(|| {
        let path = names.next().expect("an infinite range");
        SqliteStore::open(&path).expect("a new database")
    });
}

#[test]
fn an_observed_store_conforms() {
    conformance::check(|| {
        let metrics = Metrics::default().store().clone();
        ObservedStore::new(Arc::new(MemoryStore::default()), metrics).expect("a store in memory can be read")
    });
}

#[test]
fn a_store_records_its_metrics() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("results.db");
    let first = SqliteStore::open(&path).expect("a new database");
    let empty = first.bytes().expect("the file exists");
    first.add(&World::SMALL.result(1)).expect("the result is stored");
    assert!(first.bytes().expect("the file exists") > empty && empty > 0);
    drop(first);

    let metrics = Metrics::default();
    let store = SqliteStore::open(&path).expect("a database opens");
    let store = ObservedStore::new(Arc::new(store), metrics.store().clone()).expect("the database can be read");
    let assert_metrics = |results: u64, added: u64, found: u64| {
        let reading = MetricsReading {
            load: QueueLoad::default(),
            processes: ProcessCounts::default(),
            store_bytes: store.bytes().ok(),
            unreadable_rows: store.unreadable_rows(),
        };
        let text = metrics.encode(&reading);
        for (name, expected) in
            [("results", results), ("store_add_seconds_count", added), ("store_find_seconds_count", found)]
        {
            assert!(text.contains(&format!("benchbook_{name} {expected}\n")), "{name} is not {expected}: {text}");
        }
    };
    assert_metrics(1, 0, 0);
    let mut result = World::SMALL.result(2);
    store.add(&result).expect("the result is stored");
    store.find(&query_for(&result)).expect("the query succeeds");
    assert_metrics(2, 1, 1);
    result.response.points.clear();
    assert!(store.add(&result).is_err());
    assert_metrics(2, 2, 1);
    store.clear().expect("the results can be deleted");
    assert_metrics(0, 2, 1);
}

#[test]
fn results_survive_a_restart() {
    let folder = TempDir::new().expect("a temporary folder");
    // Characters with a meaning in URIs.
    let path = folder.path().join("what?a=name&so#100%.db");
    let result = World::SMALL.result(1);
    let open = || SqliteStore::open(&path).expect("a database opens");
    let id = open().add(&result).expect("the result is stored");
    let stored = open().result(id).expect("the query succeeds").expect("the result is stored");
    assert_eq!(stored.response.request, result.response.request);
    assert!(open().add(&result).expect("the result is stored") > id);
}

/// An operation on both stores.
#[derive(Clone, Debug)]
enum StoreStep {
    Add(u64),
    AddMany(u64),
    Find(u64),
    FindResult(u64),
    Browse(ResultFilter),
    Result(u64),
    Reopen,
    Clear,
}

fn step() -> impl Strategy<Value = StoreStep> {
    let seed = 0..200_u64;
    prop_oneof![
        12 => seed.clone().prop_map(StoreStep::Add),
        4 => seed.clone().prop_map(StoreStep::AddMany),
        12 => any::<u64>().prop_map(StoreStep::Find),
        6 => seed.prop_map(StoreStep::FindResult),
        6 => filter().prop_map(StoreStep::Browse),
        6 => (0..60_u64).prop_map(StoreStep::Result),
        1 => Just(StoreStep::Reopen),
        1 => Just(StoreStep::Clear),
    ]
}

fn filter() -> impl Strategy<Value = ResultFilter> {
    let name =
        |of: &'static str, count: u32| prop::option::of((0..count).prop_map(move |index| format!("{of}{index}")));
    let before = prop::option::of(0..60_u64);
    (name("sorting::sort_", 4), name("sorting::keys_", 3), name("suite-", 3), before, 0..10_u32).prop_map(
        |(function, generator, suite, before, limit)| ResultFilter { function, generator, suite, before, limit },
    )
}

#[test]
fn both_stores_return_equal_results() {
    compare_stores(16);
}

#[test]
#[ignore = "nightly: more operations"]
fn both_stores_return_equal_results_of_many_operations() {
    compare_stores(500);
}

fn compare_stores(cases: u32) {
    proptest!(ProptestConfig::with_cases(cases), |(steps in prop::collection::vec(step(), 1..60))| {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("results.db");
        let mut sqlite = Some(SqliteStore::open(&path).expect("a new database"));
        let memory = MemoryStore::default();
        for step in steps {
            if matches!(step, StoreStep::Reopen) {
                drop(sqlite.take());
                sqlite = Some(SqliteStore::open(&path).expect("a database opens again"));
            }
            let sqlite = sqlite.as_ref().expect("an open store");
            prop_assert_eq!(execute(sqlite, &step), execute(&memory, &step), "{:?}", step);
            if let StoreStep::AddMany(seed) = step {
                let results: Vec<_> = (seed..seed + 5).map(|seed| World::SMALL.result(seed)).collect();
                let one_by_one: Vec<u64> = results.iter().map(|one| memory.add(one).expect("the result is stored")).collect();
                prop_assert_eq!(sqlite.add_all(&results).expect("the results are stored"), one_by_one);
            }
        }
        for step in [StoreStep::Browse(ResultFilter { limit: 1_000, ..ResultFilter::default() }), StoreStep::Result(1)] {
            prop_assert_eq!(execute(sqlite.as_ref().expect("an open store"), &step), execute(&memory, &step));
        }
    });
}

/// Runs an operation and returns its results without times.
fn execute(store: &dyn Store, step: &StoreStep) -> Vec<String> {
    let world = World::SMALL;
    match step {
        StoreStep::Add(seed) => lines([store.add(&world.result(*seed)).expect("the result is stored")]),
        StoreStep::Find(seed) => matches(store, &world.query(*seed)),
        StoreStep::FindResult(seed) => matches(store, &query_for(&world.result(*seed))),
        StoreStep::Browse(filter) => {
            let timeless = |card| ResultCard { stored: 0, ..card };
            let mut results = lines(store.results(filter).expect("the query succeeds").into_iter().map(timeless));
            for function in store.functions().expect("the query succeeds") {
                let StoredFunction { suite, function: path, .. } = &function;
                let generators = store.generators(suite, path).expect("the query succeeds").into_iter();
                results.extend(lines(generators.map(|generator| StoredGenerator { newest: 0, ..generator })));
                results.extend(lines([StoredFunction { newest: 0, ..function }]));
            }
            results
        }
        StoreStep::Result(id) => {
            let Some(result) = store.result(*id).expect("the query succeeds") else { return Vec::new() };
            let samples = |point: &benchbook_host::response::Point| {
                store.samples(*id, &point.function, &point.x).expect("the query succeeds")
            };
            let mut results = lines(result.response.points.iter().map(samples));
            results.extend(lines([StoredResult { stored: 0, ..result }]));
            results
        }
        StoreStep::Clear => lines([store.clear().expect("all results can be deleted")]),
        StoreStep::AddMany(_) | StoreStep::Reopen => Vec::new(),
    }
}

fn matches(store: &dyn Store, query: &PointQuery) -> Vec<String> {
    let found = store.find(query).expect("the query succeeds").into_iter();
    lines(found.map(|found| PointMatch { stored: 0, ..found }))
}

fn lines<T: Debug>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| format!("{value:?}")).collect()
}
