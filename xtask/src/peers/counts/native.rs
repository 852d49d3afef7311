//! The table of wasm and native instructions per call.

use std::fs;

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use xtask::workspace::Workspace;

use super::callgrind::Callgrind;
use super::points::{self, CountedPoint, by_function, grouped};
use crate::peers::statistics::{median, rank_correlation};
use crate::tools;

/// A ratio deviates if it is this many times the median, or a part of it as small.
const DEVIATION: f64 = 2.0;

/// A function at the middle of its axis.
struct Compared<'p> {
    point: &'p CountedPoint,
    /// Instructions per call.
    wasm: f64,
    native: f64,
}

/// Prints the instructions of each function at the middle one of its sizes, and their rank correlation.
pub(super) fn print(workspace: &Workspace, points: &[CountedPoint]) -> Result<()> {
    let folder = workspace.target().join("bench-counts");
    fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
    let suite = points::suite(workspace, Target::Native)?;
    let callgrind = Callgrind { valgrind: tools::valgrind()?, suite, folder };
    let mut all = Vec::new();
    for of_function in by_function(points) {
        let point = &of_function[of_function.len() / 2];
        if let Some(calls) = &point.calls {
            let batches = callgrind.batches(&point.steps).with_context(|| format!("counting `{}`", point.function))?;
            let number = calls.number as f64;
            let (wasm, native) = (calls.instructions as f64 / number, of_calls(&batches)? as f64 / number);
            all.push(Compared { point, wasm, native });
        }
    }

    let ratio = |of: &Compared<'_>| of.native / of.wasm;
    let middle = median(all.iter().map(ratio)).context("no function was counted")?;
    println!(
        "\n| function | size | wasm instructions per call | bytes of bulk instructions | native instructions per call | native / wasm | of the median |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for of in &all {
        let CountedPoint { function, x, calls, .. } = of.point;
        let bytes = calls.as_ref().map_or(0.0, |calls| calls.bytes as f64 / calls.number as f64);
        let relative = ratio(of) / middle;
        let mark = if deviates(relative) { "**" } else { "" };
        println!(
            "| `{function}` | {x} | {} | {} | {} | {:.2} | {mark}{relative:.2}{mark} |",
            number(of.wasm),
            number(bytes),
            number(of.native),
            ratio(of)
        );
    }
    let pairs: Vec<(f64, f64)> = all.iter().map(|of| (of.wasm, of.native)).collect();
    let correlation = rank_correlation(&pairs).context("too few functions were counted")?;
    let deviating = all.iter().filter(|of| deviates(ratio(of) / middle)).count();
    println!(
        "\nSpearman's rank correlation of {} functions: {correlation:.3}. Median ratio: {middle:.2}. {deviating} ratios are more than {DEVIATION} times \
         larger or smaller.",
        all.len()
    );
    Ok(())
}

/// The instructions of the calls, as counted in wasm: without one round of calls, and without the loop.
fn of_calls(batches: &[u64]) -> Result<i64> {
    let batches: Vec<i64> = batches.iter().map(|batch| *batch as i64).collect();
    ensure!(matches!(batches.len(), 2 | 4), "expected two or four batches, not {}", batches.len());
    Ok(match batches[..] {
        [one, more, empty_one, empty_more] => (more - one) - (empty_more - empty_one),
        _ => batches[0] - batches[1],
    })
}

fn deviates(relative: f64) -> bool {
    !(1.0 / DEVIATION..=DEVIATION).contains(&relative)
}

/// A number per call: with a decimal if it is small.
fn number(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { grouped(value.round() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_loops_are_subtracted() {
        assert_eq!(of_calls(&[100, 260, 40, 72]).unwrap(), 128);
        assert_eq!(of_calls(&[100, 40]).unwrap(), 60);
        assert!(of_calls(&[100]).is_err());
    }

    #[test]
    fn ratios_deviate_in_both_directions() {
        assert_eq!([0.4, 0.5, 1.0, 2.0, 2.1].map(deviates), [true, false, false, false, true]);
        assert_eq!([0.25, 12_345.4].map(number), ["0.2", "12 345"]);
    }
}
