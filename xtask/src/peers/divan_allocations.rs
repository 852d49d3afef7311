//! divan's table of allocations. divan prints its tallies, but returns them to no caller.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

/// Allocations, bytes and peak bytes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallMemory {
    pub(super) allocations: u64,
    pub(super) bytes: u64,
    pub(super) peak: u64,
}

/// divan prints four digits. Fewer bytes than these are exact.
const MAX_EXACT_BYTES: u64 = 9_999;

/// The operations that divan tallies.
const OPERATIONS: [&str; 5] = ["max alloc", "alloc", "dealloc", "grow", "shrink"];

/// A number of operations and their bytes.
type Tally = (u64, u64);

/// Reads the memory use of each function, for samples of one call.
pub(super) fn parse(stdout: &str) -> Result<Vec<(String, CallMemory)>> {
    let mut functions: Vec<(String, BTreeMap<&str, Vec<&str>>)> = Vec::new();
    let mut operation = None;
    for line in stdout.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let is_function = line.starts_with(['├', '╰']);
        let cell = line.trim_start_matches(['├', '╰', '─', '│', ' ']).split('│').next().unwrap_or_default().trim();
        if is_function {
            let name = cell.split_whitespace().next().context("a row has no name")?;
            functions.push((name.to_owned(), BTreeMap::new()));
            operation = None;
        } else if let Some(label) = cell.strip_suffix(':') {
            ensure!(OPERATIONS.contains(&label), "unknown operation `{label}`; expected a table of divan 0.1");
            operation = Some(label);
        } else {
            let (_, tallies) = functions.last_mut().with_context(|| format!("no function before `{line}`"))?;
            let operation = operation.with_context(|| format!("no operation before `{line}`"))?;
            tallies.entry(operation).or_default().push(cell);
        }
    }
    functions.into_iter().map(|(name, tallies)| Ok((name, call_memory(&tallies)?))).collect()
}

fn call_memory(tallies: &BTreeMap<&str, Vec<&str>>) -> Result<CallMemory> {
    let tally = |operation: &str| match tallies.get(operation).map(Vec::as_slice) {
        None => Ok((0, 0)),
        Some([count, bytes]) => parse_tally(count, bytes).with_context(|| format!("failed to parse `{operation}`")),
        Some(cells) => anyhow::bail!("expected a count and a size, not {cells:?}"),
    };
    let [alloc, grow, shrink, max] = [tally("alloc")?, tally("grow")?, tally("shrink")?, tally("max alloc")?];
    Ok(CallMemory { allocations: alloc.0 + grow.0 + shrink.0, bytes: alloc.1 + grow.1, peak: max.1 })
}

/// Parses a count and a size such as `1.024 KB`.
fn parse_tally(count: &str, size: &str) -> Result<Tally> {
    let count = count.parse().with_context(|| format!("expected a whole number, not `{count}`"))?;
    let (number, unit) = size.split_once(' ').with_context(|| format!("expected a size with a unit, not `{size}`"))?;
    let number: f64 = number.parse().with_context(|| format!("expected a number before the unit in `{size}`"))?;
    let bytes = match unit {
        "B" => number,
        "KB" => 1_000.0 * number,
        _ => anyhow::bail!("unknown unit of size in `{size}`; expected B or KB"),
    };
    let bytes = bytes.round() as u64;
    ensure!(bytes <= MAX_EXACT_BYTES, "`{size}` is rounded; a function may allocate at most {MAX_EXACT_BYTES} bytes");
    Ok((count, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_table_has_the_memory_use_of_each_function() {
        let functions = parse(include_str!("fixtures/divan-allocations.txt")).unwrap();
        assert_eq!(functions.len(), 11);
        for (name, allocations, bytes, peak) in [
            ("no_memory", 0, 0, 0),
            ("push", 6, 1_024, 1_024),
            ("shrink", 2, 8_000, 8_000),
            ("insert", 17, 3_552, 3_552),
            ("sort_stable", 2, 9_600, 9_600),
            ("zeros", 1, 800, 800),
        ] {
            let found = functions.iter().find(|(function, _)| function == name).map(|(_, memory)| *memory);
            assert_eq!(found, Some(CallMemory { allocations, bytes, peak }), "{name}");
        }
    }

    #[test]
    fn rounded_sizes_and_unknown_units_are_errors() {
        assert_eq!(parse_tally("3", "9.999 KB").unwrap(), (3, 9_999));
        for (count, size) in [("3", "10 KB"), ("3", "1.5 MB"), ("2.5", "8 B"), ("3", "8")] {
            assert!(parse_tally(count, size).is_err(), "{count}, {size}");
        }
    }
}
