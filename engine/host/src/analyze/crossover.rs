//! Crossovers: the axis values where one function overtakes another.

use serde::{Deserialize, Serialize};

use crate::analyze::compare::Ratio;
use crate::analyze::interval::Interval;
use benchbook_contract::parameter::Scale;

/// Where one function overtakes another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossover {
    /// The axis value at which both take the same time.
    pub x: f64,
    /// Its 95 % interval, on the axis.
    pub interval: Interval,
    /// Whether the other is the faster one above it, rather than the baseline.
    pub other_wins_above: bool,
}

/// The halvings after which a root is as near as `f64` can tell.
const HALVINGS: u32 = 60;

/// The crossovers between axis values whose ratios are known: at ascending axis values, in ascending order.
///
/// There is one between two axis values at which it is certain that one, then the other is faster: the intervals of
/// their ratios leave out 1 on opposite sides, with all comparisons taken together (see [`Ratio::interval`]). What is
/// not certain in between does not count. The logarithm of the ratio is taken as straight between neighbouring axis
/// values, on a logarithmic axis in the axis value's logarithm; where it is 0 is the crossover. Its interval is all axis
/// values at which the 95 % interval of that line holds 0 (E. C. Fieller, "Some problems in interval estimation",
/// *Journal of the Royal Statistical Society* B 16 (1954) 175–185). Curvature between the axis values is not in it.
pub fn crossovers(ratios: &[(f64, Ratio)], scale: Scale, comparisons: u32) -> Vec<Crossover> {
    let onto = |x: f64| if scale == Scale::Log { x.ln() } else { x };
    let back = |place: f64| if scale == Scale::Log { place.exp() } else { place };
    let mut found = Vec::new();
    let mut last: Option<(usize, Winner)> = None;
    for (index, (_, ratio)) in ratios.iter().enumerate() {
        let Some(winner) = Winner::of(ratio.interval(comparisons)) else { continue };
        if let Some((start, before)) = last.replace((index, winner))
            && before != winner
        {
            let line = Line { nodes: ratios[start..=index].iter().map(|&(x, ratio)| (onto(x), ratio)).collect() };
            let [root, low, high] = [line.root(before), line.first_doubt(before), line.last_doubt(winner)].map(back);
            let interval = Interval { low, high };
            found.push(Crossover { x: root, interval, other_wins_above: winner == Winner::Other });
        }
    }
    found
}

/// Which of two functions is certainly faster.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Winner {
    Baseline,
    Other,
}

impl Winner {
    /// By the interval of a ratio; absent where it holds 1.
    fn of(interval: Interval) -> Option<Self> {
        match interval {
            Interval { low, .. } if low > 1.0 => Some(Self::Baseline),
            Interval { high, .. } if high < 1.0 => Some(Self::Other),
            _ => None,
        }
    }
}

/// Ratios at ascending places, straight in between.
struct Line {
    nodes: Vec<(f64, Ratio)>,
}

impl Line {
    /// The first place where the logarithm of the ratio leaves the side that it starts on.
    fn root(&self, start: Winner) -> f64 {
        let is_on = |ratio: &Ratio| (ratio.ln > 0.0) == (start == Winner::Baseline);
        self.edge(is_on)
    }

    /// The first place where it is not certain that `start` is faster.
    fn first_doubt(&self, start: Winner) -> f64 {
        self.edge(|ratio| Winner::of(ratio.interval(1)) == Some(start))
    }

    /// The last place where it is not certain that `end` is faster.
    fn last_doubt(&self, end: Winner) -> f64 {
        let mirrored = Self { nodes: self.nodes.iter().rev().copied().collect() };
        mirrored.edge(|ratio| Winner::of(ratio.interval(1)) == Some(end))
    }

    /// The place where `holds` ends, which does at the first node and not at the last.
    fn edge(&self, holds: impl Fn(&Ratio) -> bool) -> f64 {
        let segment = self.nodes.windows(2).find(|pair| !holds(&pair[1].1));
        let Some([(start, from), (end, to)]) = segment else { return self.nodes[0].0 };
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = (inside + outside) / 2.0;
            if holds(&from.towards(to, middle)) { inside = middle } else { outside = middle }
        }
        start + inside * (end - start)
    }
}

impl Ratio {
    /// What the ratio is `part` of the way to another one, in its logarithm.
    ///
    /// Degrees of freedom by B. L. Welch, "The generalization of 'Student's' problem when several different population
    /// variances are involved", *Biometrika* 34 (1947) 28–35, rounded down.
    fn towards(&self, other: &Self, part: f64) -> Self {
        let here = (1.0 - part).powi(2) * self.variance;
        let there = part * part * other.variance;
        let free = here * here / f64::from(self.freedom) + there * there / f64::from(other.freedom);
        let freedom = if free > 0.0 { ((here + there).powi(2) / free) as u32 } else { self.freedom };
        Self { ln: (1.0 - part) * self.ln + part * other.ln, variance: here + there, freedom, of: self.of }
    }
}
