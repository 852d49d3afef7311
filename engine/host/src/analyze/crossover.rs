//! Crossovers: the axis values where one function overtakes another.

use serde::{Deserialize, Serialize};

use crate::analyze::compare::Ratio;
use crate::analyze::interval::Interval;
use benchbook_contract::parameter::Scale;

/// A crossover of two functions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossover {
    /// The axis value at which both take the same time.
    pub x: f64,
    /// Its 95 % interval, in axis values.
    pub interval: Interval,
    /// Whether the other function, rather than the baseline, is faster above it.
    pub other_wins_above: bool,
}

/// The number of bisections after which a root is exact to `f64` precision.
const BISECTIONS: u32 = 60;

/// The crossovers between axis values with known ratios, in ascending order. `ratios` are in ascending order of the
/// axis value.
///
/// There is one crossover between two axis values if one function is significantly faster at the first and the other at
/// the second: the intervals of their ratios exclude 1 on opposite sides, adjusted for all comparisons (see
/// [`Ratio::interval`]). Axis values in between without a significant difference are skipped. The logarithm of the
/// ratio is interpolated linearly between neighbouring axis values, over the logarithm of the axis value on a
/// logarithmic axis; its root is the crossover. The crossover's interval is the set of axis values at which the 95 %
/// interval of that line contains 0 (E. C. Fieller, "Some problems in interval estimation", *Journal of the Royal
/// Statistical Society* B 16 (1954) 175–185). It does not account for curvature between the axis values.
pub fn crossovers(ratios: &[(f64, Ratio)], scale: Scale, comparisons: u32) -> Vec<Crossover> {
    let to_position = |x: f64| if scale == Scale::Log { x.ln() } else { x };
    let to_axis = |position: f64| if scale == Scale::Log { position.exp() } else { position };
    let mut found = Vec::new();
    let mut last: Option<(usize, Winner)> = None;
    for (index, (_, ratio)) in ratios.iter().enumerate() {
        let Some(winner) = Winner::of(ratio.interval(comparisons)) else { continue };
        if let Some((start, before)) = last.replace((index, winner)).filter(|(_, before)| *before != winner) {
            let line = InterpolatedRatio {
                nodes: ratios[start..=index].iter().map(|&(x, ratio)| (to_position(x), ratio)).collect(),
            };
            let [root, low, high] =
                [line.root(before), line.first_insignificant(before), line.last_insignificant(winner)].map(to_axis);
            let interval = Interval { low, high };
            found.push(Crossover { x: root, interval, other_wins_above: winner == Winner::Other });
        }
    }
    found
}

/// The function that is significantly faster.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    Baseline,
    Other,
}

impl Winner {
    /// Decides by the interval of a ratio; absent if it contains 1.
    fn of(interval: Interval) -> Option<Self> {
        match interval {
            Interval { low, .. } if low > 1.0 => Some(Self::Baseline),
            Interval { high, .. } if high < 1.0 => Some(Self::Other),
            _ => None,
        }
    }
}

/// Ratios at ascending positions, interpolated linearly.
struct InterpolatedRatio {
    nodes: Vec<(f64, Ratio)>,
}

impl InterpolatedRatio {
    /// The first position where the logarithm of the ratio changes its sign.
    fn root(&self, start: Winner) -> f64 {
        let is_on = |ratio: &Ratio| (ratio.ln > 0.0) == (start == Winner::Baseline);
        self.edge(is_on)
    }

    /// The first position where `start` is not significantly faster.
    fn first_insignificant(&self, start: Winner) -> f64 {
        self.edge(|ratio| Winner::of(ratio.interval(1)) == Some(start))
    }

    /// The last position where `end` is not significantly faster.
    fn last_insignificant(&self, end: Winner) -> f64 {
        let mirrored = Self { nodes: self.nodes.iter().rev().copied().collect() };
        mirrored.edge(|ratio| Winner::of(ratio.interval(1)) == Some(end))
    }

    /// The position where `holds` ends; it is true at the first node and false at the last.
    fn edge(&self, holds: impl Fn(&Ratio) -> bool) -> f64 {
        let segment = self.nodes.windows(2).find(|pair| !holds(&pair[1].1));
        let Some([(start, from), (end, to)]) = segment else { return self.nodes[0].0 };
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = (inside + outside) / 2.0;
            if holds(&from.towards(to, middle)) { inside = middle } else { outside = middle }
        }
        start + inside * (end - start)
    }
}

impl Ratio {
    /// Interpolates the logarithm of the ratio towards another one, at `part` of the way.
    ///
    /// Degrees of freedom by B. L. Welch, "The generalization of 'Student's' problem when several different population
    /// variances are involved", *Biometrika* 34 (1947) 28–35, rounded down.
    fn towards(&self, other: &Self, part: f64) -> Self {
        let [first, second] = [(1.0 - part).powi(2), part * part];
        let (here, there) = (first * self.variance, second * other.variance);
        let overhead = first * self.overhead + second * other.overhead;
        let free = here * here / f64::from(self.freedom) + there * there / f64::from(other.freedom);
        let freedom = if free > 0.0 { ((here + there).powi(2) / free) as u32 } else { self.freedom };
        Self { ln: (1.0 - part) * self.ln + part * other.ln, variance: here + there, overhead, freedom, of: self.of }
    }
}
