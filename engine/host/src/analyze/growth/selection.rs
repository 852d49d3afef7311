//! The choice of a class.

use benchbook_contract::rng::{Rng, seeded};
use rand::RngExt;

use super::class::GrowthClass;
use super::exponent::Exponent;
use super::fit::{ClassFit, fit, is_applicable, refit};
use super::points::LogPoints;
use crate::analyze::interval::Interval;

/// How often the points are resampled.
const RESAMPLES: u32 = 200;

/// The share of the resamples in which a class must be the best one.
pub const MIN_SUPPORT: f64 = 0.9;

/// The share of the resamples from which on a class is a candidate if none has enough support.
const MIN_CANDIDATE_SUPPORT: f64 = 0.05;

/// The improvement of the criterion that growth needs over a constant. A slope of noise alone reaches it once in about
/// 50 000 curves of 17 points: exp(20 / 17) is the ratio of the squares, so F(1, 15) is over 33.
const GROWTH_EVIDENCE: f64 = 20.0;

/// The improvement of the criterion over the second best class that a class needs.
const MIN_MARGIN: f64 = 6.0;

/// The largest factor by which a curve may grow over its range, by the interval of its exponent, to be called constant.
const MAX_CONSTANT_GROWTH: f64 = 1.5;

/// A fitted curve that grows less than this over its whole range counts as constant.
const MIN_GROWTH: f64 = 1.1;

/// The improvement of the criterion that a break needs over the best curve without one.
const BREAK_EVIDENCE: f64 = 10.0;

/// The smallest factor of a break.
const MIN_BREAK: f64 = 1.15;

/// The fewest points on either side of a break.
const MIN_SIDE: usize = 3;

/// The best fits of the classes.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    /// The fits of all applicable classes, best first, each with the share of the resamples in which it is the best one.
    pub(super) ranking: Vec<(ClassFit, f64)>,
    /// Whether there is enough evidence for the first class.
    pub(super) is_decided: bool,
}

impl Selection {
    /// Selects among all classes. The result is a function of the points.
    pub(super) fn new(points: &LogPoints, exponent: &Exponent) -> Self {
        let classes = GrowthClass::ALL.into_iter().filter(|class| is_applicable(*class, points));
        let smooth: Vec<ClassFit> = ranked(classes.map(|class| fit(class, points, None)).collect());
        let broken = ranked(smooth.iter().filter_map(|smooth| best_break(smooth.class, points)).collect());
        let fits = match broken.first() {
            Some(best) if best.criterion + BREAK_EVIDENCE <= smooth[0].criterion => broken,
            _ => smooth,
        };
        let supports = supports(&fits, points);
        let ranking: Vec<(ClassFit, f64)> = fits.into_iter().zip(supports).collect();
        // However precise the times are, a curve that hardly grows is best described as constant.
        let ranking = if ranking[0].0.growth(points) < MIN_GROWTH { constant_first(ranking) } else { ranking };
        let is_decided = match ranking[0].0 {
            ClassFit { class: GrowthClass::Constant, break_at: None, .. } => hardly_grows(exponent, points),
            ClassFit { class: GrowthClass::Constant, .. } => ranking[0].1 >= MIN_SUPPORT,
            _ => ranking[0].1 >= MIN_SUPPORT && has_margin(&ranking) && grows(&ranking[0].0, points),
        };
        Self { ranking, is_decided }
    }

    /// The classes that are the best ones in some resamples, or not clearly worse than the best one; best first.
    pub(super) fn candidates(&self) -> Vec<GrowthClass> {
        let best = self.ranking[0].0.criterion;
        let is_candidate =
            |(fit, support): &&(ClassFit, f64)| *support >= MIN_CANDIDATE_SUPPORT || fit.criterion < best + MIN_MARGIN;
        let mut candidates: Vec<_> = self.ranking.iter().filter(is_candidate).map(|(fit, _)| fit.class).collect();
        if candidates.len() < 2 {
            candidates = self.ranking.iter().take(2).map(|(fit, _)| fit.class).collect();
        }
        candidates
    }
}

fn constant_first(ranking: Vec<(ClassFit, f64)>) -> Vec<(ClassFit, f64)> {
    let (mut constant, others): (Vec<_>, Vec<_>) =
        ranking.into_iter().partition(|(fit, _)| fit.class == GrowthClass::Constant);
    constant.extend(others);
    constant
}

/// Whether the interval of a curve's growth over the whole range is within a factor of [`MAX_CONSTANT_GROWTH`].
fn hardly_grows(exponent: &Exponent, points: &LogPoints) -> bool {
    let Interval { low, high } = exponent.interval;
    low.abs().max(high.abs()) * points.range().ln() <= MAX_CONSTANT_GROWTH.ln()
}

/// Whether a class is clearly better than a constant.
fn grows(best: &ClassFit, points: &LogPoints) -> bool {
    let constant = fit(GrowthClass::Constant, points, best.break_at.map(|at| at.index));
    best.criterion + GROWTH_EVIDENCE <= constant.criterion
}

/// Whether the first class is better than the second one by [`MIN_MARGIN`].
fn has_margin(ranking: &[(ClassFit, f64)]) -> bool {
    ranking.get(1).is_none_or(|(second, _)| ranking[0].0.criterion + MIN_MARGIN <= second.criterion)
}

impl ClassFit {
    /// The factor by which the fitted curve grows over the range, without its break.
    fn growth(&self, points: &LogPoints) -> f64 {
        let [first, last] = [points.x[0], points.x[points.len() - 1]].map(|x| self.class.value(x));
        1.0 / (self.intercept + (1.0 - self.intercept) * first / last)
    }
}

fn ranked(mut fits: Vec<ClassFit>) -> Vec<ClassFit> {
    fits.sort_by(|one, other| one.criterion.total_cmp(&other.criterion));
    fits
}

/// The best fit of a class with a break.
fn best_break(class: GrowthClass, points: &LogPoints) -> Option<ClassFit> {
    let fits = (MIN_SIDE..=points.len() - MIN_SIDE).map(|index| fit(class, points, Some(index)));
    let is_large = |fit: &ClassFit| fit.break_at.is_some_and(|at| at.factor.max(1.0 / at.factor) >= MIN_BREAK);
    fits.filter(is_large).min_by(|one, other| one.criterion.total_cmp(&other.criterion))
}

/// The share of the resamples in which each fit is the best one.
///
/// A resample multiplies the weight of each point by an exponential random number: D. B. Rubin, "The Bayesian bootstrap", *Annals of
/// Statistics* 9 (1981) 130–134. Unlike a sample with replacement, it keeps all points of a short curve.
fn supports(fits: &[ClassFit], points: &LogPoints) -> Vec<f64> {
    let mut rng = seeded([points.len() as u64, 0, 0]);
    let mut wins = vec![0_u32; fits.len()];
    for _ in 0..RESAMPLES {
        let resampled = points.reweighted((0..points.len()).map(|_| exponential(&mut rng)));
        let criteria: Vec<f64> = fits.iter().map(|original| refit(original, &resampled).criterion).collect();
        let best = (0..fits.len()).min_by(|&one, &other| criteria[one].total_cmp(&criteria[other])).unwrap_or(0);
        wins[best] += 1;
    }
    wins.into_iter().map(|wins| f64::from(wins) / f64::from(RESAMPLES)).collect()
}

/// An exponential random number with a mean of 1.
fn exponential(rng: &mut Rng) -> f64 {
    -(1.0 - rng.random::<f64>()).ln()
}
