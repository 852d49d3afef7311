//! Fits of one class to a curve.

use super::class::GrowthClass;
use super::points::LogPoints;

/// The number of intercepts that a fit tries before it refines the best one.
const INTERCEPTS: usize = 24;

/// The number of steps that refine an intercept.
const REFINEMENTS: usize = 25;

/// The log-odds of the largest intercept: the curve then grows by 0.03%.
const HIGHEST_ODDS: f64 = 8.0;

/// How far a refit searches for the intercept, in log-odds, and in how many steps.
const REFIT_RANGE: f64 = 3.0;
const REFIT_STEPS: usize = 12;

/// The ratio of the golden section.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The relative error up to which a fit counts as perfect.
const PERFECT: f64 = 1e-4;

/// A class fitted to a curve: value = scale · (intercept + (1 − intercept) · f(n) / f(largest n)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClassFit {
    pub(super) class: GrowthClass,
    /// The part of the value at the largest n that does not grow, 0 to 1: never negative.
    pub(super) intercept: f64,
    /// The value at the largest n.
    pub(super) scale: f64,
    /// The break, if the fit has one.
    pub(super) break_at: Option<BreakFit>,
    /// The weighted mean of the squared residuals of the logarithms.
    pub(super) mean_square: f64,
    /// Akaike's information criterion, corrected for few points.
    pub(super) criterion: f64,
}

/// A factor by which all values from a point on differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BreakFit {
    /// The index of the first point after the break.
    pub(super) index: usize,
    /// The factor.
    pub(super) factor: f64,
}

/// Whether a class can describe these points: a logarithm below 1 would be negative.
pub(super) fn is_applicable(class: GrowthClass, points: &LogPoints) -> bool {
    !matches!(class, GrowthClass::Logarithmic | GrowthClass::Linearithmic) || points.x[0] >= 1.0
}

/// Fits a class, with a break before the point `break_index` if there is one.
///
/// Minimises the weighted squares of the differences of logarithms, since errors of times are in proportion to the times. With
/// the scale eliminated, only the intercept is left to search.
pub(super) fn fit(class: GrowthClass, points: &LogPoints, break_index: Option<usize>) -> ClassFit {
    fit_with(class, points, break_index, |mean_square, smallest| best_intercept(smallest, mean_square))
}

/// Fits the class of a fit to the same points with other weights, which hardly move its intercept.
pub(super) fn refit(fit: &ClassFit, points: &LogPoints) -> ClassFit {
    let break_index = fit.break_at.map(|at| at.index);
    fit_with(fit.class, points, break_index, |mean_square, smallest| {
        let odds = log_odds(fit.intercept).max(lowest_odds(smallest));
        refine([odds - REFIT_RANGE, odds + REFIT_RANGE], REFIT_STEPS, mean_square)
    })
}

/// A fit whose intercept is the result of `search`, which receives the mean square as a function of the intercept, and the smallest
/// value of the shape.
fn fit_with(
    class: GrowthClass,
    points: &LogPoints,
    break_index: Option<usize>,
    search: impl Fn(&dyn Fn(f64) -> f64, f64) -> f64,
) -> ClassFit {
    let last = class.value(points.x[points.len() - 1]);
    let shape: Vec<f64> = points.x.iter().map(|&x| class.value(x) / last).collect();
    let residuals = |intercept: f64| Residuals::new(&shape, points, intercept, break_index);
    let has_intercept = class != GrowthClass::Constant;
    let mean_square = |intercept: f64| residuals(intercept).mean_square;
    let intercept = if has_intercept { search(&mean_square, shape[0]) } else { 0.0 };
    let Residuals { ln_scales, mean_square } = residuals(intercept);
    let break_at = break_index.map(|index| BreakFit { index, factor: (ln_scales[1] - ln_scales[0]).exp() });
    let parameters = if class == GrowthClass::Constant { 2 } else { 3 } + if break_at.is_some() { 2 } else { 0 };
    let criterion = criterion(points.len(), parameters, mean_square);
    ClassFit { class, intercept, scale: ln_scales[1].exp(), break_at, mean_square, criterion }
}

