//! Benchmarks the page in Chromium: loading, measurement runs, frames while zooming and panning, a large notebook,
//! memory, and the sizes of page and demo suite. Run it with `cargo xtask bench page`. The arguments are the parts to run (default: all).

mod frames;
mod loading;
mod memory;
mod notebook;
mod runs;

use std::env;

use anyhow::{Result, bail};
use benchbook_tests::server::dist;
use benchbook_tests::weight;

/// The parts, in the order in which they run.
const PARTS: [&str; 5] = ["loading", "runs", "frames", "notebook", "memory"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let chosen: Vec<String> = env::args().skip(1).collect();
    if let Some(unknown) = chosen.iter().find(|part| !PARTS.contains(&part.as_str())) {
        bail!("unknown part `{unknown}`; expected one of {}", PARTS.join(", "));
    }
    sizes()?;
    for part in PARTS.into_iter().filter(|part| chosen.is_empty() || chosen.iter().any(|chosen| chosen == part)) {
        match part {
            "loading" => loading::bench().await?,
            "runs" => runs::bench().await?,
            "frames" => frames::bench().await?,
            "notebook" => notebook::bench().await?,
            _ => memory::bench().await?,
        }
    }
    Ok(())
}

/// Prints the download sizes.
fn sizes() -> Result<()> {
    let dist = dist()?;
    let (page, demo) = (weight::page(&dist)?, weight::file(&dist.join("suites/demo.wasm"))?);
    println!(
        "Brotli: page {page} bytes (at most {}), demo suite {demo} (at most {})",
        weight::MAX_PAGE_BYTES,
        weight::MAX_SUITE_BYTES
    );
    Ok(())
}
