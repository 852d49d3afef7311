//! Whether functions have the same order in wasm instructions as in native instructions, which callgrind counts.

use anyhow::{Result, ensure};
use xtask::workspace::Workspace;

use super::{Report, profile};

/// The profiled functions of the demo suite: those that call others that the compiler does not inline.
const FUNCTIONS: [&str; 10] = [
    "hashing::distinct_by_hash_set",
    "hashing::distinct_by_sorting",
    "memory::concat_format",
    "sorting::smallest_by_sorting",
    "sorting::sort_by_cached_key",
    "sorting::sort_by_key",
    "sorting::sort_by_letters",
    "sorting::sort_stable",
    "sorting::sort_unstable",
    "text::format_macro",
];

/// Shares that differ less say nothing about the order.
const MIN_DIFFERENCE: f64 = 0.1;

/// Pairs whose order differs, and why. The executable has this closure in two ways: one that is called, and one that the sort has inlined, whose instructions callgrind
/// adds to the sort.
const EXPLAINED: [(&str, &str); 1] = [("sorting::sort_by_key", "sort_by_key::{{closure}}")];

/// Prints how many pairs of functions have the same order.
///
/// # Errors
/// If a pair has another order without an explanation.
pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let (mut same, mut explained, mut different) = (0, 0, Vec::new());
    for function in FUNCTIONS {
        let folder = workspace.root().join("suites/demo");
        let report = Report::parse(&profile(workspace, &folder, "demo", &[function, "--std", "--json"])?)?;
        let total = report.total()?.instructions as f64;
        let shares: Vec<(&str, f64, f64)> = report
            .functions
            .iter()
            .skip(1)
            .filter_map(|row| {
                let wasm = row.total[report.shown].instructions as f64 / total;
                Some((row.name.as_str(), wasm, row.native_share?))
            })
            .collect();
        ensure!(!shares.is_empty(), "`{function}`: callgrind and the profile have no function in common");
        for (index, (name, wasm, native)) in shares.iter().enumerate() {
            for (other, other_wasm, other_native) in &shares[index + 1..] {
                let (in_wasm, natively) = (wasm - other_wasm, native - other_native);
                if in_wasm.abs() < MIN_DIFFERENCE || natively.abs() < MIN_DIFFERENCE {
                    continue;
                }
                let is_explained = EXPLAINED
                    .iter()
                    .any(|(explained, part)| *explained == function && (name.contains(part) || other.contains(part)));
                if in_wasm.signum() == natively.signum() {
                    same += 1;
                } else if is_explained {
                    explained += 1;
                } else {
                    different.push(format!("`{function}`: `{name}` and `{other}`"));
                }
            }
        }
    }
    println!(
        "{same} pairs of functions whose shares differ by 10 points or more have the same order in wasm and native instructions. Another order, with an explanation: {explained}."
    );
    ensure!(different.is_empty(), "the order differs for\n{}", different.join("\n"));
    Ok(())
}
