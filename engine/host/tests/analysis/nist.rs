//! Mean and standard deviation of the univariate sets of NIST's Statistical Reference Datasets
//! (<https://www.itl.nist.gov/div898/strd/univ/homepage.html>), in the public domain.
//!
//! The certified values have 15 digits. The test checks the log relative error of each set, the number of correct
//! digits: −log₁₀(|computed − certified| / |certified|), at most 15. The lag-1 autocorrelations of the values in
//! `nist/` also match the certified ones, so no value is missing, wrong or out of order.

use std::fs;
use std::path::Path;

use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::running::RunningStats;
use benchbook_host::analyze::statistics::{Basis, summarize};

/// The values, their number, mean and standard deviation, and the required correct digits of these two.
type Set = (&'static str, Vec<f64>, u32, [f64; 2], [f64; 2]);

#[test]
fn mean_and_standard_deviation_match_the_certified_values() {
    let sets: [Set; 9] = [
        // All digits except for the 957th, which is 8 in π and 3 in the set.
        ("PiDigits", digits("pidigits"), 5_000, [4.534_800_000_000_00, 2.867_339_060_288_71], [15.0, 14.9]),
        ("Lottery", read("lottery"), 218, [518.958_715_596_330, 291.699_727_470_969], [15.0, 15.0]),
        ("Lew", read("lew"), 200, [-177.435_000_000_000, 277.332_168_044_316], [15.0, 15.0]),
        ("Mavro", read("mavro"), 50, [2.001_856_000_000_00, 0.000_429_123_454_003_053], [15.0, 12.0]),
        ("Michelso", read("michelso"), 100, [299.852_400_000_000, 0.079_010_547_819_051_8], [15.0, 13.0]),
        ("NumAcc1", vec![10_000_001.0, 10_000_003.0, 10_000_002.0], 3, [10_000_002.0, 1.0], [15.0, 15.0]),
        ("NumAcc2", alternating(1.2, 1.1, 1.3), 1_001, [1.2, 0.1], [15.0, 15.0]),
        ("NumAcc3", alternating(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_001, [1_000_000.2, 0.1], [15.0, 9.0]),
        ("NumAcc4", alternating(10_000_000.2, 10_000_000.1, 10_000_000.3), 1_001, [10_000_000.2, 0.1], [15.0, 8.0]),
    ];
    for (name, values, n, [mean, sd], required) in sets {
        let running: RunningStats = values.iter().copied().collect();
        assert_eq!(running.n(), n, "{name}");
        let digits = [correct_digits(running.mean().unwrap(), mean), correct_digits(running.sd(), sd)];
        println!("{name}: {:.1} digits of the mean, {:.1} of the standard deviation", digits[0], digits[1]);
        assert!(digits[0] >= required[0] && digits[1] >= required[1], "{name}: {digits:?}");
        // None of the sets has extreme outliers, so the summary must have equal figures.
        let blocks = vec![1; values.len()];
        let runs = [RunTimes::without_overhead(&values, &blocks)];
        let summary = summarize(&Basis::of(&runs, u64::from(n))).unwrap();
        assert_eq!((Some(summary.mean), summary.sd), (running.mean(), running.sd()), "{name}");
    }
}

fn correct_digits(computed: f64, certified: f64) -> f64 {
    (-((computed - certified) / certified).abs().log10()).min(15.0)
}

/// The text of a set in `nist/`.
fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nist");
    fs::read_to_string(folder.join(format!("{name}.txt"))).expect(name)
}

fn read(name: &str) -> Vec<f64> {
    text(name).lines().map(|line| line.parse().expect("one number per line")).collect()
}

fn digits(name: &str) -> Vec<f64> {
    text(name).chars().filter_map(|digit| digit.to_digit(10)).map(f64::from).collect()
}

/// `first`, followed by `low` and `high` 500 times.
fn alternating(first: f64, low: f64, high: f64) -> Vec<f64> {
    std::iter::once(first).chain([low, high].repeat(500)).collect()
}
