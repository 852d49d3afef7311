//! Values in the order taken, and how well a step or a straight line describes them.
//!
//! Values are mostly normal scores, so that outliers and modes weigh no more than their rank. A step is the place that
//! deviates most, in the standard errors that values and blocks vary by beside it.

use crate::analyze::order::sorted;

/// The normal score of each value: the quantile of the normal distribution that its rank is at. Equal values share the
/// middle of their ranks.
///
/// The quantile is that of Tukey's lambda distribution with 0.135 (B. L. Joiner and J. R. Rosenblatt, "Some properties of
/// the range in samples from Tukey's symmetric lambda distributions", *Journal of the American Statistical Association*
/// 66 (1971) 394–399): it is short, and within 1 % of the normal one to a rank in a thousand, 3 % to one in ten thousand.
pub(crate) fn scores(values: &[f64]) -> Vec<f64> {
    let sorted = sorted(values);
    let n = sorted.len() as f64;
    let score = |&value: &f64| {
        let below = sorted.partition_point(|&other| other < value);
        let not_above = sorted.partition_point(|&other| other <= value);
        let rank = (below + not_above + 1) as f64 / 2.0;
        let part = rank / (n + 1.0);
        let power = |part: f64| (0.135 * part.ln()).exp();
        (power(part) - power(1.0 - part)) / 0.1975
    };
    values.iter().map(score).collect()
}

/// Values in the order taken, in blocks, with a mean of 0.
pub(crate) struct Series {
    values: Vec<f64>,
    blocks: Vec<Block>,
    /// Sum of the squared values.
    squares: f64,
}

struct Block {
    start: usize,
    end: usize,
    sum: f64,
}

/// How well a step or a trend describes a series.
#[derive(Clone, Copy)]
pub(crate) struct Fit {
    /// The first value after the step; absent for a trend.
    pub(crate) at: Option<usize>,
    /// What it changes by, in standard errors, as part of what makes it certain.
    pub(crate) strength: f64,
    /// The sum of the squared values that it leaves.
    pub(crate) unexplained: f64,
}

impl Series {
    pub(crate) fn new(mut values: Vec<f64>, sizes: &[u32]) -> Self {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter_mut().for_each(|value| *value -= mean);
        let mut start = 0;
        let block = |&size: &u32| {
            let end = start + size as usize;
            let block = Block { start, end, sum: values[start..end].iter().sum() };
            start = end;
            block
        };
        let blocks = sizes.iter().map(block).collect();
        let squares = values.iter().map(|value| value * value).sum();
        Self { values, blocks, squares }
    }

    /// The step that deviates most, with `beside` values at least on either side; it is certain from `certain` standard
    /// errors on.
    pub(crate) fn best_step(&self, beside: usize, certain: f64) -> Fit {
        let n = self.values.len();
        let mut best = Fit { at: Some(n / 2), strength: 0.0, unexplained: self.squares };
        let mut before: f64 = self.values[..beside].iter().sum();
        for at in beside..=n - beside {
            let (left, right) = (at as f64, (n - at) as f64);
            let (low, high) = (before / left, -before / right);
            let unexplained = self.squares - left * low * low - right * high * high;
            let deviation = self.deviation(at, low, high, unexplained);
            if deviation / certain > best.strength {
                best = Fit { at: Some(at), strength: deviation / certain, unexplained };
            }
            before += self.values.get(at).unwrap_or(&0.0);
        }
        best
    }

    /// How much wider errors are because near values are alike: √((1 + r) / (1 − r)) with the correlation r of values
    /// next to each other in a block, M. S. Bartlett, "On the theoretical specification and sampling properties of
    /// autocorrelated time-series", *Journal of the Royal Statistical Society*, Supplement 8 (1946) 27–41; never
    /// narrower.
    pub(crate) fn likeness(&self) -> f64 {
        let next = |block: &Block| {
            let values = &self.values[block.start..block.end];
            values.iter().zip(&values[1..]).map(|(one, other)| one * other).sum::<f64>()
        };
        let correlation = self.blocks.iter().map(next).sum::<f64>() / self.squares;
        let correlation = if correlation.is_nan() { 0.0 } else { correlation.clamp(0.0, 0.9) };
        ((1.0 + correlation) / (1.0 - correlation)).sqrt()
    }

