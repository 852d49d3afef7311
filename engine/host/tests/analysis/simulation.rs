//! Seeded samples of known distributions, for tests of coverage and of change detection.

use std::cmp::Ordering;
use std::env;
use std::fmt;
use std::process::Command;

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::interval::Interval;
use rand::{RngExt, SeedableRng};
use statrs::distribution::{Binomial, DiscreteCDF};

/// The variable with the number of simulations.
const SIMULATIONS: &str = "BENCHBOOK_SIMULATIONS";

/// The number of simulations: of the variable, or else this many.
pub fn simulations(usually: u32) -> u32 {
    env::var(SIMULATIONS).map_or(usually, |number| number.parse().expect("a number of simulations"))
}

/// The number of simulations of most tests. A share of 95% of 2 000 has a standard error of 0.5 percentage points, and wrong methods
/// differ by several ([`super::coverage`]); the figures of docs/coverage.md are of 10 000, with a standard error of 0.2.
pub fn repeats() -> u32 {
    simulations(2_000)
}

/// The simulations of this folder and of the method as a whole, at the size of docs/coverage.md.
#[test]
#[ignore = "nightly: full-size simulations"]
fn simulations_hold_at_full_size() {
    for (module, number) in [("analysis::", "10000"), ("simulated::method::", "100")] {
        let program = env::current_exe().expect("this program has a path");
        let status = Command::new(program).arg(module).env(SIMULATIONS, number).status().expect("it starts");
        assert!(status.success(), "{module}");
    }
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    pub hits: u32,
    pub of: u32,
}

/// The probability below which a share refutes a claim.
const REFUTED: f64 = 0.001;

impl Share {
    pub fn count(&mut self, is_hit: bool) {
        self.hits += u32::from(is_hit);
        self.of += 1;
    }

    pub fn percent(self) -> f64 {
        100.0 * f64::from(self.hits) / f64::from(self.of.max(1))
    }

    /// Whether it refutes that the true share is at least `percent`.
    pub fn is_below(self, percent: f64) -> bool {
        self.of > 0 && self.binomial(percent).cdf(u64::from(self.hits)) < REFUTED
    }

    /// Compares the percentages.
    pub fn by_percent(&self, other: &Self) -> Ordering {
        self.percent().total_cmp(&other.percent())
    }

    /// The percentage without its sign.
    pub fn number(self) -> String {
        if self.of == 0 { "–".to_owned() } else { format!("{:.1}", self.percent()) }
    }

    /// Whether it refutes that the true share is at most `percent`.
    pub fn is_above(self, percent: f64) -> bool {
        self.hits > 0 && self.binomial(percent).sf(u64::from(self.hits) - 1) < REFUTED
    }

    fn binomial(self, percent: f64) -> Binomial {
        Binomial::new(percent / 100.0, u64::from(self.of)).expect("it is a probability")
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number(), if self.of == 0 { "" } else { "%" })
    }
}

/// A distribution of samples with a level of about 1.
#[derive(Clone, Copy)]
pub struct Distribution {
    pub name: &'static str,
    pub draw: fn(&mut Rng) -> f64,
    pub mean: f64,
}

pub const NORMAL: Distribution = Distribution { name: "normal", draw: |rng| 1.0 + 0.02 * normal(rng), mean: 1.0 };
pub const LOGNORMAL: Distribution =
    Distribution { name: "lognormal, sigma 1", draw: |rng| normal(rng).exp(), mean: 1.648_721_270_700_128 };
pub const EXPONENTIAL: Distribution =
    Distribution { name: "1 + exponential", draw: |rng| 1.0 - uniform(rng).ln(), mean: 2.0 };
pub const TWO_MODES: Distribution =
    Distribution { name: "80% at 1, 20% at 2", draw: |rng| modes(rng, 0.2, 2.0), mean: 1.2 };
pub const RARE_MODE: Distribution =
    Distribution { name: "90% at 1, 10% at 5", draw: |rng| modes(rng, 0.1, 5.0), mean: 1.4 };
pub const STUDENT_3: Distribution = Distribution { name: "10 + Student t of 3", draw: student_3, mean: 10.0 };
pub const PARETO_3: Distribution =
    Distribution { name: "Pareto 3", draw: |rng| uniform(rng).powf(-1.0 / 3.0), mean: 1.5 };

pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A number above 0 and at most 1.
pub fn uniform(rng: &mut Rng) -> f64 {
    1.0 - rng.random::<f64>()
}

/// A normal deviate with mean 0 and standard deviation 1, by G. E. P. Box and M. E. Muller (1958).
pub fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * uniform(rng).ln()).sqrt() * (std::f64::consts::TAU * uniform(rng)).cos()
}

fn modes(rng: &mut Rng, part: f64, slow: f64) -> f64 {
    let mode = if uniform(rng) < part { slow } else { 1.0 };
    mode * (1.0 + 0.02 * normal(rng))
}

fn student_3(rng: &mut Rng) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
    10.0 + normal(rng) / (squares / 3.0).sqrt()
}

/// The samples of a run: blocks of equal size.
#[derive(Clone, Debug)]
pub struct Samples {
    pub times: Vec<f64>,
    pub blocks: Vec<u32>,
}

impl Samples {
    /// `blocks` blocks of `size` samples each: `draw` receives the index of the sample and the value that `common`
    /// returned for its block.
    pub fn of<T>(blocks: u32, size: u32, mut common: impl FnMut() -> T, mut draw: impl FnMut(u32, &T) -> f64) -> Self {
        let mut times = Vec::with_capacity((blocks * size) as usize);
        for block in 0..blocks {
            let common = common();
            times.extend((0..size).map(|index| draw(block * size + index, &common)));
        }
        Self { times, blocks: vec![size; blocks as usize] }
    }

    /// Independent samples.
    pub fn independent(blocks: u32, size: u32, mut draw: impl FnMut() -> f64) -> Self {
        Self::of(blocks, size, || (), |_, ()| draw())
    }

    pub fn run(&self) -> RunTimes<'_> {
        RunTimes::without_overhead(&self.times, &self.blocks)
    }
}

/// The share of repeats, in percent, for which `is_hit` returns true.
pub fn share(repeats: u32, mut is_hit: impl FnMut() -> bool) -> f64 {
    100.0 * f64::from((0..repeats).filter(|_| is_hit()).count() as u32) / f64::from(repeats)
}

/// The share of intervals that contain `truth`, in percent; a missing interval counts as a miss.
pub fn coverage(truth: f64, mut interval: impl FnMut() -> Option<Interval>) -> f64 {
    share(repeats(), || interval().is_some_and(|interval| interval.contains(truth)))
}

/// Three standard errors of a share, in percentage points.
pub fn allowance(share: f64, repeats: u32) -> f64 {
    3.0 * (share * (100.0 - share) / f64::from(repeats)).sqrt()
}

/// Asserts a share of [`repeats`], in percent. If these are few, the tolerance is three standard errors.
#[track_caller]
pub fn assert_near(share: f64, expected: f64, within: f64, what: &str) {
    println!("{what}: {share:.1}%");
    let within = within.max(allowance(expected, repeats()));
    assert!((share - expected).abs() <= within, "{what}: {share:.2}% instead of {expected} ±{within:.1}%");
}
