//! The measurements of a benchmark, in the order in which they run.

use std::time::Duration;

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
/// all of them. The references of a function are in the middle of its repeats, for the same reason. `in_rounds`: each repeat measures all
/// functions; otherwise, the repeats of a function follow one another.
pub(crate) fn steps(
    functions: &[&'static str],
    points: &[Harness],
    pairs: &[&'static str],
    repeats: u32,
    in_rounds: bool,
) -> Vec<PeerStep> {
    let mut steps = Vec::new();
    let of_points = |functions: &[&'static str], points: &[Harness], repeat| {
        let step = |function, harness| PeerStep { function, harness, repeat };
        let of_function = |function| points.iter().map(move |&harness| step(function, harness));
        functions.iter().copied().flat_map(of_function).collect::<Vec<_>>()
    };
    let references: Vec<Harness> = points.iter().copied().filter(|harness| harness.reference() == *harness).collect();
    for functions in functions.chunks(if in_rounds { functions.len().max(1) } else { 1 }) {
        for number in 1..=repeats {
            steps.extend(of_points(functions, points, Repeat::Number(number)));
            if number == repeats.div_ceil(2) {
                steps.extend(of_points(functions, &references, Repeat::Reference));
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

/// How long to wait until `minutes` after the previous repeat, which started at `previous`. Both times are in seconds since 1970. No longer than that if
/// the clock was set back since.
pub(crate) fn pause(previous: u64, now: u64, minutes: u32) -> Duration {
    let most = 60 * u64::from(minutes);
    Duration::from_secs((previous + most).saturating_sub(now).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_is_scheduled_once() {
        for in_rounds in [false, true] {
            let points = [Harness::NATIVE.as_slice(), &Harness::BROWSER].concat();
            let all = steps(&["mix", "sum"], &points, &PAIRS, 3, in_rounds);
            // Per function: ten configurations with three repeats, and six references. Per comparison: three configurations.
            assert_eq!(all.len(), 2 * (10 * 3 + 6) + 2 * 3 * 3);
            for (index, step) in all.iter().enumerate() {
                assert!(!all[..index].contains(step), "{step:?}");
            }
            let reference = all.iter().position(|step| step.repeat == Repeat::Reference).unwrap();
            assert_eq!(all[reference - 1].repeat, Repeat::Number(2), "in the middle");
        }
    }

    #[test]
    fn a_round_measures_all_functions() {
        let order = |in_rounds| {
            let all = steps(&["mix", "sum"], &[Harness::BenchbookThird], &[], 2, in_rounds);
            all.iter().map(|step| format!("{} {}", step.function, step.repeat)).collect::<Vec<_>>()
        };
        assert_eq!(order(false), ["mix repeat 1", "mix repeat 2", "sum repeat 1", "sum repeat 2"]);
        assert_eq!(order(true), ["mix repeat 1", "sum repeat 1", "mix repeat 2", "sum repeat 2"]);
    }

    #[test]
    fn a_measurement_waits_for_its_previous_repeat() {
        for (previous, now, expected) in [(1_000, 1_010, 350), (1_000, 1_360, 0), (1_000, 2_000, 0), (1_000, 10, 360)] {
            assert_eq!(pause(previous, now, 6), Duration::from_secs(expected), "{previous}, {now}");
        }
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
