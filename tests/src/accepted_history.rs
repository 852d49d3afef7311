//! Accepted results of a function over builds, with a step, as `cargo benchbook accept` records them.

use std::path::Path;

use anyhow::{Context, Result};
use benchbook_accepted::HistoryFolder;
use benchbook_contract::rng::Rng;
use benchbook_host::api::{AcceptedHistory, HistoryFunction};
use benchbook_host::history::{AcceptedResult, VERSION};
use rand::{RngExt, SeedableRng};
use serde_json::json;

/// The function.
pub const FUNCTION: &str = "sorting::sort_stable";

/// The index of the first result after the step, on the first machine.
pub const STEP: usize = 12;

/// The number of results on the first machine.
const COUNT: usize = 20;

/// 3 March 2026, when the first result after the step was measured, in seconds since 1970.
const STEP_TIME: f64 = 1_772_496_000.0;

/// The time between two results.
const INTERVAL: f64 = 3.0 * 86_400.0;

/// The sizes, the times before the step, and the factors of the step.
const POINTS: [(f64, f64, f64); 3] = [(1e3, 1.2e4, 1.03), (1e4, 1.6e5, 1.08), (1e5, 2.0e6, 1.12)];

/// Twenty results of one class of machines, which are 12% slower at the greatest size from [`STEP`] on, and five of another class
/// without a step; the oldest first.
pub fn accepted_history() -> Vec<AcceptedResult> {
    let mut random = Rng::seed_from_u64(1);
    let mut results: Vec<AcceptedResult> =
        (0..COUNT).map(|index| accepted(index, index >= STEP, &mut random)).collect();
    for index in (0..COUNT).step_by(4) {
        let mut other = accepted(index, false, &mut random);
        other.result.machine.cpu = Some("Neoverse V2".to_owned());
        "aarch64-unknown-linux-gnu".clone_into(&mut other.result.machine.target);
        other.result.measured += INTERVAL / 2.0;
        other.result.points.iter_mut().flat_map(|point| &mut point.means).for_each(|mean| *mean *= 1.06);
        results.push(other);
    }
    results.sort_by(|one, other| one.result.measured.total_cmp(&other.result.measured));
    results
}

/// As [`accepted_history`], with another suite and function.
pub fn accepted_history_of(suite: &str, function: &str) -> Vec<AcceptedResult> {
    let mut results = accepted_history();
    for accepted in &mut results {
        suite.clone_into(&mut accepted.result.benchmark.suite);
        function.clone_into(&mut accepted.result.benchmark.function);
    }
    results
}

/// The first result after the step.
pub fn first_after_step(results: &[AcceptedResult]) -> Option<&AcceptedResult> {
    results.iter().find(|accepted| accepted.result.measured == STEP_TIME)
}

/// Writes results to a folder of accepted results.
pub fn write_history(folder: &Path, results: &[AcceptedResult]) -> Result<()> {
    let history = HistoryFolder { path: folder.to_owned(), is_chosen: true };
    results.iter().try_for_each(|accepted| history.add(accepted).map(drop))?;
    Ok(())
}

/// The files of a hosted page with results of a single function, by their paths, as `cargo benchbook build` writes them.
pub fn site_files(results: Vec<AcceptedResult>) -> Result<Vec<(String, String)>> {
    let functions = HistoryFunction::all(&results);
    let function = functions.first().context("there are results")?;
    let file = HistoryFunction::file(&function.suite, &function.function);
    let list = (HistoryFunction::LIST.to_owned(), serde_json::to_string(&functions)?);
    let history = AcceptedHistory { results, warnings: Vec::new() };
    let files = [list, (file, serde_json::to_string(&history)?)];
    Ok(files.into_iter().map(|(name, text)| (format!("history/{name}"), text)).collect())
}

fn accepted(index: usize, is_slower: bool, random: &mut Rng) -> AcceptedResult {
    let build = 1.0 + 0.004 * (random.random::<f64>() - 0.5);
    let points = POINTS.map(|(size, time, factor)| {
        let mean = time * build * if is_slower { factor } else { 1.0 };
        let process = |_| mean * (1.0 + 0.01 * (random.random::<f64>() - 0.5));
        json!({ "x": size, "means": (0..10).map(process).collect::<Vec<f64>>() })
    });
    let commit = if index == STEP { "77c0a41f0b12".to_owned() } else { format!("{:08x}", random.random::<u32>()) };
    let by = if index.is_multiple_of(3) { "Ada" } else { "Grace" };
    let note = match index {
        0 => "first results",
        STEP => "merge without a buffer",
        _ => "",
    };
    let accepted = json!({
        "benchbook_history": VERSION,
        "accepted": { "by": by, "note": note },
        "benchmark": {
            "suite": "demo", "function": FUNCTION, "generator": "sorting::keys",
            "arguments": { "size": { "low": POINTS[0].0, "high": POINTS[2].0 }, "spread": "Random" },
            "inputs": "8f1c04d2", "metric": "time",
        },
        "machine": {
            "cpu": "AMD EPYC 9R14", "settings": ["governor performance", "turbo off"],
            "system": "Linux 6", "target": "x86_64-unknown-linux-gnu",
        },
        "build": {
            "fingerprint": format!("{index:02}c0ffee"), "commit": commit, "dirty": index == 5, "compiler": "rustc 1.95.0",
        },
        "measured": STEP_TIME + INTERVAL * (index as f64 - STEP as f64),
        "points": points,
    });
    serde_json::from_value(accepted).expect("an accepted result")
}
