//! Checks the counts of wasm instructions: against wasmtime's fuel, on random modules, and next to the instructions of native calls.

mod callgrind;
mod fuel;
mod native;
mod points;

use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use xtask::workspace::Workspace;

use crate::tools::{self, Need};

/// The random modules. Continuous integration has 500.
const MODULES: u32 = 100_000;

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountsPart {
    /// Whether the totals equal the fuel of wasmtime, for each function of the demo suite at five sizes
    Fuel,
    /// How native instructions per call compare with wasm instructions, for each function of the demo suite
    Native,
    /// Whether 100 000 random modules compute the same when they count, and the totals equal the fuel of wasmtime
    Random,
}

/// Runs these parts; all of them if the list is empty.
///
/// # Errors
/// If a count is wrong.
pub(crate) fn run(workspace: &Workspace, parts: &[CountsPart]) -> Result<()> {
    let parts = if parts.is_empty() { CountsPart::value_variants() } else { parts };
    let has = |part| parts.contains(&part);
    let valgrind = has(CountsPart::Native).then_some(Need::Valgrind);
    let suites = (has(CountsPart::Fuel) || has(CountsPart::Native)).then_some(Need::Suites);
    let needs: Vec<Need> = suites.into_iter().chain(valgrind).collect();
    tools::ensure(workspace, &needs)?;

    if !needs.is_empty() {
        let points = points::count(workspace)?;
        if has(CountsPart::Fuel) {
            fuel::print(&points)?;
        }
        if has(CountsPart::Native) {
            native::print(workspace, &points)?;
        }
    }
    if has(CountsPart::Random) {
        count_random_modules(workspace)?;
    }
    Ok(())
}

/// Prints how many calls were compared.
fn count_random_modules(workspace: &Workspace) -> Result<()> {
    let mut command = Command::new(points::program(workspace)?);
    let status = command.args(["random", &MODULES.to_string()]).status().context("failed to start peer-wasmtime")?;
    ensure!(
        status.success(),
        "a random module computes something else when it is counted, or its count differs from the fuel"
    );
    Ok(())
}
