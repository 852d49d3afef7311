//! Measuring Benchbook itself.

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;
use xtask::workspace::{Workspace, as_if_by_hand};

use crate::page;
use crate::tools::{self, Need};

/// Measure Benchbook itself, as it is shipped
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench page                        everything: some five minutes
  cargo xtask bench page loading                one part of it
  cargo xtask bench method                      both faces: some ten minutes
  cargo xtask bench method --tries 20 native    one face, with fewer tries
  cargo xtask bench runner                      everything: some half an hour, and 7 GB in the temporary folder
  cargo xtask bench runner --quick cached       one part of it, and less of that")]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The page in Chromium: loading, presses of Measure, frames, memory, and what a visitor downloads
    Page {
        /// What to measure [default: all of it]
        #[arg(value_name = "PART")]
        parts: Vec<Part>,
    },
    /// The method, on functions whose right figures are known: ratios, one per cent, and nothing
    Method {
        /// How often one per cent is looked for; it takes two seconds a try for each face
        #[arg(long, default_value_t = 100)]
        tries: u32,
        /// On which face of the suite [default: both]
        #[arg(value_name = "FACE")]
        faces: Vec<Face>,
    },
    /// The runner: cached answers, what clients that wait cost, starting a child, and a store of many results
    Runner {
        /// Less of everything: figures that are only about right
        #[arg(long)]
        quick: bool,
        /// How many results the store has; a million takes 7 GB in the temporary folder
        #[arg(long, default_value_t = 1_000_000)]
        results: u64,
        /// What to measure [default: all of it]
        #[arg(value_name = "PART")]
        parts: Vec<RunnerPart>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// How soon the page shows something, and how soon it can be used
    Loading,
    /// How soon Measure shows a point and a curve, and how soon Stop answers
    Presses,
    /// What frames cost while 100 000 raw samples are zoomed and moved
    Frames,
    /// What the page holds after many measurements
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RunnerPart {
    /// Answers that are stored, beside a bare route that serves the same bytes
    Cached,
    /// What clients that wait do to the median of what is measured
    Shift,
    /// What a client that waits takes of memory
    Memory,
    /// From the start of a child to its first answer
    Spawn,
    /// Finding and browsing among many results
    Store,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Face {
    /// The executable
    Native,
    /// WebAssembly in Chromium
    Wasm,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    match &options.what {
        What::Page { parts } => bench_page(workspace, parts),
        What::Method { tries, faces } => bench_method(workspace, *tries, faces),
        What::Runner { quick, results, parts } => bench_runner(workspace, *quick, *results, parts),
    }
}

fn bench_page(workspace: &Workspace, parts: &[Part]) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Browser])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let browser = tools::browser()?;
    let _browser = browser.variables(&shell);
    let _page = shell.push_env("BENCHBOOK_DIST", workspace.dist());
    let parts = names(parts);
    as_if_by_hand(cmd!(shell, "cargo run --release --package benchbook-tests --bin bench-page -- {parts...}"))
        .run()
        .context("the page could not be measured")
}

fn bench_method(workspace: &Workspace, tries: u32, faces: &[Face]) -> Result<()> {
    let faces = if faces.is_empty() { Face::value_variants() } else { faces };
    let shell = workspace.shell()?;
    let mut browser = None;
    if faces.contains(&Face::Wasm) {
        tools::ensure(workspace, &[Need::Suites, Need::Browser])?;
        browser = Some(tools::browser()?);
    }
    let _browser = browser.as_ref().map(|browser| browser.variables(&shell));
    let (tries, faces) = (tries.to_string(), names(faces));
    as_if_by_hand(cmd!(shell, "cargo run --release --package benchbook-tests --bin bench-method -- {tries} {faces...}"))
        .run()
        .context("the method could not be measured, or does not reach its figures")
}

/// The program builds the runner and the suites that it needs.
fn bench_runner(workspace: &Workspace, quick: bool, results: u64, parts: &[RunnerPart]) -> Result<()> {
    let shell = workspace.shell()?;
    let extent = if quick { "quick" } else { "full" };
    let (results, parts) = (results.to_string(), names(parts));
    as_if_by_hand(cmd!(
        shell,
        "cargo run --release --package benchbook-tests --bin bench-runner -- {extent} {results} {parts...}"
    ))
    .run()
    .context("the runner could not be measured, or does not reach its figures")
}

/// What is chosen, as it is typed.
fn names<T: ValueEnum>(chosen: &[T]) -> Vec<String> {
    chosen.iter().filter_map(T::to_possible_value).map(|value| value.get_name().to_owned()).collect()
}