/// The residuals for a given intercept, with the best scales.
struct Residuals {
    /// The logarithms of the scales before and after the break; equal without one.
    ln_scales: [f64; 2],
    mean_square: f64,
}

impl Residuals {
    fn new(shape: &[f64], points: &LogPoints, intercept: f64, break_index: Option<usize>) -> Self {
        let offset = |index: usize| points.ln_values[index] - (intercept + (1.0 - intercept) * shape[index]).ln();
        let split = break_index.unwrap_or(0);
        let (n, mut ln_scales, mut squares) = (points.len(), [0.0; 2], 0.0);
        for (side, range) in [0..split, split..n].into_iter().enumerate().filter(|(_, range)| !range.is_empty()) {
            let (mut weights, mut sum, mut sum_of_squares) = (0.0, 0.0, 0.0);
            for index in range {
                let (weight, offset) = (points.weights[index], offset(index));
                weights += weight;
                sum += weight * offset;
                sum_of_squares += weight * offset * offset;
            }
            ln_scales[side] = sum / weights;
            squares += sum_of_squares - sum * sum / weights;
        }
        let mean_square = if squares.is_finite() { squares.max(0.0) / n as f64 } else { f64::INFINITY };
        Self { ln_scales, mean_square }
    }
}

/// The intercept with the smallest mean square, by a search over its log-odds: it may be as small as the smallest value of
/// the shape.
fn best_intercept(smallest: f64, mean_square: &dyn Fn(f64) -> f64) -> f64 {
    let low = lowest_odds(smallest);
    let width = (HIGHEST_ODDS - low) / INTERCEPTS as f64;
    let candidates = (0..=INTERCEPTS).map(|index| low + width * index as f64);
    let evaluated = candidates.map(|odds| (mean_square(intercept(odds)), odds));
    let best = evaluated.min_by(|(one, _), (other, _)| one.total_cmp(other)).map_or(low, |(_, odds)| odds);
    refine([best - width, best + width], REFINEMENTS, mean_square)
}

/// The best intercept between two log-odds by the golden section, or 0 if that is as good.
fn refine([mut from, mut to]: [f64; 2], steps: usize, mean_square: &dyn Fn(f64) -> f64) -> f64 {
    let at = |odds: f64| mean_square(intercept(odds));
    let inner = |from: f64, to: f64| [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
    let [mut left, mut right] = inner(from, to);
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..steps {
        if at_left < at_right {
            to = right;
            (right, at_right) = (left, at_left);
            left = inner(from, to)[0];
            at_left = at(left);
        } else {
            from = left;
            (left, at_left) = (right, at_right);
            right = inner(from, to)[1];
            at_right = at(right);
        }
    }
    let refined = intercept(f64::midpoint(from, to));
    if mean_square(0.0) <= mean_square(refined) { 0.0 } else { refined }
}

/// The log-odds below which an intercept has no effect.
fn lowest_odds(smallest: f64) -> f64 {
    smallest.max(1e-12).ln() - 5.0
}

fn intercept(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn log_odds(intercept: f64) -> f64 {
    (intercept / (1.0 - intercept)).ln()
}

/// Akaike's information criterion for normal errors of unknown variance, corrected for few points: C. M. Hurvich and C.-L. Tsai,
/// "Regression and time series model selection in small samples", *Biometrika* 76 (1989) 297–307. `parameters` include the
/// variance.
fn criterion(points: usize, parameters: usize, mean_square: f64) -> f64 {
    let (n, k) = (points as f64, parameters as f64);
    let correction = if n > k + 1.0 { 2.0 * k * (k + 1.0) / (n - k - 1.0) } else { f64::INFINITY };
    n * mean_square.max(PERFECT * PERFECT).ln() + 2.0 * k + correction
}
