//! Cached responses: the requests per second of the runner, compared with a bare axum route that serves the same bytes.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use benchbook_host::api::{ROOT, RunnerCatalog};
use benchbook_host::request::Request;
use benchbook_programs::figures::Figures;
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;

use crate::bare::BareServer;
use crate::connections::{Connections, Round};
use crate::cores::Cores;
use crate::extent::Extent;
use crate::rounds::Ratio;

/// The goal for the runner's rate of cached responses, relative to the bare route's. The rest pays for the guard, the CORS and
/// token layers, parsing the request, and the cache's key.
const GOAL: f64 = 0.5;

/// The function of the request.
const FUNCTION: &str = "sorting::sort_unstable";

/// The numbers of concurrent connections.
const CONNECTIONS: [usize; 2] = [1, 16];

/// Measures and prints, and returns the missed goals.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    println!("\n## Cached responses\n");
    println!(
        "| response | connections | runner, requests/s | bare route | ratio | 95% | runner, p50 / p99 ms | bare route |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let demo = native("demo")?;
    let runner = RunnerProgram::start(&[&demo], &["--core", &cores.measuring.to_string()])?;
    let mut missed = Vec::new();
    let case = Case::new(&runner, serde_json::to_string(&first_request(&runner).await?)?, cores).await?;
    for connections in CONNECTIONS {
        if case.compare(connections, extent, cores).await?.value < GOAL {
            missed.push(format!("cached responses over {connections} connections: {GOAL} of the bare route's rate"));
        }
    }
    println!("\nGoal: {GOAL} of the bare route's rate.");
    Ok(missed)
}

/// The page's first request, at priority 1.
async fn first_request(runner: &RunnerProgram) -> Result<Request> {
    let catalog: RunnerCatalog = runner.get("catalog").send().await?.error_for_status()?.json().await?;
    let suite = &catalog.suites.first().context("the runner has no suite")?.suite;
    let function = suite.function(FUNCTION).with_context(|| format!("the suite has no {FUNCTION}"))?;
    let generator = suite.generator(&function.generators[0]).context("the function has no generator")?;
    let range =
        generator.default_axis().and_then(|axis| axis.numeric()).context("the generator has no axis")?.default_range();
    Ok(request(suite, &[FUNCTION], generator, range))
}

/// A request with a stored response, and the two servers.
struct Case {
    body: String,
    response: Vec<u8>,
    runner: SocketAddr,
    bare: BareServer,
}

impl Case {
    async fn new(runner: &RunnerProgram, body: String, cores: &Cores) -> Result<Self> {
        let send = async || {
            anyhow::Ok(runner.post("measure").body(body.clone()).send().await?.error_for_status()?.bytes().await?)
        };
        // The first request measures; the second response is cached like all that follow.
        send().await?;
        let response = send().await?.to_vec();
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), &response)?;
        let bare = BareServer::start(file.path(), cores.measuring)?;
        let runner = runner.url().trim_start_matches("http://").parse()?;
        Ok(Self { body, response, runner, bare })
    }

    /// Sends requests to both in rounds, and prints the rates.
    async fn compare(&self, connections: usize, extent: &Extent, cores: &Cores) -> Result<Ratio> {
        cores.use_measuring()?;
        let Self { body, response, .. } = self;
        let measure = format!("{ROOT}/measure");
        let mut runner = Connections::open(self.runner, &measure, body, response, connections).await?;
        let mut bare = Connections::open(self.bare.address, "/", body, response, connections).await?;
        // Warm-up.
        runner.send(extent.requests).await?;
        bare.send(extent.requests).await?;
        let (mut of_runner, mut of_bare) = (Vec::new(), Vec::new());
        for round in 0..extent.rounds {
            // The order runner, bare, bare, runner cancels a drift.
            if round % 2 == 0 {
                of_runner.push(runner.send(extent.requests).await?);
                of_bare.push(bare.send(extent.requests).await?);
            } else {
                of_bare.push(bare.send(extent.requests).await?);
                of_runner.push(runner.send(extent.requests).await?);
            }
        }
        let ratios: Vec<f64> = of_runner.iter().zip(&of_bare).map(|(runner, bare)| runner.rate / bare.rate).collect();
        let ratio = Ratio::of(&ratios)?;
        let rate = |rounds: &[Round]| rounds.iter().map(|round| round.rate).collect::<Figures>().quantile(0.5);
        let latency = |rounds: &[Round]| {
            let all: Figures = rounds.iter().flat_map(|round| round.latencies.iter().copied()).collect();
            format!("{:.3} / {:.3}", all.quantile(0.5), all.quantile(0.99))
        };
        println!(
            "| {} | {connections} | {:.0} | {:.0} | {:.3} | {:.3} to {:.3} | {} | {} |",
            size(response.len()),
            rate(&of_runner),
            rate(&of_bare),
            ratio.value,
            ratio.interval.low,
            ratio.interval.high,
            latency(&of_runner),
            latency(&of_bare)
        );
        Ok(ratio)
    }
}

fn size(bytes: usize) -> String {
    format!("{:.1} KiB", bytes as f64 / 1024.0)
}
