//! The measurements of a benchmark, in the order in which they run.

use super::harness::Harness;
use super::records::Repeat;

/// The functions, from the fastest to the slowest: the names in `tests/peers/functions`.
pub(crate) const FUNCTIONS: [&str; 10] = [
    "mix",
    "find",
    "format_number",
    "sum",
    "double_all",
    "walk_100",
    "hash_text",
    "sort_copy",
    "count_distinct",
    "sieve",
];

/// Functions that show why harnesses disagree. They are measured only if they are named, and count for no goal.
pub(crate) const EXPERIMENTS: [&str; 2] = ["identity", "format_length"];

/// The functions that are compared with the baseline: one that takes 1% longer, and the baseline itself.
pub(crate) const PAIRS: [&str; 2] = [LONGER, SAME];

/// The function that takes 1% longer than the baseline.
pub(crate) const LONGER: &str = "longer";

/// The baseline again.
pub(crate) const SAME: &str = "same";

/// The repeats of each measurement; fewer if the benchmark is quick.
pub(crate) const REPEATS: u32 = 20;

/// The repeats of a quick benchmark. Its figures are approximate.
pub(crate) const QUICK_REPEATS: u32 = 3;

/// A measurement to carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeerStep {
    pub(crate) function: &'static str,
    pub(crate) harness: Harness,
    pub(crate) repeat: Repeat,
}

/// All measurements of these functions in these configurations, and of these comparisons. The harnesses alternate, so that a change of the machine affects
/// all of them. The references of a function are in the middle of its repeats, for the same reason.
pub(crate) fn steps(
    functions: &[&'static str],
    points: &[Harness],
    pairs: &[&'static str],
    repeats: u32,
) -> Vec<PeerStep> {
    let mut steps = Vec::new();
    for &function in functions {
        for number in 1..=repeats {
            let repeat = Repeat::Number(number);
            steps.extend(points.iter().map(|&harness| PeerStep { function, harness, repeat }));
            if number == repeats.div_ceil(2) {
                let references = points.iter().copied().filter(|harness| harness.reference() == *harness);
                steps.extend(references.map(|harness| PeerStep { function, harness, repeat: Repeat::Reference }));
            }
        }
    }
    for number in 1..=repeats {
        let repeat = Repeat::Number(number);
        for &function in pairs {
            steps.extend(Harness::PAIRS.map(|harness| PeerStep { function, harness, repeat }));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_is_scheduled_once() {
        let all = steps(&["mix", "sum"], &[Harness::NATIVE.as_slice(), &Harness::BROWSER].concat(), &PAIRS, 3);
        // Per function: ten configurations with three repeats, and six references. Per comparison: three configurations.
        assert_eq!(all.len(), 2 * (10 * 3 + 6) + 2 * 3 * 3);
        for (index, step) in all.iter().enumerate() {
            assert!(!all[..index].contains(step), "{step:?}");
        }
        let reference = all.iter().position(|step| step.repeat == Repeat::Reference).unwrap();
        assert_eq!(all[reference - 1].repeat, Repeat::Number(2), "in the middle");
    }
    #[test]
    fn the_functions_are_those_of_the_harnesses() {
        let source = include_str!("../../../tests/peers/functions/src/lib.rs");
        let declared = source.lines().filter_map(|line| line.trim().split_once(": ").filter(|_| line.contains(" => ")));
        let declared: Vec<&str> = declared.map(|(name, _)| name).filter(|name| *name != "walk_101").collect();
        let (experiments, functions): (Vec<&str>, Vec<&str>) =
            declared.into_iter().partition(|name| EXPERIMENTS.contains(name));
        assert_eq!((functions.as_slice(), experiments.as_slice()), (FUNCTIONS.as_slice(), EXPERIMENTS.as_slice()));
    }

    #[test]
    fn the_lock_file_names_no_private_registry() {
        let lock = include_str!("../../../tests/peers/Cargo.lock");
        let sources: Vec<&str> = lock.lines().filter(|line| line.starts_with("source = ")).collect();
        assert!(sources.len() > 100, "{}", sources.len());
        for source in sources {
            assert_eq!(source, r#"source = "registry+https://github.com/rust-lang/crates.io-index""#);
        }
    }
}
