//! The rate of cached responses, compared with a bare axum route that serves the same bytes.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use benchbook::api::{Catalog, ROOT};
use benchbook::request::Request;
use benchbook_tests::figures::Figures;
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;

use crate::asking::Askers;
use crate::bare::Bare;
use crate::cores::Cores;
use crate::extent::Extent;
use crate::rounds::Ratio;

/// The goal for the runner's rate of cached responses, relative to the bare route's. The rest pays for the guard, the CORS and
/// token layers, parsing the request, and the cache's key.
const GOAL: f64 = 0.5;

/// The function, with which the page begins.
const FUNCTION: &str = "sorting::sort_unstable";

/// Connections that ask at the same time.
const CONNECTIONS: [usize; 2] = [1, 16];

/// Measures and prints; what is not reached.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    println!("\n## Cached responses\n");
    println!(
        "| response | connections | runner, responses/s | bare route | ratio | 95 % | runner, p50 / p99 ms | bare route |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let demo = native("demo")?;
    let runner = RunnerProgram::start(&[&demo], &["--core", &cores.measuring.to_string()])?;
    let mut missed = Vec::new();
    let case = Case::new(&runner, serde_json::to_string(&a_request(&runner).await?)?, cores).await?;
    for connections in CONNECTIONS {
        if case.compare(connections, extent, cores).await?.value < GOAL {
            missed.push(format!("cached responses over {connections} connections: {GOAL} of the bare route's rate"));
        }
    }
    println!("\nGoal: {GOAL} of the bare route's rate.");
    Ok(missed)
}

/// What the page asks first, at priority 1.
async fn a_request(runner: &RunnerProgram) -> Result<Request> {
    let catalog: Catalog = runner.get("catalog").send().await?.error_for_status()?.json().await?;
    let suite = &catalog.suites.first().context("it has the demo suite")?.suite;
    let function = suite.function(FUNCTION).with_context(|| format!("there is no {FUNCTION}"))?;
    let generator = suite.generator(&function.generators[0]).context("the generator is in the catalog")?;
    let range = generator.default_axis().and_then(|axis| axis.numeric()).context("it has an axis")?.default_range();
    Ok(request(suite, &[FUNCTION], generator, range))
}

/// A request whose answer is stored, and both who answer it.
struct Case {
    body: String,
    answer: Vec<u8>,
    runner: SocketAddr,
    bare: Bare,
}

impl Case {
    async fn new(runner: &RunnerProgram, body: String, cores: &Cores) -> Result<Self> {
        let ask = async || {
            anyhow::Ok(runner.post("measure").body(body.clone()).send().await?.error_for_status()?.bytes().await?)
        };
        // The first is measured; the second is as all that follow.
        ask().await?;
        let answer = ask().await?.to_vec();
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), &answer)?;
        let bare = Bare::start(file.path(), cores.measuring)?;
        let runner = runner.url().trim_start_matches("http://").parse()?;
        Ok(Self { body, answer, runner, bare })
    }

    /// Has both answer in rounds, and prints what came of it.
    async fn compare(&self, connections: usize, extent: &Extent, cores: &Cores) -> Result<Ratio> {
        cores.use_measuring()?;
        let Self { body, answer, .. } = self;
        let measure = format!("{ROOT}/measure");
        let mut runner = Askers::connect(self.runner, &measure, body, answer, connections).await?;
        let mut bare = Askers::connect(self.bare.address, "/", body, answer, connections).await?;
        // Both are warm before anything counts.
        runner.ask(extent.requests).await?;
        bare.ask(extent.requests).await?;
        let (mut of_runner, mut of_bare) = (Vec::new(), Vec::new());
        for round in 0..extent.rounds {
            // What drifts strikes both alike: runner, bare, bare, runner.
            if round % 2 == 0 {
                of_runner.push(runner.ask(extent.requests).await?);
                of_bare.push(bare.ask(extent.requests).await?);
            } else {
                of_bare.push(bare.ask(extent.requests).await?);
                of_runner.push(runner.ask(extent.requests).await?);
            }
        }
        let ratios: Vec<f64> = of_runner.iter().zip(&of_bare).map(|(runner, bare)| runner.rate / bare.rate).collect();
        let ratio = Ratio::of(&ratios)?;
        let rate =
            |asked: &[crate::asking::Asked]| asked.iter().map(|asked| asked.rate).collect::<Figures>().quantile(0.5);
        let latency = |asked: &[crate::asking::Asked]| {
            let all: Figures = asked.iter().flat_map(|asked| asked.latencies.iter().copied()).collect();
            format!("{:.3} / {:.3}", all.quantile(0.5), all.quantile(0.99))
        };
        println!(
            "| {} | {connections} | {:.0} | {:.0} | {:.3} | {:.3} to {:.3} | {} | {} |",
            size(answer.len()),
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