    /// The step in one of the `ends` blocks at either end that deviates most beside the other values of that block alone,
    /// whatever blocks differ by.
    pub(crate) fn best_step_in_a_block(&self, ends: usize, beside: usize, certain: f64) -> Fit {
        let (n, blocks) = (self.values.len(), self.blocks.len());
        let within = self.squares
            - self.blocks.iter().map(|block| block.sum.powi(2) / (block.end - block.start) as f64).sum::<f64>();
        let freedom = n as f64 - blocks as f64 - 1.0;
        let mut best = Fit { at: Some(n / 2), strength: 0.0, unexplained: self.squares };
        let at_an_end = |index: usize| index < ends || index + ends >= blocks;
        for block in self.blocks.iter().enumerate().filter(|&(index, _)| at_an_end(index)).map(|(_, block)| block) {
            let mut before: f64 = 0.0;
            for at in block.start + 1..block.end {
                before += self.values[at - 1];
                let (left, right) = ((at - block.start) as f64, (block.end - at) as f64);
                if left.min(right) < beside as f64 {
                    continue;
                }
                let contrast = (block.sum - before) / right - before / left;
                let explained = contrast * contrast / (1.0 / left + 1.0 / right);
                let left_over = (within - explained).max(0.0);
                let deviation = as_normal(explained * freedom / left_over, freedom);
                if deviation / certain > best.strength {
                    best = Fit { at: Some(at), strength: deviation / certain, unexplained: self.squares - explained };
                }
            }
        }
        best
    }

    /// The straight line through the values, one a block; it is certain from `certain` standard errors on.
    pub(crate) fn trend(&self, certain: f64) -> Fit {
        let n = self.values.len() as f64;
        let place = |index: usize| index as f64 - (n - 1.0) / 2.0;
        let places = n * (n * n - 1.0) / 12.0;
        let slope = self.values.iter().enumerate().map(|(index, value)| place(index) * value).sum::<f64>() / places;
        let explained = slope * slope * places;
        let unexplained = (self.squares - explained).max(0.0);
        let freedom = n - 2.0;
        Fit { at: None, strength: as_normal(explained * freedom / unexplained, freedom) / certain, unexplained }
    }

    /// How many standard errors a step at `at`, from the level `low` to `high`, is from none.
    ///
    /// Blocks are a random effect: with the mean squares between and within blocks of what the step leaves, the variance
    /// within is MSW and that of blocks (MSB − MSW) / values a block (the analysis of variance of a one-way layout, H.
    /// Scheffé, *The Analysis of Variance*, 1959, section 7.2). The error's degrees of freedom are those of F. E.
    /// Satterthwaite, *Biometrics Bulletin* 2 (1946) 110–114.
    fn deviation(&self, at: usize, low: f64, high: f64, unexplained: f64) -> f64 {
        let (n, blocks) = (self.values.len() as f64, self.blocks.len() as f64);
        let (left, right) = (at as f64, n - at as f64);
        let squared = (high - low) * (high - low);
        let weight = 1.0 / left + 1.0 / right;
        let (free_between, free_within) = (blocks - 2.0, n - blocks);
        if free_within < 1.0 {
            // A value a block: nothing goes together.
            return as_normal(squared * free_between / (weight * unexplained.max(0.0)), free_between);
        }
        let (mut between, mut weights) = (0.0, 0.0);
        for block in &self.blocks {
            let inside = at.clamp(block.start, block.end);
            let (early, late) = ((inside - block.start) as f64, (block.end - inside) as f64);
            let rest = block.sum - early * low - late * high;
            let weight = late / right - early / left;
            between += rest * rest / (early + late);
            weights += weight * weight;
        }
        let (mean_between, mean_within) = (between / free_between, (unexplained - between).max(0.0) / free_within);
        let of_blocks = weights * ((mean_between - mean_within) / (n / blocks)).max(0.0);
        let of_samples = weight * mean_within;
        let variance = of_blocks + of_samples;
        let freedom =
            variance * variance / (of_blocks * of_blocks / free_between + of_samples * of_samples / free_within);
        as_normal(squared / variance, freedom)
    }
}

/// The normal deviate that is as rare as Student's t of `freedom` degrees of freedom, given t²: D. L. Wallace, "Bounds on
/// normal approximations to Student's and the chi-square distributions", *Annals of Mathematical Statistics* 30 (1959)
/// 1121–1130. 0 where nothing differs at all.
fn as_normal(squared: f64, freedom: f64) -> f64 {
    let deviate = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0) * (freedom * (1.0 + squared / freedom).ln()).sqrt();
    if deviate.is_nan() { 0.0 } else { deviate }
}
