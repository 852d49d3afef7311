//! Benchmarks of Benchbook itself.

use anyhow::{Context, Result};
use benchbook_build::Target;
use benchbook_build::without_package_variables;
use clap::ValueEnum;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::peers::counts::{self, CountsPart};
use crate::peers::{self, PeerOptions, allocations, profile, throughput};
use crate::targets::run_on_targets;
use crate::tools::{self, Need};

/// Benchmark Benchbook itself, as shipped
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench page                        all parts: about five minutes
  cargo xtask bench page loading                one part
  cargo xtask bench method                      both targets: about ten minutes
  cargo xtask bench method --tries 20 native    one target, with fewer tries
  cargo xtask bench method --simulate           the coverage of intervals in simulations
  cargo xtask bench method --same 257           equal functions at 257 axis values: over an hour
  cargo xtask bench runner                      all parts: about half an hour, and 7 GB in the temporary folder
  cargo xtask bench runner --quick cached       one part, with smaller workloads
  cargo xtask bench peers                       all functions, 20 times: some hours; it continues an earlier run
  cargo xtask bench peers --quick mix longer    one function and one comparison, 3 times: some minutes
  cargo xtask bench peers --fresh               delete the results of earlier runs first
  cargo xtask bench repeat                      twelve functions every ten minutes, for two hours; it continues an earlier run
  cargo xtask bench repeat --minutes 1440       the same for a day
  cargo xtask bench allocator                   some seconds after the build
  cargo xtask bench allocations                 compare counts with divan: a second after the build
  cargo xtask bench throughput                  compare throughput with criterion: ten seconds after the build
  cargo xtask bench counts                      wasm instructions, checked in three ways: about 15 minutes after the build
  cargo xtask bench counts fuel                 one part
  cargo xtask bench profile                     profiles, compared with callgrind and dhat: a minute after the build
  cargo xtask bench watch                       six saves of a source file: some minutes after the build
  cargo xtask bench migration hex httparse      benches of crates, with criterion and with Benchbook: two hours for all five
  cargo xtask bench install                     install the programs from their packages: about ten minutes")]
pub(crate) struct BenchOptions {
    #[command(subcommand)]
    subject: BenchSubject,
}

#[derive(clap::Subcommand)]
enum BenchSubject {
    /// The page in Chromium: loading, measurement runs, frames, a large notebook, memory, and download sizes
    Page {
        /// The parts to measure [default: all]
        #[arg(value_name = "PART")]
        parts: Vec<PagePart>,
    },
    /// The measurement method, on functions with known results: ratios, a 1% difference, and no difference
    Method {
        /// How many times to test the 1% difference; each try takes two seconds per target
        #[arg(long, default_value_t = 100)]
        tries: u32,
        /// Compare equal functions instead, at up to this many axis values (the next lower 2^k + 1), at priorities 2 to 4, on the
        /// machine as it is and with one core loaded
        #[arg(long, value_name = "POINTS", conflicts_with = "tries")]
        same: Option<u32>,
        /// Simulate the method with 2 000 repetitions per kind of noise, clock and time of a call, instead of measuring: some hours
        #[arg(long, conflicts_with_all = ["tries", "same", "targets"])]
        simulate: bool,
        /// The targets of the suite to measure [default: both]
        #[arg(value_name = "TARGET")]
        targets: Vec<Target>,
    },
    /// The runner: cached responses, the cost of waiting clients, the start of a child process, and a large store
    Runner {
        /// Use smaller workloads; the results are approximate
        #[arg(long)]
        quick: bool,
        /// The number of results in the store; a million takes 7 GB in the temporary folder
        #[arg(long, default_value_t = 1_000_000)]
        results: u64,
        /// The parts to measure [default: all]
        #[arg(value_name = "PART")]
        parts: Vec<RunnerPart>,
    },
    /// The same functions with Benchbook, criterion, divan and tango: accuracy, intervals and time
    Peers(PeerOptions),
    /// Whether the interval of another day contains the later means of the same functions on this machine
    Repeat {
        /// The minutes between two rounds
        #[arg(long, default_value_t = 10)]
        every: u32,
        /// The minutes of the whole
        #[arg(long, default_value_t = 120)]
        minutes: u32,
    },
    /// The time per allocation with the system's allocator, with the suite's memory bound, and while counting
    Allocator,
    /// Whether Benchbook and divan count the same allocations, bytes and peaks in the same functions
    Allocations,
    /// Whether Benchbook and criterion show the same throughput for the same times
    Throughput,
    /// Whether counts of wasm instructions equal wasmtime's fuel and those of random modules are exact, and how native instructions compare
    Counts {
        /// The parts to run [default: all]
        #[arg(value_name = "PART")]
        parts: Vec<CountsPart>,
    },
    /// Whether profiles agree with callgrind and dhat, and other programs read the exported files
    Profile,
    /// The watch loop of `cargo benchbook`: from saving a source file to the first point of the new build
    Watch,
    /// The search by time for planted slowdowns, in Chromium: how many answers are right, ranges or wrong
    Pinpoint,
    /// The benches of five crates from crates.io, with criterion and, unedited, with Benchbook
    Migration {
        /// The crates [default: all five]
        #[arg(value_name = "CRATE")]
        crates: Vec<String>,
    },
    /// `cargo install` of the programs, the first build of a suite, and the library as a dev-dependency
    Install,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PagePart {
    /// Time until the page shows content, and until it is interactive
    Loading,
    /// Time from Measure to the first point and the first curve, and the response time of Stop
    Runs,
    /// Frame times while zooming and panning 100 000 raw samples
    Frames,
    /// A notebook of 100 cells with 100 000 raw samples: opening, scrolling, zooming, and saving an edit
    Notebook,
    /// Memory of the page after many measurements
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RunnerPart {
    /// Cached responses, compared with a bare route that serves the same bytes
    Cached,
    /// The effect of waiting clients on the measured median
    Shift,
    /// Memory per waiting client
    Memory,
    /// Time from the start of a child process to its first reply
    Spawn,
    /// The effect of isolating child processes on the measured median
    Isolation,
    /// Time to the first point while many other requests wait
    Fairness,
    /// Lookups and browsing among many results
    Store,
}

/// The repetitions per cell in a long simulation.
const SIMULATIONS: u32 = 2_000;

pub(crate) fn run(workspace: &Workspace, options: &BenchOptions) -> Result<()> {
    match &options.subject {
        BenchSubject::Page { parts } => bench_page(workspace, parts),
        BenchSubject::Method { simulate: true, .. } => simulate_method(workspace),
        BenchSubject::Method { same: Some(points), targets, .. } => {
            bench_method(workspace, &["same".to_owned(), points.to_string()], targets)
        }
        BenchSubject::Method { tries, targets, .. } => bench_method(workspace, &[tries.to_string()], targets),
        BenchSubject::Runner { quick, results, parts } => bench_runner(workspace, *quick, *results, parts),
        BenchSubject::Peers(options) => peers::run(workspace, options),
        BenchSubject::Repeat { every, minutes } => bench_repeat(workspace, *every, *minutes),
        BenchSubject::Allocator => bench_allocator(workspace),
        BenchSubject::Allocations => allocations::run(workspace),
        BenchSubject::Throughput => throughput::run(workspace),
        BenchSubject::Counts { parts } => counts::run(workspace, parts),
        BenchSubject::Profile => profile::run(workspace),
        BenchSubject::Watch => bench_watch(workspace),
        BenchSubject::Pinpoint => bench_pinpoint(workspace),
        BenchSubject::Migration { crates } => bench_migration(workspace, crates),
        BenchSubject::Install => bench_install(workspace),
    }
}

fn bench_page(workspace: &Workspace, parts: &[PagePart]) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    let parts = names(parts);
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-programs --bin bench-page -- {parts...}"
    ))
    .run()
    .context("the benchmark of the page failed")
}

