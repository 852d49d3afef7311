//! Causes for which figures are right, with a restriction.

use super::cause::{Affected, Cause, Gather, Severity, points_with};
use super::curve::ReportedCurve;
use crate::response::Warning;
use crate::units::{Nanos, count, number, under};

/// The most important first.
pub(super) fn all() -> Vec<Box<dyn Gather>> {
    vec![
        Box::new(MeasuredAlone),
        Box::new(OutputsNotCompared),
        Box::new(Threads),
        Box::<BelowResolution>::default(),
        Box::new(ShortBatches),
        Box::<ExtremeOutliers>::default(),
        Box::<SlowFirstCurve>::default(),
        Box::<FewSamples>::default(),
        Box::<Batches>::default(),
        Box::new(SingleCalls),
    ]
}

/// The function was not interleaved with the others.
struct MeasuredAlone;

impl Gather for MeasuredAlone {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::Alone))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("No ratio at {}: the suite crashed when interleaving", affected.share());
        affected.cause(Severity::Note, problem, "Look for state that the functions share.")
    }
}

/// Whether alternatives have the same outputs was not checked.
struct OutputsNotCompared;

impl Gather for OutputsNotCompared {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::OutputsNotCompared))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("The outputs of alternatives were not compared at {}", affected.share());
        let fix = "Return a type that implements Hash, such as a sorted Vec instead of a HashMap.";
        let explanation = "A wrong result would remain unnoticed.";
        Cause { is_always_stated: true, explanation, ..affected.cause(Severity::Note, problem, fix) }
    }
}

/// The process has several threads.
struct Threads;

impl Gather for Threads {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::Threads))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("The benchmark starts threads of its own at {}", affected.share());
        let fix = "No action needed: it was measured on all cores.";
        let explanation = "The times depend on the number of cores and on what else runs there.";
        Cause { is_always_stated: true, explanation, ..affected.cause(Severity::Note, problem, fix) }
    }
}

/// The time is indistinguishable from zero: the greatest upper bound in nanoseconds.
#[derive(Default)]
struct BelowResolution(f64);

impl Gather for BelowResolution {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::BelowResolution { under } = *warning else { return false };
            self.0 = self.0.max(under);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let under = under(Nanos(self.0));
        let problem = format!("The time is indistinguishable from zero at {} ({under})", affected.share());
        affected.cause(Severity::Note, problem, "Do more work per call.")
    }
}

/// Batches are too short for the clock.
struct ShortBatches;

impl Gather for ShortBatches {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::ShortBatches { .. }))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("Batches are too short for this clock at {}", affected.share());
        let explanation = "Median and quartiles are unavailable.";
        Cause { explanation, ..affected.cause(Severity::Note, problem, "Use the mean.") }
    }
}

/// There are extreme outliers: their number, and that of all samples.
#[derive(Default)]
struct ExtremeOutliers {
    outliers: u64,
    samples: u64,
}

impl Gather for ExtremeOutliers {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        self.samples += curve.points.iter().map(|point| u64::from(point.measured.summary.n)).sum::<u64>();
        points_with(curve, |warning| {
            let Warning::ExtremeOutliers { samples, .. } = *warning else { return false };
            self.outliers += u64::from(samples);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("{} of {} samples are extreme outliers", count(self.outliers), count(self.samples));
        Cause {
            explanation: "They are over three interquartile ranges outside the quartiles, relative to the median of their block.",
            ..affected.cause(Severity::Note, problem, "No action needed: every figure includes them.")
        }
    }
}

/// The first priority showed longer times: the greatest factor.
#[derive(Default)]
struct SlowFirstCurve(f64);

impl Gather for SlowFirstCurve {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        let factors = curve.points.iter().map(|point| point.slow_first);
        let slow: Vec<(usize, f64)> =
            factors.enumerate().filter_map(|(index, factor)| Some((index, factor?))).collect();
        self.0 = slow.iter().map(|(_, factor)| *factor).fold(self.0, f64::max);
        slow.into_iter().map(|(index, _)| index).collect()
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("The first curve was up to {:.1} times as high at {}", self.0, affected.share());
        Cause {
            explanation: "In a browser, first calls run in code that is not optimised yet. Interference has the same effect.",
            ..affected.cause(Severity::Note, problem, "No action needed: later results replaced these.")
        }
    }
}

/// There are few samples: the fewest at a point.
#[derive(Default)]
struct FewSamples(Option<u32>);

impl Gather for FewSamples {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::FewSamples { samples } = *warning else { return false };
            self.0 = Some(self.0.map_or(samples, |fewest| fewest.min(samples)));
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let fewest = self.0.unwrap_or_default();
        // With the rule of three: if none of n samples is slow, fewer than 3 in n are, with a confidence of 95%.
        let rare = number((f64::from(fewest) / 3.0).round().max(1.0));
        let problem = format!("Only {} samples at {}", count(u64::from(fewest)), affected.share());
        let fix = format!("Slow batches rarer than 1 in {rare} may be missing. Measure longer to find them.");
        affected.cause(Severity::Note, problem, fix)
    }
}

/// A sample is the mean of several calls: the most per batch.
#[derive(Default)]
struct Batches(u64);

impl Gather for Batches {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| {
            let Warning::Batched { calls } = *warning else { return false };
            self.0 = self.0.max(calls);
            true
        })
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = format!("A sample is the mean of up to {} calls", number(self.0 as f64));
        let fix = "No action needed: the clock cannot time such short calls one by one.";
        let location = affected.layout.up_to(&affected.points);
        Cause { location, ..affected.cause(Severity::Note, problem, fix) }
    }
}

/// The generator requires batches of one call.
struct SingleCalls;

impl Gather for SingleCalls {
    fn add(&mut self, curve: &ReportedCurve<'_>) -> Vec<usize> {
        points_with(curve, |warning| matches!(warning, Warning::OneCallPerBatch))
    }
    fn state(&self, affected: &Affected<'_>) -> Cause {
        let problem = "Each call is timed separately".to_owned();
        let fix = "No action needed: calls affect each other, so they cannot share a batch.";
        affected.cause(Severity::Note, problem, fix)
    }
}
