//! Kills a runner again and again, without a warning and in the middle of its work, and looks whether it lost anything
//! that it had acknowledged. `cargo xtask soak kill` runs it; the arguments are the number of cycles and the seed.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::parameter::Range;
use benchbook_host::api::{Catalog, MeasureResponse, StoredResult, StoredResults, StoredSamples};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::fixture;
use rand::RngExt;
use rand::SeedableRng;
use rusqlite::{Connection, OpenFlags};

/// Clients that ask at the same time.
const CLIENTS: usize = 8;

/// A runner lives for up to so many milliseconds after it listens.
const LIFE_MS: u64 = 600;

/// Between two looks at all that was ever acknowledged.
const WHOLE: usize = 25;

/// Priorities that take milliseconds.
const CONFIG: &str = "\
[[qualities]]
points = 3
precision = 0.5
point_ms = 2
warm_up = { at_least = 1, at_most = 5, ms = 1 }
samples = { at_least = 4, at_most = 40 }
processes = 1
";

/// What was acknowledged: the points of each result, as they were told.
type Acknowledged = BTreeMap<u64, Vec<Point>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let cycles: usize = arguments.next().context("how many cycles?")?.parse().context("the number of cycles")?;
    let seed: u64 = arguments.next().context("which seed?")?.parse().context("the seed")?;
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("results.sqlite");
    let config = folder.path().join("benchbook.toml");
    std::fs::write(&config, CONFIG.repeat(4))?;
    let suite = fixture("ladder")?.program;
    let start = |database: &Path| {
        RunnerProgram::start_at(database, &[&suite], &["--config", &config.to_string_lossy(), "--log-level", "error"])
    };
    let mut random = benchbook_contract::rng::Rng::seed_from_u64(seed);
    let acknowledged = Arc::new(Mutex::new(Acknowledged::new()));
    let began = Instant::now();
    for cycle in 1..=cycles {
        let mut runner = start(&database).with_context(|| format!("starting after {} kills", cycle - 1))?;
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (url, acknowledged, seed) = (runner.url().to_owned(), Arc::clone(&acknowledged), random.random());
                tokio::spawn(async move { ask(&url, client, seed, &acknowledged).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(0..LIFE_MS))).await;
        runner.kill()?;
        for client in clients {
            client.await??;
        }
        check_file(&database)?;
        if cycle % WHOLE == 0 || cycle == cycles {
            let runner = start(&database)?;
            let known = acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone();
            check_results(&runner, &known).await?;
            ensure!(!known.is_empty(), "nothing was acknowledged in {cycle} cycles: that tells nothing");
            println!(
                "{cycle} kills: all of {} acknowledged results are there; {} s",
                known.len(),
                began.elapsed().as_secs()
            );
        }
    }
    Ok(())
}

/// Asks one thing after the other until the runner is gone, and remembers what it acknowledged.
async fn ask(url: &str, client: usize, seed: u64, acknowledged: &Mutex<Acknowledged>) -> Result<()> {
    let http = reqwest::Client::new();
    let mut random = benchbook_contract::rng::Rng::seed_from_u64(seed);
    let catalog = match http.get(format!("{url}/api/v1/catalog")).send().await {
        Ok(answer) => answer.json::<Catalog>().await,
        Err(error) => Err(error),
    };
    let Ok(catalog) = catalog else { return Ok(()) };
    let suite = &catalog.suites[0].suite;
    let function = suite.function("rungs::one").context("there is rungs::one")?;
    let generator = suite.generator(&function.generators[0]).context("there is its generator")?;
    let numeric = generator.default_axis().and_then(|axis| axis.numeric()).context("it has an axis")?;
    let step = numeric.step.unwrap_or(1.0);
    loop {
        let low = numeric.min + step * random.random_range(0..4_u32) as f64;
        let range = Range { low, high: low + 4.0 * step };
        let request = Request {
            client: format!("soak-{client}"),
            seed: Some(random.random_range(0..1 << 40)),
            priority: Priority::FIRST,
            ..request(suite, &["rungs::one"], generator, range)
        };
        // Whatever goes wrong on the way, nothing was acknowledged.
        let Ok(answer) = http.post(format!("{url}/api/v1/measure")).json(&request).send().await else { return Ok(()) };
        let status = answer.status();
        let Ok(text) = answer.text().await else { return Ok(()) };
        ensure!(status.is_success(), "the runner answers {status}: {text}");
        let answer: MeasureResponse = serde_json::from_str(&text)?;
        let &[result] = &answer.results[..] else { bail!("one result was expected: {:?}", answer.results) };
        let doubled = acknowledged.lock().unwrap_or_else(PoisonError::into_inner).insert(result, answer.points);
        ensure!(doubled.is_none(), "result {result} was acknowledged twice");
    }
}

/// Looks at a copy of the files as they were left: to open them would mend them, and that is the next runner's part.
fn check_file(database: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("copy.sqlite");
    for end in ["", "-wal"] {
        let left = PathBuf::from(format!("{}{end}", database.display()));
        if left.exists() {
            std::fs::copy(&left, format!("{}{end}", copy.display()))?;
        }
    }
    let connection = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let integrity: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    ensure!(integrity == "ok", "the database is damaged: {integrity}");
    Ok(())
}

/// Every acknowledged result is there, whole and once.
async fn check_results(runner: &RunnerProgram, acknowledged: &Acknowledged) -> Result<()> {
    let (mut listed, mut seeds) = (Vec::new(), Vec::new());
    let mut before = None;
    loop {
        let page = before.map_or_else(String::new, |before: u64| format!("&before={before}"));
        let list: StoredResults = runner.get(&format!("results?limit=500{page}")).send().await?.json().await?;
        listed.extend(list.results.iter().map(|card| card.id));
        seeds.extend(list.results.iter().map(|card| card.request.seed));
        before = list.next;
        if before.is_none() {
            break;
        }
    }
    listed.sort_unstable();
    // Each request had a seed of its own.
    let all = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    ensure!(seeds.len() == all, "a result was stored twice");
    for (id, points) in acknowledged {
        ensure!(listed.binary_search(id).is_ok(), "result {id} was acknowledged, and is lost");
        let stored: StoredResult = runner.get(&format!("results/{id}")).send().await?.json().await?;
        ensure!(stored.response.points.len() == points.len(), "result {id} has other points");
        for (told, kept) in points.iter().zip(&stored.response.points) {
            let (told, kept) =
                (told.measured().context("it was measured")?, kept.measured().context("it is measured")?);
            ensure!(told.summary == kept.summary, "result {id} has other figures");
        }
        let point = &points[*id as usize % points.len()];
        let address = format!("results/{id}/samples?function={}&x={}", point.function, point.x);
        let samples: StoredSamples = runner.get(&address).send().await?.json().await?;
        ensure!(
            Some(&samples.runs) == point.measured().map(|measured| &measured.runs),
            "result {id} has other samples"
        );
    }
    Ok(())
}
