//! Benchmarks the runner: cached responses compared with a bare route, the effect of waiting clients on results and memory,
//! the start of a child process, the effect of its isolation, first points in a long queue, and a store of many results. Run it with `cargo xtask bench runner`. The arguments are
//! `full` or `quick`, the number of results in the store, and the parts to run (default: all). It fails if a result misses its
//! goal.
//!
//! It uses two cores of any machine: one serves, and the other measures or sends requests.

mod bare;
mod cached;
mod connections;
mod cores;
mod crowd;
mod extent;
mod fairness;
mod isolated;
mod kernel;
mod memory;
mod rounds;
mod shift;
mod spawn;
mod store;

use std::env;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::child::run_helper_if_requested;
use benchbook_programs::conditions::Conditions;
use benchbook_server::service::process::raise_open_file_limit;

use cores::Cores;
use extent::Extent;

/// The parts, in the order in which they run.
const PARTS: [&str; 7] = ["cached", "shift", "memory", "spawn", "isolation", "fairness", "store"];

fn main() -> Result<()> {
    if run_helper_if_requested() {
        return Ok(());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [bare::MODE, response, core] => bare::serve(Path::new(response), core.parse()?),
        [extent, results, ref parts @ ..] => bench(&Extent::of(extent, results.parse()?)?, parts),
        _ => bail!("expected `full` or `quick`, and a number of results"),
    }
}

fn bench(extent: &Extent, chosen: &[&str]) -> Result<()> {
    if let Some(unknown) = chosen.iter().find(|part| !PARTS.contains(part)) {
        bail!("unknown part `{unknown}`; expected one of {}", PARTS.join(", "));
    }
    raise_open_file_limit().map_err(anyhow::Error::msg).context("raising the limit of open connections")?;
    let cores = Cores::here()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut missed = Vec::new();
    for part in PARTS.into_iter().filter(|part| chosen.is_empty() || chosen.contains(part)) {
        cores.use_both()?;
        let conditions = Conditions::now(None);
        missed.extend(match part {
            "cached" => runtime.block_on(cached::bench(extent, &cores))?,
            "shift" => runtime.block_on(shift::bench(extent, &cores))?,
            "memory" => runtime.block_on(memory::bench(extent, &cores))?,
            "spawn" => spawn::bench(extent, &cores)?,
            "fairness" => runtime.block_on(fairness::bench(extent, &cores))?,
            "isolation" => isolated::bench(extent, &cores)?,
            _ => store::bench(extent)?,
        });
        conditions.print();
    }
    ensure!(missed.is_empty(), "goals missed (close other programs, then repeat):\n{}", missed.join("\n"));
    Ok(())
}
