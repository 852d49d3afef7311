//! The harnesses in Chromium: the arguments of the program that drives them. Its output is that of Benchbook's program.

use std::path::Path;

/// tinybench's default time, with its warm-up of a quarter of a second.
pub(crate) const TINYBENCH_SECONDS: &str = "1.25";

/// mitata's default time.
pub(crate) const MITATA_SECONDS: &str = "0.642";

/// Workers of a reference: together they take about 20 s of samples.
const TINYBENCH_REFERENCE_WORKERS: u32 = 20;

/// As [`TINYBENCH_REFERENCE_WORKERS`].
const MITATA_REFERENCE_WORKERS: u32 = 31;

/// The arguments of Benchbook. `seconds`: the time; absent for the reference.
pub(crate) fn benchbook_arguments(suite: &Path, function: &str, seconds: Option<&str>) -> Vec<String> {
    ["benchbook", &suite.to_string_lossy(), function, seconds.unwrap_or("reference")].map(str::to_owned).to_vec()
}

/// The arguments of tinybench.
pub(crate) fn tinybench_arguments(module: &Path, script: &Path, function: &str, is_reference: bool) -> Vec<String> {
    arguments("tinybench", [module, script], function, if is_reference { TINYBENCH_REFERENCE_WORKERS } else { 1 })
}

/// The arguments of mitata.
pub(crate) fn mitata_arguments(module: &Path, script: &Path, function: &str, is_reference: bool) -> Vec<String> {
    arguments("mitata", [module, script], function, if is_reference { MITATA_REFERENCE_WORKERS } else { 1 })
}

fn arguments(harness: &str, [module, script]: [&Path; 2], function: &str, workers: u32) -> Vec<String> {
    let [module, script] = [module, script].map(Path::to_string_lossy);
    [harness, &module, &script, function, &workers.to_string()].map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::benchbook::parse;

    #[test]
    fn a_recorded_line_states_the_time_of_the_measurement() {
        let figures = parse(include_str!("fixtures/tinybench-sum.json")).unwrap();
        assert!(figures.interval().is_some() && figures.median.is_some(), "{figures:?}");
        assert!(figures.wall_seconds.is_some_and(|seconds| (1.0..5.0).contains(&seconds)), "{figures:?}");
        let figures = parse(include_str!("fixtures/mitata-sum.json")).unwrap();
        assert_eq!((figures.interval(), figures.is_different), (None, None), "mitata states no interval");
    }

    #[test]
    fn a_reference_has_more_workers() {
        let [module, script] = ["m", "s"].map(Path::new);
        assert_eq!(tinybench_arguments(module, script, "sum", true), ["tinybench", "m", "s", "sum", "20"]);
        assert_eq!(mitata_arguments(module, script, "sum", false), ["mitata", "m", "s", "sum", "1"]);
        assert_eq!(benchbook_arguments(module, "sum", None), ["benchbook", "m", "sum", "reference"]);
    }

    #[test]
    fn the_exports_are_those_of_every_function() {
        let source = include_str!("../../../tests/peers/wasm/src/main.rs");
        assert!(source.contains("peer_functions::each_function!(export);"));
    }
}
