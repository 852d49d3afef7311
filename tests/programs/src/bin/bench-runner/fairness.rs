//! The time to the first point of a request at priority 1, while many other requests wait.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use benchbook_contract::parameter::Range;
use benchbook_host::api::{Event, QueueLoad, STREAM};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_programs::figures::Figures;
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;
use reqwest::{Client, Response};

use crate::cores::Cores;
use crate::extent::Extent;

/// The requests of others.
const OTHERS: u64 = 200;

/// The longest time to the first point, in seconds, in addition to a turn of the measurement in progress.
const GOAL_S: f64 = 3.0;

/// The longest turn at the default qualities, in seconds: a process's share of an axis value at priority 4.
const TURN_S: f64 = 2.0;

/// The requests that wait.
struct Others {
    name: &'static str,
    /// Whether each has a client of its own.
    separate: bool,
    priorities: &'static [u8],
    /// The last part of the loopback address of the client that requests a first curve; the others use 1.
    address: u8,
}

const CASES: [Others; 3] = [
    Others { name: "one client", separate: false, priorities: &[1, 2, 3, 4], address: 1 },
    Others { name: "200 clients of another address", separate: true, priorities: &[1, 2, 3, 4], address: 2 },
    Others {
        name: "200 clients of the same address, priorities 2 to 4",
        separate: true,
        priorities: &[2, 3, 4],
        address: 1,
    },
];

/// Measures and prints, and returns the missed goals.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let suite = native("ladder")?;
    cores.use_serving()?;
    println!("\n## First point while {OTHERS} other requests wait\n");
    println!("| their clients | median, s | longest |");
    println!("| --- | ---: | ---: |");
    let mut missed = Vec::new();
    for case in &CASES {
        let core = cores.measuring.to_string();
        let runner = RunnerProgram::start(&[&suite], &["--core", &core])?;
        let crowd = client_at(1)?;
        let mut streams = Vec::new();
        for seed in 0..OTHERS {
            let client = if case.separate { format!("client {seed}") } else { "greedy".to_owned() };
            let priority = case.priorities[seed as usize % case.priorities.len()];
            streams.push(send(&runner, &crowd, &ladder(&runner, &client, seed, priority).await?).await?);
        }
        let own = client_at(case.address)?;
        let mut times = Vec::new();
        for attempt in 0..extent.kernels as u64 {
            times.push(first_point(&runner, &own, OTHERS + attempt).await?.as_secs_f64());
        }
        let load: QueueLoad = runner.get("queue").send().await?.error_for_status()?.json().await?;
        if u64::from(load.waiting) < OTHERS / 4 {
            bail!("only {} requests are still waiting", load.waiting);
        }
        let figures: Figures = times.into_iter().collect();
        let longest = figures.quantile(1.0);
        println!("| {} | {:.2} | {longest:.2} |", case.name, figures.quantile(0.5));
        if longest > GOAL_S + TURN_S {
            missed.push(format!("the first point with {} within {} s", case.name, GOAL_S + TURN_S));
        }
    }
    println!("\nGoal: at most {GOAL_S} s and a turn of the measurement in progress, {TURN_S} s.");
    Ok(missed)
}

fn client_at(number: u8) -> Result<Client> {
    Ok(Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, number))).build()?)
}

/// A request that differs from all with another seed.
async fn ladder(runner: &RunnerProgram, client: &str, seed: u64, priority: u8) -> Result<Request> {
    let catalog: benchbook_host::api::RunnerCatalog = runner.get("catalog").send().await?.json().await?;
    let suite = &catalog.suites.first().context("the runner has a suite")?.suite;
    let function = suite.function("rungs::one").context("the suite has rungs::one")?;
    let generator = suite.generator(&function.generators[0]).context("the function has a generator")?;
    let numeric = generator.default_axis().and_then(|axis| axis.numeric()).context("the generator has an axis")?;
    let Range { low, high } = numeric.default_range();
    let priority = Priority::try_from(priority).map_err(anyhow::Error::msg)?;
    let request = request(suite, &["rungs::one"], generator, Range { low, high });
    Ok(Request { client: client.to_owned(), seed: Some(seed), priority, ..request })
}

async fn send(runner: &RunnerProgram, from: &Client, request: &Request) -> Result<Response> {
    let url = format!("{}/api/v1/measure", runner.url());
    Ok(from.post(url).header("accept", STREAM).json(request).send().await?.error_for_status()?)
}

/// The time from a request at priority 1 to its first point.
async fn first_point(runner: &RunnerProgram, from: &Client, seed: u64) -> Result<Duration> {
    let request = ladder(runner, "well-behaved", seed, 1).await?;
    let start = Instant::now();
    let mut response = send(runner, from, &request).await?;
    let mut lines = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        lines.extend(chunk);
        let complete = lines.split(|byte| *byte == b'\n').rev().skip(1);
        if complete
            .filter_map(|line| serde_json::from_slice(line).ok())
            .any(|event| matches!(event, Event::Point { .. }))
        {
            return Ok(start.elapsed());
        }
    }
    bail!("the stream has no point")
}
