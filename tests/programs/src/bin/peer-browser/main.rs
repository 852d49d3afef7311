//! Measures one function in Chromium with Benchbook, tinybench or mitata. Prints the figures as one line of JSON, in nanoseconds
//! per call. `cargo xtask bench peers` runs it.
//!
//! ```text
//! peer-browser benchbook SUITE FUNCTION SECONDS                      SUITE: the wasm module of the suite
//! peer-browser tinybench|mitata MODULE SCRIPT FUNCTION WORKERS       MODULE: the functions as raw exports
//! ```
//!
//! `SECONDS` is the time in one worker, or `reference`: twenty workers of a second. `WORKERS` is the number of workers that
//! measure one after another; the figures are the means of theirs.

mod benchbook;
mod javascript;

use std::env;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// The figures of one measurement, in nanoseconds per call.
#[derive(Debug, Serialize, Deserialize)]
struct BrowserFigures {
    estimate: f64,
    median: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// The time of the measurement, without the start of the browser.
    wall_seconds: f64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let figures = match arguments[..] {
        ["benchbook", suite, function, seconds] => benchbook::measure(suite.as_ref(), function, seconds).await?,
        [harness @ ("tinybench" | "mitata"), module, script, function, workers] => {
            javascript::measure(harness, module.as_ref(), script.as_ref(), function, workers.parse()?).await?
        }
        _ => bail!("expected benchbook SUITE FUNCTION SECONDS, or tinybench|mitata MODULE SCRIPT FUNCTION WORKERS"),
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}
