//! Which of several commits changed the time. Each is measured in turn with the last one, in pairs of builds, until it is clear which end it is like.

use anyhow::{Context, Result, bail, ensure};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::units::{plus_minus, relative_change};

use super::search::{Commits, FoundCommits};
use crate::arguments::SetArgument;
use crate::check::measure::{BaselineRevision, BothBuilds, BuildCounter, Measurer, PairedPoint, ThisMachine};
use crate::commands::pinpoint::time::{PairedTimes, paired_plan};
use crate::project::selection::SelectedFunction;
use crate::project::suite_options::SuiteOptions;
use crate::project::{OpenedSuite, Project};

/// The pairs of builds of a round.
const PAIRS: u32 = 6;

/// The most rounds of a commit, each with other layouts.
const ROUNDS: usize = 3;

/// The axis values at which both ends are measured.
const POINTS: usize = 3;

/// The probability that the commit is among those that a search finds, if there is only one.
pub(super) const CONFIDENCE: f64 = 0.95;

/// What to measure, natively. The last commit is that of the project.
#[derive(Clone, Copy)]
pub(super) struct Timing<'a> {
    pub(super) project: &'a Project,
    pub(super) options: &'a SuiteOptions,
    pub(super) suites: &'a [OpenedSuite],
    pub(super) selected: SelectedFunction<'a>,
    pub(super) generator: Option<&'a str>,
    pub(super) set: &'a [SetArgument],
}

/// Both ends of a range of commits, measured.
pub(super) struct TimedEnds<'a> {
    timing: Timing<'a>,
    /// The axis value at which they differ most clearly.
    pub(super) x: AxisValue,
    /// The name of the axis.
    pub(super) axis: String,
    /// The change of the time from the first commit to the last one, with its interval.
    pub(super) change: Difference,
    /// For each pair, the logarithm of the time of the last commit divided by that of the first one.
    ln_ratios: Vec<f64>,
    level: f64,
}

impl<'a> TimedEnds<'a> {
    /// Measures the first commit in turn with the last one. `count`: the number of commits after the first one.
    ///
    /// # Errors
    /// If they cannot be compared, or if no difference is found.
    pub(super) fn measure(timing: Timing<'a>, first: BaselineRevision, count: usize) -> Result<Self> {
        let level = level(count);
        let axis = timing.selected.plan(timing.selected.request(timing.generator, timing.set)?)?.axis_name().to_owned();
        let is_clear = |points: &[PairedPoint]| points.iter().any(|point| excludes_zero(&point.ln_ratios, level));
        let PairedTimes::Measured(points) = timing.measure(first, None, is_clear)? else {
            bail!("both ends have the same machine code for the function, so there is nothing to find");
        };
        let clearest = points.into_iter().max_by(|one, other| {
            let [one, other] = [one, other].map(|point| clarity(&point.ln_ratios));
            one.total_cmp(&other)
        });
        let PairedPoint { x, ln_ratios, .. } = clearest.context("the commits have no axis value in common")?;
        let change =
            Difference::of_pairs(&ln_ratios, CONFIDENCE).context("fewer than two pairs of builds were measured")?;
        ensure!(
            excludes_zero(&ln_ratios, level),
            "no difference between the times of both ends is certain: {} ({}). Choose other inputs with `--set`, or another range",
            relative_change(change.relative),
            plus_minus(change.half_width())
        );
        Ok(Self { timing, x, axis, change, ln_ratios, level })
    }

    /// Finds the first commit that takes as long as the last one rather than as the first one. `names`: of both ends.
    pub(super) fn search(&self, commits: &Commits<'_>, names: [&str; 2]) -> FoundCommits {
        commits.search(names, |hash| {
            let commit = BaselineRevision::find(self.timing.project, hash)?;
            let is_like_last = |points: &[PairedPoint]| {
                points.first().and_then(|point| is_like_last(&self.ln_ratios, &point.ln_ratios, self.level))
            };
            let times =
                self.timing.measure(commit, Some((&self.axis, &self.x)), |points| is_like_last(points).is_some())?;
            Ok(match times {
                PairedTimes::SameCode => Some(true),
                PairedTimes::Measured(points) => is_like_last(&points),
            })
        })
    }
}

