//! Both stores keep what a store promises, and answer alike.

use std::fmt::Debug;

use benchbook_host::api::{ResultCard, StoredFunction, StoredGenerator, StoredResult};
use benchbook_server::store::synthetic::{World, question_of};
use benchbook_server::store::{Filter, MemoryStore, SqliteStore, Store, conformance};
use proptest::prelude::*;
use tempfile::TempDir;

#[test]
fn the_store_in_memory_conforms() {
    conformance::hold(MemoryStore::default);
}

#[test]
fn the_store_in_sqlite_conforms() {
    let folder = TempDir::new().expect("a folder can be made");
    let mut names = (0..).map(|number| folder.path().join(format!("{number}.db")));
    conformance::hold(|| {
        let path = names.next().expect("numbers do not end");
        SqliteStore::open(&path).expect("a database can be made")
    });
}

#[test]
fn results_are_there_after_the_runner_started_again() {
    let folder = TempDir::new().expect("a folder can be made");
    // What a name of a link would have to escape.
    let path = folder.path().join("what?a=name&so#100%.db");
    let result = World::SMALL.result(1);
    let open = || SqliteStore::open(&path).expect("a database opens");
    let id = open().add(&result).expect("it is stored");
    let stored = open().result(id).expect("it can be read").expect("it is there");
    assert_eq!(stored.response.request, result.response.request);
    assert!(open().add(&result).expect("it is stored") > id);
}

/// What is asked of both stores.
#[derive(Clone, Debug)]
enum Step {
    Add(u64),
    AddMany(u64),
    Find(u64),
    FindResult(u64),
    Browse(Filter),
    Result(u64),
    Reopen,
    ForgetAll,
}

fn step() -> impl Strategy<Value = Step> {
    let seed = 0..200_u64;
    prop_oneof![
        12 => seed.clone().prop_map(Step::Add),
        4 => seed.clone().prop_map(Step::AddMany),
        12 => any::<u64>().prop_map(Step::Find),
        6 => seed.prop_map(Step::FindResult),
        6 => filter().prop_map(Step::Browse),
        6 => (0..60_u64).prop_map(Step::Result),
        1 => Just(Step::Reopen),
        1 => Just(Step::ForgetAll),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    let name =
        |of: &'static str, count: u32| prop::option::of((0..count).prop_map(move |index| format!("{of}{index}")));
    let before = prop::option::of(0..60_u64);
    (name("sorting::sort_", 4), name("sorting::keys_", 3), name("suite-", 3), before, 0..10_u32)
        .prop_map(|(function, generator, suite, before, limit)| Filter { function, generator, suite, before, limit })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_stores_answer_alike(steps in prop::collection::vec(step(), 1..60)) {
        let folder = TempDir::new().expect("a folder can be made");
        let path = folder.path().join("results.db");
        let mut sqlite = Some(SqliteStore::open(&path).expect("a database can be made"));
        let memory = MemoryStore::default();
        for step in steps {
            if matches!(step, Step::Reopen) {
                drop(sqlite.take());
                sqlite = Some(SqliteStore::open(&path).expect("a database opens again"));
            }
            let sqlite = sqlite.as_ref().expect("it was opened");
            prop_assert_eq!(play(sqlite, &step), play(&memory, &step), "{:?}", step);
            if let Step::AddMany(seed) = step {
                let results: Vec<_> = (seed..seed + 5).map(|seed| World::SMALL.result(seed)).collect();
                let one_by_one: Vec<u64> = results.iter().map(|one| memory.add(one).expect("it is stored")).collect();
                prop_assert_eq!(sqlite.add_all(&results).expect("they are stored"), one_by_one);
            }
        }
        for step in [Step::Browse(Filter { limit: 1_000, ..Filter::default() }), Step::Result(1)] {
            prop_assert_eq!(play(sqlite.as_ref().expect("it was opened"), &step), play(&memory, &step));
        }
    }
}

/// What a store answers, the times of storing left out.
fn play(store: &dyn Store, step: &Step) -> Vec<String> {
    let world = World::SMALL;
    match step {
        Step::Add(seed) => lines([store.add(&world.result(*seed)).expect("it is stored")]),
        Step::Find(seed) => lines(store.find(&world.question(*seed)).expect("it can be asked")),
        Step::FindResult(seed) => lines(store.find(&question_of(&world.result(*seed))).expect("it can be asked")),
        Step::Browse(filter) => {
            let timeless = |card| ResultCard { stored: 0, ..card };
            let mut answer = lines(store.results(filter).expect("it can be asked").into_iter().map(timeless));
            for function in store.functions().expect("it can be asked") {
                let StoredFunction { suite, function: path, .. } = &function;
                let generators = store.generators(suite, path).expect("it can be asked").into_iter();
                answer.extend(lines(generators.map(|generator| StoredGenerator { newest: 0, ..generator })));
                answer.extend(lines([StoredFunction { newest: 0, ..function }]));
            }
            answer
        }
        Step::Result(id) => {
            let Some(result) = store.result(*id).expect("it can be asked") else { return Vec::new() };
            let samples = |point: &benchbook_host::response::Point| {
                store.samples(*id, &point.function, point.x).expect("it can be asked")
            };
            let mut answer = lines(result.response.points.iter().map(samples));
            answer.extend(lines([StoredResult { stored: 0, ..result }]));
            answer
        }
        Step::ForgetAll => lines([store.forget_all().expect("all can be forgotten")]),
        Step::AddMany(_) | Step::Reopen => Vec::new(),
    }
}

fn lines<T: Debug>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| format!("{value:?}")).collect()
}
