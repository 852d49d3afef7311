//! Measures the runner itself: cached answers beside a bare route, what waiting clients do to figures and to memory, starting
//! a child, and a store of many results. `cargo xtask bench runner` runs it; the arguments are `full` or `quick`, the number
//! of results of the store, and the parts to run, all of them without. It fails where a figure is not what the runner is to
//! reach.
//!
//! All of it runs on two cores, whatever the machine has: one serves, and the other measures or asks.

mod asking;
mod bare;
mod cached;
mod cores;
mod crowd;
mod extent;
mod kernel;
mod memory;
mod rounds;
mod shift;
mod spawn;
mod store;

use std::env;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use benchbook::child::keep_if_told;
use benchbook_server::machine::raise_open_file_limit;
use benchbook_tests::conditions::Conditions;

use cores::Cores;
use extent::Extent;

/// In the order in which they run.
const PARTS: [&str; 5] = ["cached", "shift", "memory", "spawn", "store"];

fn main() -> Result<()> {
    if keep_if_told() {
        return Ok(());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [bare::MODE, answer, core] => bare::serve(Path::new(answer), core.parse()?),
        [extent, results, ref parts @ ..] => bench(&Extent::of(extent, results.parse()?)?, parts),
        _ => bail!("how much is to be measured, and of how many results?"),
    }
}

fn bench(extent: &Extent, chosen: &[&str]) -> Result<()> {
    if let Some(unknown) = chosen.iter().find(|part| !PARTS.contains(part)) {
        bail!("there is no part `{unknown}`: {}", PARTS.join(", "));
    }
    raise_open_file_limit().map_err(anyhow::Error::msg).context("opening as many connections as there are clients")?;
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
            _ => store::bench(extent)?,
        });
        conditions.print();
    }
    ensure!(missed.is_empty(), "not reached, is the machine busy?\n{}", missed.join("\n"));
    Ok(())
}