impl Timing<'_> {
    /// Measures a commit in turn with the last one, in rounds, until the pairs of all rounds are enough. `at`: the name of the axis, and its only value.
    fn measure(
        &self,
        commit: BaselineRevision,
        at: Option<(&str, &AxisValue)>,
        is_enough: impl Fn(&[PairedPoint]) -> bool,
    ) -> Result<PairedTimes> {
        let plan = paired_plan(self.project, &self.selected, self.generator, self.set, at, PAIRS)?;
        let counter = BuildCounter::new(self.project.clone());
        let current = ThisMachine { suites: self.suites, counter: &counter };
        let mut both = BothBuilds::new(self.project, self.options, current, commit, &plan, &[])?;
        let mut all: Vec<PairedPoint> = Vec::new();
        for _ in 0..ROUNDS {
            let PairedTimes::Measured(points) = PairedTimes::of(both.measure(&plan.checks[0])?)? else {
                return Ok(PairedTimes::SameCode);
            };
            for point in points {
                match all.iter_mut().find(|known| known.x == point.x) {
                    Some(known) => known.ln_ratios.extend(point.ln_ratios),
                    None => all.push(point),
                }
            }
            if is_enough(&all) {
                break;
            }
            both.vary_conditions();
        }
        Ok(PairedTimes::Measured(all))
    }
}

/// The confidence of each interval: by Bonferroni's inequality, all decisions of a search are right with the probability [`CONFIDENCE`]. `count`: the
/// number of commits after the first one.
fn level(count: usize) -> f64 {
    let decisions = POINTS + count.ilog2() as usize + 1;
    1.0 - (1.0 - CONFIDENCE) / (decisions * ROUNDS) as f64
}

fn excludes_zero(ln_ratios: &[f64], level: f64) -> bool {
    Difference::of_pairs(ln_ratios, level).is_some_and(|change| change.interval.low > 0.0 || change.interval.high < 0.0)
}

/// How far the mean is from zero, in half-widths of its interval.
fn clarity(ln_ratios: &[f64]) -> f64 {
    Difference::of_pairs(ln_ratios, CONFIDENCE).map_or(0.0, |change| (change.relative / change.half_width()).abs())
}

/// Whether a commit is like the last one rather than like the first one; `None` while that is undecided. It is decided if the interval of the difference
/// between the logarithm of its ratio and the middle of both ends excludes zero, by [Welch's method](Difference::of). `of_first` and `of_commit`: for each
/// pair, the logarithm of the time of the last commit divided by that of the first one and of this one.
fn is_like_last(of_first: &[f64], of_commit: &[f64], level: f64) -> Option<bool> {
    let sign = Difference::of_pairs(of_first, level)?.relative.signum();
    let scaled =
        |ln_ratios: &[f64], factor: f64| -> Vec<f64> { ln_ratios.iter().map(|ratio| factor * ratio).collect() };
    let interval = Difference::of(&scaled(of_first, sign / 2.0), &scaled(of_commit, sign), level)?.interval;
    (interval.high < 0.0 || interval.low > 0.0).then_some(interval.high < 0.0)
}

#[cfg(test)]
mod tests {
    use benchbook_contract::rng::Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::commands::pinpoint::bisect::search::first_different;

    /// How the ratios of pairs vary.
    #[derive(Clone, Copy, Debug)]
    enum Noise {
        Uniform,
        /// One pair in twenty is far off.
        Outliers,
        /// Most layouts are alike, and a few are slower.
        TwoLevels,
        /// A Laplace distribution.
        Peaked,
    }

