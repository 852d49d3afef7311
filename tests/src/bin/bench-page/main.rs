//! Measures the page itself in Chromium: loading, presses of Measure and Stop, frames while it zooms and pans, memory,
//! and the bytes of page and demo suite. `cargo xtask bench page` builds what it needs and runs it; arguments are the
//! parts to run, all of them without.

mod frames;
mod loading;
mod memory;
mod presses;

use std::env;

use anyhow::{Result, bail};
use benchbook_tests::server::dist;
use benchbook_tests::weight;

/// In the order in which they run.
const PARTS: [&str; 4] = ["loading", "presses", "frames", "memory"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let chosen: Vec<String> = env::args().skip(1).collect();
    if let Some(unknown) = chosen.iter().find(|part| !PARTS.contains(&part.as_str())) {
        bail!("there is no part `{unknown}`: {}", PARTS.join(", "));
    }
    sizes()?;
    for part in PARTS.into_iter().filter(|part| chosen.is_empty() || chosen.iter().any(|chosen| chosen == part)) {
        match part {
            "loading" => loading::bench().await?,
            "presses" => presses::bench().await?,
            "frames" => frames::bench().await?,
            _ => memory::bench().await?,
        }
    }
    Ok(())
}

/// Prints what a visitor downloads.
fn sizes() -> Result<()> {
    let dist = dist()?;
    let (page, demo) = (weight::page(&dist)?, weight::file(&dist.join("suites/demo.wasm"))?);
    println!(
        "Brotli: page {page} bytes of {} at most, demo suite {demo} of {}",
        weight::MOST_OF_PAGE,
        weight::MOST_OF_SUITE
    );
    Ok(())
}
