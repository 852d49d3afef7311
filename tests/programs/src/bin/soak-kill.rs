//! Kills a busy runner repeatedly, and checks that every acknowledged result is stored. Run it with `cargo xtask soak kill`.
//! The arguments are the number of cycles and the seed.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::parameter::Range;
use benchbook_host::api::{MeasureResponse, RunnerCatalog, StoredResult, StoredResults, StoredSamples};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::fixture;
use rand::RngExt;
use rand::SeedableRng;
use rusqlite::{Connection, OpenFlags};

/// Concurrent clients.
const CLIENTS: usize = 8;

/// The longest time from the start of a runner to its kill, in milliseconds.
const LIFE_MS: u64 = 600;

/// The number of kills between two checks of all acknowledged results.
const CYCLES_PER_CHECK: usize = 25;

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

/// The acknowledged results: their points, by the number of the result.
type Acknowledged = BTreeMap<u64, Vec<Point>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let cycles: usize = arguments
        .next()
        .context("the number of cycles is missing")?
        .parse()
        .context("failed to parse the number of cycles")?;
    let seed: u64 = arguments.next().context("the seed is missing")?.parse().context("failed to parse the seed")?;
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
    let started_at = Instant::now();
    for cycle in 1..=cycles {
        let mut runner = start(&database).with_context(|| format!("failed to start after {} kills", cycle - 1))?;
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (url, acknowledged, seed) = (runner.url().to_owned(), Arc::clone(&acknowledged), random.random());
                tokio::spawn(async move { send_requests(&url, client, seed, &acknowledged).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(0..LIFE_MS))).await;
        runner.kill()?;
        for client in clients {
            client.await??;
        }
        check_file(&database)?;
        if cycle % CYCLES_PER_CHECK == 0 || cycle == cycles {
            let runner = start(&database)?;
            let known = acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone();
            check_results(&runner, &known).await?;
            ensure!(!known.is_empty(), "no result was acknowledged in {cycle} cycles: the test is inconclusive");
            println!(
                "{cycle} kills: all {} acknowledged results are stored; {} s",
                known.len(),
                started_at.elapsed().as_secs()
            );
        }
    }
    Ok(())
}

/// Sends one request after the other until the runner is killed, and records the acknowledged results.
async fn send_requests(url: &str, client: usize, seed: u64, acknowledged: &Mutex<Acknowledged>) -> Result<()> {
    let http = reqwest::Client::new();
    let mut random = benchbook_contract::rng::Rng::seed_from_u64(seed);
    let catalog = match http.get(format!("{url}/api/v1/catalog")).send().await {
        Ok(response) => response.json::<RunnerCatalog>().await,
        Err(error) => Err(error),
    };
    let Ok(catalog) = catalog else { return Ok(()) };
    let suite = &catalog.suites[0].suite;
    let function = suite.function("rungs::one").context("the suite has no rungs::one")?;
    let generator = suite.generator(&function.generators[0]).context("the function has no generator")?;
    let numeric = generator.default_axis().and_then(|axis| axis.numeric()).context("the generator has no axis")?;
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
        // A failed connection means that the result was not acknowledged.
        let Ok(response) = http.post(format!("{url}/api/v1/measure")).json(&request).send().await else {
            return Ok(());
        };
        let status = response.status();
        let Ok(text) = response.text().await else { return Ok(()) };
        ensure!(status.is_success(), "the runner responds {status}: {text}");
        let response: MeasureResponse = serde_json::from_str(&text)?;
        let &[result] = &response.results[..] else { bail!("one result was expected: {:?}", response.results) };
        let duplicate = acknowledged.lock().unwrap_or_else(PoisonError::into_inner).insert(result, response.points);
        ensure!(duplicate.is_none(), "result {result} was acknowledged twice");
    }
}

/// Checks a copy of the files that the runner left: opening the originals would repair them instead of the next runner.
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

/// Checks that every acknowledged result is stored, completely and once.
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
    // Each request had a different seed.
    let all = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    ensure!(seeds.len() == all, "a result was stored twice");
    for (id, points) in acknowledged {
        ensure!(listed.binary_search(id).is_ok(), "result {id} was acknowledged, but is lost");
        let stored: StoredResult = runner.get(&format!("results/{id}")).send().await?.json().await?;
        ensure!(stored.response.points.len() == points.len(), "result {id} has other points");
        for (acknowledged, stored) in points.iter().zip(&stored.response.points) {
            let acknowledged = acknowledged.measured().context("the acknowledged point failed")?;
            let stored = stored.measured().context("the stored point failed")?;
            ensure!(acknowledged.summary == stored.summary, "result {id} has other figures");
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
