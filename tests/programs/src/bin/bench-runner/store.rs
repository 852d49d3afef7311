//! A store with the results of years: lookups and browsing.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use benchbook_programs::figures::Figures;
use benchbook_server::store::{ResultFilter, SqliteStore, Store, StoreError};
use benchbook_store_support::synthetic::{World, fill, query_for};
use rand::{RngExt, SeedableRng};
use rustix::time::{ClockId, clock_gettime};

use crate::extent::Extent;

const WORLD: World = World::LARGE;

/// The longest 99th percentiles of a lookup and of a page, in milliseconds.
const FIND_MS: f64 = 1.0;
const BROWSE_MS: f64 = 50.0;

/// The results of a page, and one more that shows whether there is another page.
const PAGE: u32 = 51;

/// Fills a store, measures and prints, and returns the missed goals.
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
    println!("| {} queries each | p50, ms | p99 | CPU time: p50 | p99 | goal, p99 |", extent.queries);
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let mut bench = StoreBench { queries: extent.queries, missed: Vec::new() };
    bench.find(&store, extent.results)?;
    bench.browse(&store, extent.results)?;
    Ok(bench.missed)
}

struct StoreBench {
    queries: usize,
    missed: Vec<String>,
}

impl StoreBench {
    /// Repeats a query, which returns its own duration, and prints the percentiles.
    fn times(
        &mut self,
        name: &str,
        goal: f64,
        mut query: impl FnMut(&mut benchbook_contract::rng::Rng) -> Result<QueryTime, StoreError>,
    ) -> Result<()> {
        let mut random = benchbook_contract::rng::Rng::seed_from_u64(1);
        let times = (0..self.queries).map(|_| query(&mut random)).collect::<Result<Vec<QueryTime>, _>>()?;
        let of = |time: fn(&QueryTime) -> Duration| {
            let figures: Figures = times.iter().map(|query| 1e3 * time(query).as_secs_f64()).collect();
            [0.5, 0.99].map(|part| figures.quantile(part))
        };
        let ([median, late], [computed, most]) = (of(|query| query.elapsed), of(|query| query.cpu));
        println!("| {name} | {median:.3} | {late:.3} | {computed:.3} | {most:.3} | {goal} |");
        if late > goal {
            self.missed.push(format!("{name}: {goal} ms"));
        }
        Ok(())
    }

    fn find(&mut self, store: &SqliteStore, results: u64) -> Result<()> {
        let mut found = 0;
        self.times("stored points", FIND_MS, |random| {
            let question = query_for(&WORLD.result(random.random_range(0..results)));
            let (time, points) = timed(|| store.find(&question))?;
            found += usize::from(points.len() == question.xs.len());
            Ok(time)
        })?;
        ensure!(found > self.queries / 4, "only {found} of the queries found all stored points");
        self.times("random points", FIND_MS, |random| {
            let question = WORLD.query(random.random());
            Ok(timed(|| store.find(&question))?.0)
        })
    }

    fn browse(&mut self, store: &SqliteStore, results: u64) -> Result<()> {
        let functions = store.functions()?;
        let function = functions.first().context("the store has no functions")?;
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

/// The duration of a query.
#[derive(Clone, Copy, Debug)]
struct QueryTime {
    elapsed: Duration,
    /// The CPU time of this thread, which excludes interference by other programs.
    cpu: Duration,
}

fn timed<T>(query: impl FnOnce() -> Result<T, StoreError>) -> Result<(QueryTime, T), StoreError> {
    let (start, cpu_start) = (Instant::now(), cpu_time());
    let result = query()?;
    Ok((QueryTime { elapsed: start.elapsed(), cpu: cpu_time() - cpu_start }, result))
}

/// The CPU time of this thread so far.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
