//! Mean and standard deviation of the univariate sets of NIST's Statistical Reference Datasets
//! (<https://www.itl.nist.gov/div898/strd/univ/homepage.html>), in the public domain.
//!
//! The certified values have 15 digits. The test checks the log relative error of each set, the number of correct
//! digits: −log₁₀(|computed − certified| / |certified|), at most 15. The lag-1 autocorrelations of the values in
//! `nist/` also match the certified ones, so no value is missing, wrong or out of order.

use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::running::RunningStats;
use benchbook_host::analyze::statistics::{Basis, summarize};

struct Set {
    name: &'static str,
    values: Vec<f64>,
    n: u32,
    mean: f64,
    sd: f64,
    /// The required correct digits of the mean.
    mean_digits: f64,
    /// The required correct digits of the standard deviation.
    sd_digits: f64,
}

#[test]
fn mean_and_standard_deviation_match_the_certified_values() {
    let set =
        |name, values, n, mean, sd, mean_digits, sd_digits| Set { name, values, n, mean, sd, mean_digits, sd_digits };
    let sets = [
        set("PiDigits", pi_digits(), 5_000, 4.534_800_000_000_00, 2.867_339_060_288_71, 15.0, 14.9),
        set(
            "Lottery",
            read(include_str!("../nist/lottery.txt")),
            218,
            518.958_715_596_330,
            291.699_727_470_969,
            15.0,
            15.0,
        ),
        set("Lew", read(include_str!("../nist/lew.txt")), 200, -177.435_000_000_000, 277.332_168_044_316, 15.0, 15.0),
        set(
            "Mavro",
            read(include_str!("../nist/mavro.txt")),
            50,
            2.001_856_000_000_00,
            0.000_429_123_454_003_053,
            15.0,
            12.0,
        ),
        set(
            "Michelso",
            read(include_str!("../nist/michelso.txt")),
            100,
            299.852_400_000_000,
            0.079_010_547_819_051_8,
            15.0,
            13.0,
        ),
        set("NumAcc1", vec![10_000_001.0, 10_000_003.0, 10_000_002.0], 3, 10_000_002.0, 1.0, 15.0, 15.0),
        set("NumAcc2", alternating(1.2, 1.1, 1.3), 1_001, 1.2, 0.1, 15.0, 15.0),
        set("NumAcc3", alternating(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_001, 1_000_000.2, 0.1, 15.0, 9.0),
        set("NumAcc4", alternating(10_000_000.2, 10_000_000.1, 10_000_000.3), 1_001, 10_000_000.2, 0.1, 15.0, 8.0),
    ];
    for Set { name, values, n, mean, sd, mean_digits, sd_digits } in sets {
        let running: RunningStats = values.iter().copied().collect();
        assert_eq!(running.n(), n, "{name}");
        let digits = (correct_digits(running.mean().unwrap(), mean), correct_digits(running.sd(), sd));
        println!("{name}: {:.1} digits of the mean, {:.1} of the standard deviation", digits.0, digits.1);
        assert!(digits.0 >= mean_digits && digits.1 >= sd_digits, "{name}: {digits:?}");
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

fn read(text: &str) -> Vec<f64> {
    text.lines().map(|line| line.parse().expect("one number per line")).collect()
}

/// `first`, followed by `low` and `high` 500 times.
fn alternating(first: f64, low: f64, high: f64) -> Vec<f64> {
    std::iter::once(first).chain([low, high].repeat(500)).collect()
}

/// The certified set: the first 5 000 digits of π, except for the 957th, which is 8 in π and 3 in the set.
fn pi_digits() -> Vec<f64> {
    let mut digits = digits_of_pi(5_000);
    digits[956] = 3.0;
    digits
}

/// The first digits of π, by S. Rabinowitz and S. Wagon, "A spigot algorithm for the digits of π", *American
/// Mathematical Monthly* 102 (1995) 195–203.
fn digits_of_pi(count: usize) -> Vec<f64> {
    // A few extra digits, since the last ones may still be held back.
    let length = (count + 5) * 10 / 3 + 1;
    let mut remainders = vec![2_u64; length];
    let (mut digits, mut nines, mut held) = (Vec::with_capacity(count + 5), 0, None);
    for _ in 0..count + 5 {
        let mut carry = 0;
        for index in (0..length).rev() {
            let place = index as u64;
            let value = 10 * remainders[index] + carry * (place + 1);
            let divisor = if index == 0 { 10 } else { 2 * place + 1 };
            remainders[index] = value % divisor;
            carry = value / divisor;
        }
        match carry {
            9 => nines += 1,
            10 => {
                digits.extend(held.map(|digit| f64::from(digit + 1_u8)));
                digits.extend(std::iter::repeat_n(0.0, nines));
                (held, nines) = (Some(0), 0);
            }
            digit => {
                digits.extend(held.map(f64::from));
                digits.extend(std::iter::repeat_n(9.0, nines));
                (held, nines) = (Some(digit as u8), 0);
            }
        }
    }
    digits.truncate(count);
    digits
}
