//! The coverage of a point's intervals, by simulation; docs/coverage.md has these numbers.
//!
//! `BENCHBOOK_SIMULATIONS=10000 cargo test -p benchbook-host --test host coverage:: -- --nocapture` prints all of them.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::blocks::{MeanInterval, RunTimes, mean_interval};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::outliers::{Fences, Label};
use benchbook_host::analyze::running::RunningStats;
use benchbook_host::analyze::statistics::{Basis, Summary, summarize};
use benchbook_host::analyze::stopping::is_enough;

use super::simulation::{
    Distribution, EXPONENTIAL, LOGNORMAL, NORMAL, PARETO_3, RARE_MODE, STUDENT_3, Samples, TWO_MODES, assert_near,
    coverage, normal, repeats, rng, uniform,
};

/// A method that computes an interval of the mean from the samples of a run.
type Method = fn(&RunTimes<'_>) -> Option<Interval>;

fn production_method(run: &RunTimes<'_>) -> Option<Interval> {
    mean_interval(&[*run], 0.0)?.interval
}

/// Samples whose mean interval must cover the mean in 95 ±1.5% of cases.
struct Case {
    name: &'static str,
    blocks: u32,
    size: u32,
    /// The standard deviation between blocks.
    inputs: f64,
    distribution: Distribution,
}

const CASES: [Case; 8] = [
    case("few blocks", 4, 5, 0.0, NORMAL),
    case("one sample per block", 12, 1, 0.0, NORMAL),
    case("as many as usual", 16, 20, 0.0, NORMAL),
    case("inputs vary a little", 16, 20, 0.01, NORMAL),
    case("inputs vary as much as samples", 16, 20, 0.02, NORMAL),
    case("inputs vary more than samples", 32, 10, 0.2, NORMAL),
    case("two modes", 16, 20, 0.0, TWO_MODES),
    case("a rare mode, which is an extreme outlier", 32, 30, 0.0, RARE_MODE),
];

const fn case(name: &'static str, blocks: u32, size: u32, inputs: f64, distribution: Distribution) -> Case {
    Case { name, blocks, size, inputs, distribution }
}

impl Case {
    /// The coverage of each method in percent, for the same samples. Only a few intervals of fewer than 32 samples may be unavailable,
    /// because the samples happen to look skewed; these do not count.
    fn coverage<const N: usize>(&self, methods: [Method; N]) -> [f64; N] {
        let (mut samples, mut common) = (rng(1), rng(2));
        let (mut covered, mut withheld) = ([0; N], [0; N]);
        for _ in 0..repeats() {
            let inputs = || self.inputs * normal(&mut common);
            let samples =
                Samples::of(self.blocks, self.size, inputs, |_, input| (self.distribution.draw)(&mut samples) + input);
            for (index, method) in methods.iter().enumerate() {
                match method(&samples.run()) {
                    Some(interval) => covered[index] += u32::from(interval.contains(self.distribution.mean)),
                    None => withheld[index] += 1,
                }
            }
        }
        let most = if self.blocks * self.size < 32 { repeats() / 25 } else { 0 };
        assert!(withheld.iter().all(|&withheld| withheld <= most), "{}: {withheld:?} withheld", self.name);
        std::array::from_fn(|index| 100.0 * f64::from(covered[index]) / f64::from(repeats() - withheld[index]))
    }
}

/// The normal quantile instead of Student's.
fn normal_quantile(run: &RunTimes<'_>) -> Option<Interval> {
    let Interval { low, high } = production_method(run)?;
    let (mean, half) = ((low + high) / 2.0, (high - low) / 2.0);
    let degrees = run.blocks.len() as u32 - 1;
    let narrower = 1.959_964 / benchbook_host::analyze::student::t_quantile(degrees, 0.025);
    Some(Interval { low: mean - half * narrower, high: mean + half * narrower })
}

/// Samples instead of blocks.
fn independent_samples(run: &RunTimes<'_>) -> Option<Interval> {
    run.times.iter().copied().collect::<RunningStats>().mean_interval()
}

fn without_extreme_outliers(run: &RunTimes<'_>) -> Option<Interval> {
    let mut sorted = run.times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let fences = Fences::of(&sorted, 0.0)?;
    let retained = run.times.iter().copied().filter(|&time| fences.label(time) != Label::Extreme);
    retained.collect::<RunningStats>().mean_interval()
}

/// Three wrong methods show that a coverage of this many samples would reveal them.
#[test]
fn mean_interval_covers_the_mean_and_wrong_methods_do_not() {
    let mut are_detected = [false; 3];
    for case in CASES {
        let [ours, wrong @ ..] =
            case.coverage([production_method, normal_quantile, independent_samples, without_extreme_outliers]);
        assert_near(ours, 95.0, 1.5, case.name);
        println!("normal quantile, samples instead of blocks, extreme outliers excluded: {wrong:.1?}%");
        for (is_detected, coverage) in are_detected.iter_mut().zip(wrong) {
            *is_detected |= coverage < 92.0;
        }
    }
    assert_eq!(are_detected, [true; 3]);
}

/// The figures of several runs.
fn figures(runs: &[RunTimes<'_>], step_per_call: f64) -> Summary {
    summarize(&Basis { step_per_call, ..Basis::of(runs, 1) }).expect("there are samples")
}

#[test]
fn intervals_over_runs_cover_mean_and_median() {
    for (count, run_variation) in [(3, 0.01), (5, 0.0), (5, 0.01), (10, 0.05)] {
        let what = format!("{count} runs that vary by {run_variation}");
        let mut random = rng(3);
        let mut holds = [0, 0];
        for _ in 0..repeats() {
            let run = |rng: &mut Rng| {
                let level = 1.0 + run_variation * normal(rng);
                Samples::independent(4, 10, || level + 0.02 * normal(rng))
            };
            let runs: Vec<Samples> = (0..count).map(|_| run(&mut random)).collect();
            let figures = figures(&runs.iter().map(Samples::run).collect::<Vec<_>>(), 0.0);
            holds[0] += u32::from(figures.mean_interval.is_some_and(|interval| interval.contains(1.0)));
            // If runs differ strongly, there may be no interval; that does not count as a miss.
            holds[1] += u32::from(figures.median_interval.is_none_or(|interval| interval.contains(1.0)));
        }
        let [mean, median] = holds.map(|count| 100.0 * f64::from(count) / f64::from(repeats()));
        assert_near(mean, 95.0, 1.5, &format!("mean, {what}"));
        println!("median, {what}: {median:.1}%");
        assert!(median >= 93.5, "median, {what}: {median}%");
    }
}

#[test]
fn median_interval_covers_the_median() {
    for (blocks, size, inputs) in
        [(16, 20, 0.0), (16, 20, 0.01), (16, 20, 0.02), (32, 10, 0.1), (16, 20, 0.1), (16, 1, 0.0)]
    {
        let (mut samples, mut common) = (rng(4), rng(5));
        let covered = coverage(1.0, || {
            let inputs = || inputs * normal(&mut common);
            let samples = Samples::of(blocks, size, inputs, |_, input| (NORMAL.draw)(&mut samples) + input);
            figures(&[samples.run()], 0.0).median_interval
        });
        println!("median, {blocks} blocks of {size}, inputs vary by {inputs}: {covered:.1}%");
        // The interval is never narrower than that of order statistics, which covers at least 95%.
        assert!((93.5..=98.5).contains(&covered), "{blocks} blocks of {size}, inputs vary by {inputs}: {covered}%");
    }
}

/// How often intervals of the mean contain it, and how often they are unavailable, in percent.
struct Trust {
    /// Of all intervals that are not unavailable, those that contain the mean.
    covered: f64,
    withheld: f64,
    /// Of all intervals, those that are not unavailable and miss the mean.
    wrong: f64,
}

fn trust(distribution: Distribution, blocks: u32, size: u32) -> Trust {
    let mut rng = rng(6);
    let (mut covered, mut withheld) = (0, 0);
    for _ in 0..repeats() {
        let samples = Samples::independent(blocks, size, || (distribution.draw)(&mut rng));
        let MeanInterval { interval, is_doubtful, .. } =
            mean_interval(&[samples.run()], 0.0).expect("there are blocks");
        assert_eq!(interval.is_none(), is_doubtful);
        covered += u32::from(interval.is_some_and(|interval| interval.contains(distribution.mean)));
        withheld += u32::from(is_doubtful);
    }
    let share = |count: u32, all: u32| 100.0 * f64::from(count) / f64::from(all);
    let trust = Trust {
        covered: share(covered, repeats() - withheld),
        withheld: share(withheld, repeats()),
        wrong: share(repeats() - withheld - covered, repeats()),
    };
    let Trust { covered, withheld, wrong } = trust;
    println!(
        "{}, {blocks} blocks of {size}: covers {covered:.1}%, withheld {withheld:.1}%, wrong {wrong:.1}%",
        distribution.name
    );
    trust
}

#[test]
fn intervals_of_skewed_samples_cover_the_mean_or_are_withheld() {
    for distribution in [LOGNORMAL, EXPONENTIAL, TWO_MODES, RARE_MODE, STUDENT_3, PARETO_3] {
        for (blocks, size) in [(32, 1), (50, 1), (10, 4), (16, 20), (32, 30)] {
            let Trust { covered, withheld, .. } = trust(distribution, blocks, size);
            let what = format!("{}, {blocks} blocks of {size}", distribution.name);
            assert!(covered >= 93.0 && withheld == 0.0, "{what}: covers {covered}%, {withheld}% withheld");
        }
    }
    let Trust { covered, .. } = trust(STUDENT_3, 8, 1);
    assert!(covered >= 93.0, "{}, 8 blocks of 1: {covered}%", STUDENT_3.name);
    // There are too few samples for the transformation: an interval exists unless they look skewed.
    for distribution in [LOGNORMAL, EXPONENTIAL, TWO_MODES, STUDENT_3, PARETO_3] {
        for (blocks, size) in [(16, 1), (24, 1)] {
            let Trust { withheld, wrong, .. } = trust(distribution, blocks, size);
            let what = format!("{}, {blocks} blocks of {size}", distribution.name);
            assert!(wrong <= 9.0 && withheld >= 20.0, "{what}: {wrong}% wrong, {withheld}% withheld");
        }
    }
}

#[test]
fn intervals_of_normal_samples_are_rarely_withheld() {
    for (blocks, size, most) in [(16, 1, 4.0), (24, 1, 4.0), (32, 1, 0.0), (12, 20, 0.0), (16, 20, 0.0)] {
        let Trust { withheld, .. } = trust(NORMAL, blocks, size);
        assert!(withheld <= most, "{blocks} blocks of {size}: {withheld}%");
    }
}

#[test]
fn coverage_of_autocorrelated_samples_is_as_documented() {
    // A first-order autoregression with this coefficient; blocks follow each other without a pause.
    for (part, blocks, size, expected) in [
        (0.3, 16, 20, 95.5),
        (0.6, 16, 20, 95.5),
        (0.9, 16, 20, 94.8),
        (0.9, 32, 100, 95.6),
        (0.6, 32, 10, 95.3),
        (0.9, 32, 10, 95.0),
        (0.9, 32, 1, 93.9),
    ] {
        let mut rng = rng(7);
        let scale = f64::sqrt(1.0 - part * part);
        let covered = coverage(1.0, || {
            let mut noise = normal(&mut rng);
            let next = || {
                noise = part * noise + scale * normal(&mut rng);
                1.0 + 0.02 * noise
            };
            production_method(&Samples::independent(blocks, size, next).run())
        });
        assert_near(covered, expected, 1.0, &format!("{blocks} blocks of {size}, {part} of the one before"));
    }
}

#[test]
fn coverage_on_a_coarse_clock_is_as_documented() {
    // Batches of duration 1.03 with a standard deviation of 0.02 or 0, read with a clock of these steps, starting at
    // any phase of a step.
    for (step, sd, blocks, size) in [
        (0.05, 0.02, 16, 20),
        (0.2, 0.02, 16, 20),
        (0.5, 0.02, 16, 20),
        (0.5, 0.0, 16, 20),
        (0.3, 0.0, 16, 20),
        (0.5, 0.02, 16, 1),
    ] {
        let mut rng = rng(8);
        let covered = coverage(1.03, || {
            let read = || {
                let start = uniform(&mut rng) * step;
                let end = start + 1.03 + sd * normal(&mut rng);
                (end / step).floor() * step - (start / step).floor() * step
            };
            let samples = Samples::independent(blocks, size, read);
            mean_interval(&[samples.run()], step)?.interval
        });
        println!("steps of {step}, sd {sd}, {blocks} blocks of {size}: {covered:.1}%");
        assert!(covered >= 94.0, "steps of {step}, sd {sd}, {blocks} blocks of {size}: {covered}%");
    }
}

#[test]
fn coverage_holds_under_the_stopping_rule() {
    for target in [0.2, 0.05, 0.02, 0.01, 0.005] {
        // The standard deviation of a block's mean relative to the target, from a value at which a few blocks suffice.
        for noise in [0.5, 1.5, 2.0, 3.0, 4.0, 8.0] {
            let mut rng = rng(9);
            let covered = coverage(1.0, || {
                let mut running = RunningStats::default();
                loop {
                    running.push(1.0 + noise * target * normal(&mut rng));
                    let interval = running.mean_interval();
                    if is_enough(running.relative_half_width(), target, running.n()) || running.n() == 400 {
                        return interval;
                    }
                }
            });
            assert_near(covered, 95.0, 1.5, &format!("stopped at {target}, noise {noise} times as large"));
        }
    }
}
