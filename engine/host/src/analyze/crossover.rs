//! Crossovers: the axis values where one function overtakes another.

use serde::{Deserialize, Serialize};

use crate::analyze::compare::Ratio;
use crate::analyze::interval::Interval;
use benchbook_contract::parameter::Scale;

/// A crossover of two functions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Crossover {
    /// The axis value at which both take the same time.
    pub x: f64,
    /// Its 95% interval, in axis values.
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
/// logarithmic axis; its root is the crossover. The crossover's interval is the set of axis values at which the 95%
/// interval of that line contains 0 (E. C. Fieller, "Some problems in interval estimation", *Journal of the Royal
/// Statistical Society* B 16 (1954) 175–185), extended on both sides by the estimated error of the interpolation. Between
/// a and b, it is |d| · (x − a)(b − x), where d is the second divided difference over a, b and a neighbour, on the side
/// where it is larger. Without a neighbour, the interval is the whole gap.
pub fn crossovers(ratios: &[(f64, Ratio)], scale: Scale, comparisons: u32) -> Vec<Crossover> {
    let to_axis = |position: f64| if scale == Scale::Log { position.exp() } else { position };
    let nodes: Vec<(f64, Ratio)> = ratios.iter().map(|&(x, ratio)| (position(scale, x), ratio)).collect();
    let segments = segments(&nodes);
    let mut found = Vec::new();
    let mut last: Option<(usize, Winner)> = None;
    for (index, (_, ratio)) in ratios.iter().enumerate() {
        let Some(winner) = Winner::of(ratio.interval(comparisons)) else { continue };
        if let Some((start, before)) = last.replace((index, winner)).filter(|(_, before)| *before != winner) {
            let line = InterpolatedRatio { segments: segments[start..index].to_vec() };
            // The logarithm and its inverse round, which must not lead beyond the measured values.
            let to_axis = |position: f64| to_axis(position).clamp(ratios[start].0, ratios[index].0);
            let [root, low, high] =
                [line.root(before), line.first_insignificant(before), line.last_insignificant(winner)].map(to_axis);
            let interval = Interval { low, high };
            found.push(Crossover { x: root, interval, other_wins_above: winner == Winner::Other });
        }
    }
    found
}

/// The position of a value on its axis, on which distances are compared.
pub(crate) fn position(scale: Scale, x: f64) -> f64 {
    if scale == Scale::Log { x.ln() } else { x }
}

/// The function that is significantly faster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Winner {
    Baseline,
    Other,
}

impl Winner {
    /// Decides by the interval of a ratio; absent if it contains 1.
    pub(crate) fn of(interval: Interval) -> Option<Self> {
        match interval {
            Interval { low, .. } if low > 1.0 => Some(Self::Baseline),
            Interval { high, .. } if high < 1.0 => Some(Self::Other),
            _ => None,
        }
    }
}

/// Two ratios at different positions, between which the logarithm is interpolated linearly.
#[derive(Clone, Copy)]
struct Segment {
    start: (f64, Ratio),
    end: (f64, Ratio),
    /// The second divided difference times the square of the segment's length.
    ///
    /// The error of linear interpolation between a and b is f[a, b, x] · (x − a)(x − b) (K. E. Atkinson, *An Introduction to
    /// Numerical Analysis*, 2nd edition, 1989, section 3.2). The divided difference f[a, b, x] is not known, so that of the
    /// neighbour on either side takes its place, whichever is larger. It is infinite without a neighbour: two ratios do not
    /// show how the curve bends.
    bend: f64,
}

impl Segment {
    fn reversed(self) -> Self {
        Self { start: self.end, end: self.start, bend: self.bend }
    }

    /// The ratio at `part` of the way, strictly between 0 and 1, and its 95% interval with the error of the interpolation.
    fn at(&self, part: f64) -> (Ratio, Interval) {
        let ratio = self.start.1.towards(&self.end.1, part);
        let Interval { low, high } = ratio.interval(1);
        let factor = (self.bend * part * (1.0 - part)).exp();
        (ratio, Interval { low: low / factor, high: high * factor })
    }
}

/// The segments between ratios at ascending positions.
fn segments(nodes: &[(f64, Ratio)]) -> Vec<Segment> {
    let second_differences: Vec<f64> = nodes.windows(3).map(second_difference).collect();
    let segment = |(index, pair): (usize, &[(f64, Ratio)])| {
        let before = index.checked_sub(1).and_then(|before| second_differences.get(before));
        let largest = before.into_iter().chain(second_differences.get(index)).copied().reduce(f64::max);
        let (start, end) = (pair[0], pair[1]);
        Segment { start, end, bend: largest.unwrap_or(f64::INFINITY) * (end.0 - start.0).powi(2) }
    };
    nodes.windows(2).enumerate().map(segment).collect()
}

/// The absolute second divided difference of the logarithms of three ratios.
fn second_difference(nodes: &[(f64, Ratio)]) -> f64 {
    let [a, b, c] = [nodes[0], nodes[1], nodes[2]];
    let slope = |one: (f64, Ratio), other: (f64, Ratio)| (other.1.ln - one.1.ln) / (other.0 - one.0);
    ((slope(b, c) - slope(a, b)) / (c.0 - a.0)).abs()
}

/// Ratios at ascending positions, interpolated linearly.
struct InterpolatedRatio {
    segments: Vec<Segment>,
}

impl InterpolatedRatio {
    /// The first position where the logarithm of the ratio changes its sign.
    fn root(&self, start: Winner) -> f64 {
        self.edge(|ratio, _| (ratio.ln > 0.0) == (start == Winner::Baseline))
    }

    /// The first position where `start` is not significantly faster.
    fn first_insignificant(&self, start: Winner) -> f64 {
        self.edge(|_, interval| Winner::of(interval) == Some(start))
    }

    /// The last position where `end` is not significantly faster.
    fn last_insignificant(&self, end: Winner) -> f64 {
        let mirrored = Self { segments: self.segments.iter().rev().map(|segment| segment.reversed()).collect() };
        mirrored.edge(|_, interval| Winner::of(interval) == Some(end))
    }

    /// The position where `holds` ends; it is true at the first ratio and false at the last.
    fn edge(&self, holds: impl Fn(&Ratio, Interval) -> bool) -> f64 {
        let holds_at = |(ratio, interval): (Ratio, Interval)| holds(&ratio, interval);
        let ends = |segment: &&Segment| !holds(&segment.end.1, segment.end.1.interval(1));
        let Some(segment) = self.segments.iter().find(ends) else { return self.segments[0].start.0 };
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = (inside + outside) / 2.0;
            if holds_at(segment.at(middle)) { inside = middle } else { outside = middle }
        }
        segment.start.0 + inside * (segment.end.0 - segment.start.0)
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
        Self {
            ln: (1.0 - part) * self.ln + part * other.ln,
            variance: here + there,
            overhead,
            freedom,
            of: self.of,
            changed: None,
        }
    }
}
