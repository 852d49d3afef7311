//! The store with as many results as a runner has after years: finding points, and browsing.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use benchbook::rand::{RngExt, SeedableRng};
use benchbook_server::store::{ResultFilter, SqliteStore, Store, StoreError};
use benchbook_store_support::synthetic::{World, fill, query_for};
use benchbook_tests::figures::Figures;
use rustix::time::{ClockId, clock_gettime};

use crate::extent::Extent;

const WORLD: World = World::LARGE;

/// What a look-up and a page may take, in milliseconds, in 99 of 100 cases.
const FIND_MS: f64 = 1.0;
const BROWSE_MS: f64 = 50.0;

/// Results of a page, and the one that tells whether there is another.
const PAGE: u32 = 51;

/// Fills a store, measures and prints; what is not reached.
pub(crate) fn bench(extent: &Extent) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("results.sqlite");
    let store = SqliteStore::open(&path)?;
    eprintln!("filling a store with {} results", extent.results);
    let start = Instant::now();
    fill(&store, WORLD, extent.results)?;
    let bytes = std::fs::metadata(&path)?.len();
    println!("\n## The store, of {} results\n", extent.results);
    println!("{:.2} GB, filled in {:.0} s.\n", bytes as f64 / 1e9, start.elapsed().as_secs_f64());
    println!("| asked {} times | p50, ms | p99 | computing: p50 | p99 | to reach, p99 |", extent.questions);
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let mut measured = Measured { questions: extent.questions, missed: Vec::new() };
    measured.find(&store, extent.results)?;
    measured.browse(&store, extent.results)?;
    Ok(measured.missed)
}

struct Measured {
    questions: usize,
    missed: Vec<String>,
}

impl Measured {
    /// Asks as often as is to be; `ask` says what the asking itself took.
    fn times(
        &mut self,
        name: &str,
        goal: f64,
        mut ask: impl FnMut(&mut benchbook::Rng) -> Result<Took, StoreError>,
    ) -> Result<()> {
        let mut random = benchbook::Rng::seed_from_u64(1);
        let times = (0..self.questions).map(|_| ask(&mut random)).collect::<Result<Vec<Took>, _>>()?;
        let of = |time: fn(&Took) -> Duration| {
            let figures: Figures = times.iter().map(|took| 1e3 * time(took).as_secs_f64()).collect();
            [0.5, 0.99].map(|part| figures.quantile(part))
        };
        let ([median, late], [computed, most]) = (of(|took| took.passed), of(|took| took.computed));
        println!("| {name} | {median:.3} | {late:.3} | {computed:.3} | {most:.3} | {goal} |");
        if late > goal {
            self.missed.push(format!("{name}: {goal} ms"));
        }
        Ok(())
    }

    fn find(&mut self, store: &SqliteStore, results: u64) -> Result<()> {
        let mut found = 0;
        self.times("points that are stored", FIND_MS, |random| {
            let query = query_for(&WORLD.result(random.random_range(0..results)));
            let (took, answer) = timed(|| store.find(&query))?;
            found += usize::from(answer.len() == query.xs.len());
            Ok(took)
        })?;
        ensure!(found > self.questions / 4, "only {found} of what is stored was found");
        self.times("points that may be stored", FIND_MS, |random| {
            let query = WORLD.query(random.random());
            Ok(timed(|| store.find(&query))?.0)
        })
    }

    fn browse(&mut self, store: &SqliteStore, results: u64) -> Result<()> {
        let functions = store.functions()?;
        let function = functions.first().context("it has functions")?;
        let (suite, path) = (function.suite.clone(), function.function.clone());
        let page = ResultFilter { limit: PAGE, ..ResultFilter::default() };
        let of_path = ResultFilter { function: Some(path.clone()), ..page.clone() };
        let of_suite = ResultFilter { suite: Some(suite.clone()), ..of_path.clone() };
        for (name, filter) in [("all", &page), ("of a function", &of_path), ("of a function of one suite", &of_suite)] {
            self.times(&format!("results {name}, the first page"), BROWSE_MS, |_| {
                Ok(timed(|| store.results(filter))?.0)
            })?;
            self.times(&format!("results {name}, any page"), BROWSE_MS, |random| {
                let filter = ResultFilter { before: Some(random.random_range(1..=results)), ..filter.clone() };
                Ok(timed(|| store.results(&filter))?.0)
            })?;
        }
        self.times("one result", BROWSE_MS, |random| {
            let id = random.random_range(1..=results);
            Ok(timed(|| store.result(id))?.0)
        })?;
        self.times("functions", BROWSE_MS, |_| Ok(timed(|| store.functions())?.0))?;
        self.times("generators of a function", BROWSE_MS, |_| Ok(timed(|| store.generators(&suite, &path))?.0))
    }
}

/// What a question took.
#[derive(Clone, Copy, Debug)]
struct Took {
    passed: Duration,
    /// What this thread computed meanwhile: on a busy machine more time passes.
    computed: Duration,
}

fn timed<T>(ask: impl FnOnce() -> Result<T, StoreError>) -> Result<(Took, T), StoreError> {
    let (start, computing) = (Instant::now(), computed());
    let answer = ask()?;
    Ok((Took { passed: start.elapsed(), computed: computed() - computing }, answer))
}

/// What this thread has computed so far.
fn computed() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