fn bench_watch(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    without_package_variables(cmd!(shell, "cargo run --package benchbook-programs --bin bench-watch"))
        .run()
        .context("the benchmark of the watch loop failed")
}

fn bench_pinpoint(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Chromium])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let chromium = tools::chromium()?;
    let _chromium = chromium.set_variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    without_package_variables(cmd!(shell, "cargo run --package benchbook-programs --bin bench-pinpoint"))
        .run()
        .context("the benchmark of the search failed")
}

fn bench_migration(workspace: &Workspace, crates: &[String]) -> Result<()> {
    let shell = workspace.shell()?;
    without_package_variables(cmd!(
        shell,
        "cargo run --package benchbook-programs --bin bench-migration -- {crates...}"
    ))
    .run()
    .context("the benches of the crates failed")
}

fn bench_install(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let _optimised = shell.push_env("BENCHBOOK_OPTIMISED_INSTALL", "1");
    without_package_variables(cmd!(shell, "cargo test --workspace --test outside -- packages:: --ignored --nocapture"))
        .run()
        .context("the installation failed")
}

/// `subject`: the number of tries, or `same` and the number of axis values.
fn bench_method(workspace: &Workspace, subject: &[String], targets: &[Target]) -> Result<()> {
    let targets = if targets.is_empty() { Target::value_variants() } else { targets };
    run_on_targets(workspace, "bench-method", subject, targets)
        .context("the benchmark of the method failed, or missed its goals")
}

/// Runs the simulation test of continuous integration, with more repetitions.
fn simulate_method(workspace: &Workspace) -> Result<()> {
    let shell = workspace.shell()?;
    let _repeats = shell.push_env("BENCHBOOK_SIMULATIONS", SIMULATIONS.to_string());
    without_package_variables(cmd!(
        shell,
        "cargo test --release --package benchbook-host --test host simulated::method -- --nocapture"
    ))
    .run()
    .context("the method missed its goals in the simulation")
}

/// The program builds the runner and the suites that it needs.
fn bench_runner(workspace: &Workspace, quick: bool, results: u64, parts: &[RunnerPart]) -> Result<()> {
    let shell = workspace.shell()?;
    let extent = if quick { "quick" } else { "full" };
    let (results, parts) = (results.to_string(), names(parts));
    without_package_variables(cmd!(
        shell,
        "cargo run --release --package benchbook-programs --bin bench-runner -- {extent} {results} {parts...}"
    ))
    .run()
    .context("the benchmark of the runner failed, or missed its goals")
}

/// The results so far are in `target/repeat.jsonl`. Delete it to start again.
fn bench_repeat(workspace: &Workspace, every: u32, minutes: u32) -> Result<()> {
    let shell = workspace.shell()?;
    let file = workspace.root().join("target/repeat.jsonl");
    let (every, minutes) = (every.to_string(), minutes.to_string());
    without_package_variables(cmd!(
        shell,
        "cargo run --package benchbook-programs --bin bench-repeat -- {file} {every} {minutes}"
    ))
    .run()
    .context("the repeated measurements failed")
}

/// The program builds the suites that it needs.
fn bench_allocator(workspace: &Workspace) -> Result<()> {
    let shell = workspace.shell()?;
    without_package_variables(cmd!(shell, "cargo run --release --package benchbook-programs --bin bench-allocator"))
        .run()
        .context("the benchmark of the allocator failed")
}

/// Returns the command-line names of the chosen values.
fn names<T: ValueEnum>(chosen: &[T]) -> Vec<String> {
    chosen.iter().filter_map(T::to_possible_value).map(|value| value.get_name().to_owned()).collect()
}