    impl Noise {
        /// The logarithm of a ratio, with a standard deviation of about 1.
        fn draw(self, rng: &mut Rng) -> f64 {
            let mut uniform = || rng.random::<f64>();
            match self {
                Self::Uniform => 12.0_f64.sqrt() * (uniform() - 0.5),
                Self::Outliers if uniform() < 0.05 => 12.0 * (uniform() - 0.5),
                Self::Outliers => 3.0 * (uniform() - 0.5),
                Self::TwoLevels => (if uniform() < 0.2 { 1.8 } else { -0.45 }) + uniform() - 0.5,
                Self::Peaked => (uniform().ln() - uniform().ln()) / 2.0_f64.sqrt(),
            }
        }
    }

    /// The pairs of a commit, in rounds until they are enough.
    fn pairs(noise: Noise, mean: f64, deviation: f64, rng: &mut Rng, is_enough: impl Fn(&[f64]) -> bool) -> Vec<f64> {
        let mut pairs = Vec::new();
        for _ in 0..ROUNDS {
            pairs.extend((0..PAIRS).map(|_| mean + deviation * noise.draw(rng)));
            if is_enough(&pairs) {
                break;
            }
        }
        pairs
    }

    #[test]
    fn searches_contain_the_commit_as_often_as_stated() {
        const SEARCHES: usize = 400;
        let mut rng = Rng::seed_from_u64(7);
        for noise in [Noise::Uniform, Noise::Outliers, Noise::TwoLevels, Noise::Peaked] {
            for (slowdown, least_exact) in [(0.1, 0.95), (0.03, 0.5), (0.012, 0.0), (-0.1, 0.95)] {
                let (mut found, mut wrong, mut exact) = (0, 0, 0);
                for _ in 0..SEARCHES {
                    let last = rng.random_range(1..40_usize);
                    let first_slow = rng.random_range(1..=last);
                    let level = level(last);
                    let (effect, deviation) = (f64::ln(1.0 + slowdown), 0.01);
                    let ends = pairs(noise, effect, deviation, &mut rng, |pairs| excludes_zero(pairs, level));
                    if !excludes_zero(&ends, level) {
                        continue;
                    }
                    found += 1;
                    let FoundCommits { before, after } = first_different(last, |index| {
                        let mean = if index < first_slow { effect } else { 0.0 };
                        let decided = |pairs: &[f64]| is_like_last(&ends, pairs, level);
                        decided(&pairs(noise, mean, deviation, &mut rng, |pairs| decided(pairs).is_some()))
                    });
                    wrong += usize::from(first_slow <= before || first_slow > after);
                    exact += usize::from(first_slow == after && before + 1 == after);
                }
                let share = |count: usize| count as f64 / f64::from(found);
                println!("{noise:?}, {slowdown}: {found} found, {wrong} wrong, {:.2} exact", share(exact));
                assert!(share(wrong) <= 1.0 - CONFIDENCE, "{noise:?}, {slowdown}: {wrong} of {found} are wrong");
                assert!(share(exact) >= least_exact, "{noise:?}, {slowdown}: {exact} of {found} are exact");
            }
        }
    }

    #[test]
    fn a_commit_between_both_ends_is_undecided() {
        let of_first = [0.11, 0.10, 0.09, 0.10];
        assert_eq!(is_like_last(&of_first, &[0.001, -0.001, 0.002], 0.95), Some(true));
        assert_eq!(is_like_last(&of_first, &[0.101, 0.099, 0.102], 0.95), Some(false));
        assert_eq!(is_like_last(&of_first, &[0.02, 0.05, 0.08], 0.95), None);
        let faster = of_first.map(|ratio| -ratio);
        assert_eq!(is_like_last(&faster, &[0.001, -0.001, 0.002], 0.95), Some(true));
        assert_eq!(is_like_last(&faster, &[-0.101, -0.099, -0.102], 0.95), Some(false));
    }
}
