//! What the points' warnings come to: one sentence for each kind, which says what to do.

use benchbook::analyze::removed::may_be_removed;
use benchbook::response::Warning;
use benchbook::units::{Nanos, number, percent, plus_minus};

use crate::state::curve::Reading;

/// At how many points, and the worst of them.
type Struck<T> = (usize, T);

/// What the points' warnings come to.
#[derive(Default)]
struct Gathered {
    batched_up_to: Option<(f64, u64)>,
    left_out: (u32, u32),
    /// The half-width reached, and the milliseconds needed.
    imprecise: Struck<(f64, f64)>,
    unsettled: usize,
    /// The level before and after, and whether it went gradually.
    changed: Struck<(f64, f64, bool)>,
    skewed: usize,
    slow_code: usize,
    slow_machine: Struck<f64>,
    alone: usize,
    /// The samples, and the milliseconds, of all points.
    interrupted: Struck<(u32, f64)>,
    short: usize,
    under: Struck<f64>,
    one_call: bool,
    points: usize,
    /// The upper ends of the means' intervals, and the least time of the reference kernel.
    upper_ends: Vec<f64>,
    reference: Option<f64>,
}

impl Gathered {
    fn of(readings: &[Reading]) -> Self {
        let mut gathered = Self::default();
        for reading in readings {
            let Some(measured) = reading.measured() else { continue };
            gathered.points += 1;
            gathered.left_out.1 += measured.summary.n;
            // A point without an interval may take any time.
            let high = measured.summary.mean_interval.map_or(f64::INFINITY, |interval| interval.high);
            gathered.upper_ends.push(high);
            for reference in measured.runs.iter().filter_map(|run| run.reference) {
                gathered.reference = Some(gathered.reference.map_or(reference, |least| least.min(reference)));
            }
            for warning in &measured.warnings {
                gathered.add(reading.x, warning);
            }
        }
        gathered
    }

    fn add(&mut self, x: f64, warning: &Warning) {
        match *warning {
            Warning::Batched { calls } => {
                let most = self.batched_up_to.map_or(0, |(_, most)| most);
                self.batched_up_to = Some((x, most.max(calls)));
            }
            Warning::SevereOutliers { left_out, .. } => self.left_out.0 += left_out,
            Warning::Imprecise { reached, needs_ms, .. } => {
                let (count, (worst, needs)) = &mut self.imprecise;
                *count += 1;
                *worst = worst.max(reached.unwrap_or(0.0));
                // Where something was reached, and no time would do, none is long enough.
                *needs = needs.max(needs_ms.unwrap_or(if reached.is_some() { f64::INFINITY } else { 0.0 }));
            }
            Warning::Unsettled => self.unsettled += 1,
            Warning::Changed { before, after, gradual } => {
                let (count, worst) = &mut self.changed;
                let by = |before: f64, after: f64| (after / before).ln().abs();
                // Of the first there is nothing to compare with.
                if *count == 0 || by(before, after) > by(worst.0, worst.1) {
                    *worst = (before, after, gradual);
                }
                *count += 1;
            }
            Warning::Skewed => self.skewed += 1,
            Warning::SlowCode { .. } => self.slow_code += 1,
            Warning::SlowMachine { by } => worst(&mut self.slow_machine, by),
            Warning::Alone => self.alone += 1,
            Warning::Interrupted { samples, ms } => {
                let (count, (all, lost)) = &mut self.interrupted;
                (*count, *all, *lost) = (*count + 1, *all + samples, *lost + ms);
            }
            Warning::ShortBatches { .. } => self.short += 1,
            Warning::UnderResolution { under } => worst(&mut self.under, under),
            Warning::OneCallABatch => self.one_call = true,
        }
    }

    /// Whether there may be no work in what was timed. Figures of slow code say nothing of the good one.
    fn may_be_removed(&self) -> bool {
        self.slow_code == 0 && self.reference.is_some_and(|reference| may_be_removed(&self.upper_ends, reference))
    }
}

fn worst((count, worst): &mut Struck<f64>, value: f64) {
    *count += 1;
    *worst = worst.max(value);
}

/// What is to be said of a curve, what makes its figures worth least first.
pub(super) fn sentences(readings: &[Reading], axis: &str) -> Vec<String> {
    let gathered = Gathered::of(readings);
    let at = |count: usize| if count == 1 { "1 point".to_owned() } else { format!("{count} points") };
    let of_all = |count: usize| format!("{count} of {}", at(gathered.points));
    let mut sentences = Vec::new();
    if let count @ 1.. = gathered.slow_code {
        sentences.push(format!(
            "At {} this browser ran its first, slow code, as it does while its developer tools are attached to the worker, and everything takes several times as long. Close them, reload, and measure again.",
            of_all(count)
        ));
    }
    if gathered.may_be_removed() {
        sentences.push("The optimiser may have removed the work: every size takes under two cycles. Return what you compute, or pass it through black_box.".to_owned());
    }
    if let (count @ 1.., (before, after, gradual)) = gathered.changed {
        let (how, why) = if gradual {
            ("drifted", "the machine warms up, or the function keeps something from call to call")
        } else {
            ("changed", "better code came late, or something changed the machine")
        };
        sentences.push(format!(
            "At {} the level of the samples {how} while they were taken, at most from {} to {}: {why}. Measure again.",
            of_all(count),
            Nanos(before),
            Nanos(after)
        ));
    }
    if let (count @ 1.., by) = gathered.slow_machine {
        sentences.push(format!(
            "The machine ran up to {} slower than at its best at {}: heat, a battery, or a neighbour on the same core. Close other programs, plug it in, and measure again.",
            percent(by),
            at(count)
        ));
    }
    if let (count @ 1.., (samples, ms)) = gathered.interrupted {
        let samples = if samples == 1 { "1 sample".to_owned() } else { format!("{samples} samples") };
        sentences.push(format!(
            "Something else had the processor for {} during {samples} at {}, unless the function itself stalls now and then: close what else is running, and measure again.",
            Nanos(ms * 1e6),
            at(count)
        ));
    }
    if let count @ 1.. = gathered.alone {
        sentences.push(format!("At {} it was not measured in turn with the others, since together one of them ended the suite: there is no ratio.", of_all(count)));
    }
    if let Some((x, calls)) = gathered.batched_up_to {
        let calls = number(calls as f64);
        sentences.push(format!(
            "Batched: where {axis} is at most {}, a sample is the mean of up to {calls} calls.",
            number(x)
        ));
    }
    if gathered.one_call {
        sentences.push("Calls disturb each other here, so each is timed on its own.".to_owned());
    }
    if let (left_out @ 1.., of) = gathered.left_out {
        sentences.push(format!(
            "{left_out} of {of} samples lie beyond the outer fences and are left out of mean and sd; intervals, median and quartiles count them."
        ));
    }
    if let (count @ 1.., (worst, needs_ms)) = gathered.imprecise {
        let reached = if worst > 0.0 { format!(", {} at worst", plus_minus(worst)) } else { String::new() };
        let advice = if needs_ms == 0.0 {
            "Nothing says how long it would take: close what else is running, or aim at less.".to_owned()
        } else if needs_ms <= LONGEST_MS {
            format!("At this noise it takes about {} a point: give it the time, or aim at less.", Nanos(needs_ms * 1e6))
        } else {
            "It is not reachable on this clock in this time: aim at less.".to_owned()
        };
        sentences
            .push(format!("{} did not reach the precision aimed at in their time{reached}. {advice}", of_all(count)));
    }
    if let count @ 1.. = gathered.skewed {
        sentences.push(format!(
            "{} have too few samples for times as lopsided as these, and the interval of the mean may be too narrow: trust the median, or give them more time.",
            of_all(count)
        ));
    }
    if let count @ 1.. = gathered.unsettled {
        sentences.push(format!(
            "{} never settled while warming up: something else is at work on this machine, or in the function.",
            of_all(count)
        ));
    }
    if let count @ 1.. = gathered.short {
        sentences.push(format!(
            "At {} a batch is too short for this clock: median and quartiles are withheld.",
            of_all(count)
        ));
    }
    if let (count @ 1.., under) = gathered.under {
        sentences.push(format!(
            "At {} the cost cannot be told from none: it is under {}.",
            of_all(count),
            Nanos(under)
        ));
    }
    sentences
}

/// The longest time that a point may be given, in milliseconds: an hour.
const LONGEST_MS: f64 = 3_600_000.0;

#[cfg(test)]
mod tests {
    use benchbook::analyze::statistics::Interval;
    use benchbook::quality::Priority;
    use benchbook::response::{Outcome, Overhead, Run};

    use super::*;
    use crate::state::curve::MeasuredCurve;
    use crate::state::tests::points::measured;

    /// The sentences about points that have these warnings, a call of the reference kernel taking 2 000 ns.
    fn told(points: &[&[Warning]], upper_end: f64) -> Vec<String> {
        let mut curve = MeasuredCurve::default();
        for (index, warnings) in points.iter().enumerate() {
            let mut point = measured(10.0 * (index + 1) as f64, 5.0);
            if let Outcome::Measured(measured) = &mut point.outcome {
                measured.warnings = warnings.to_vec();
                measured.summary.mean_interval = Some(Interval { low: 0.1, high: upper_end });
                measured.runs = vec![Run {
                    calls: 1,
                    overhead: Overhead::default(),
                    settled: true,
                    reference: Some(2_000.0),
                    samples: Vec::new(),
                    blocks: Vec::new(),
                }];
            }
            curve.insert(Priority::FIRST, point);
        }
        let plain = |sentence: String| sentence.replace('\u{202f}', " ");
        sentences(curve.readings(), "Number of keys").into_iter().map(plain).collect()
    }

    #[test]
    fn each_warning_is_a_sentence_that_says_what_to_do() {
        let changed = |before, after, gradual| Warning::Changed { before, after, gradual };
        let imprecise = |reached, needs_ms| Warning::Imprecise { reached, target: 0.01, needs_ms };
        let table: [(&[Warning], &[Warning], &[&str]); 14] = [
            (
                &[changed(2_000.0, 1_000.0, false)],
                &[changed(1_000.0, 900.0, true)],
                &["At 2 of 2 points", "changed while", "from 2.00 µs to 1.00 µs", "better code", "Measure again"],
            ),
            (
                &[],
                &[changed(1_000.0, 1_100.0, true)],
                &["At 1 of 2 points", "drifted while", "from 1.00 µs to 1.10 µs", "warms up"],
            ),
            (&[Warning::Skewed], &[], &["1 of 2 points have too few samples", "trust the median"]),
            (
                &[Warning::SlowCode { tier: 1.5 }],
                &[Warning::SlowCode { tier: 1.2 }],
                &["At 2 of 2 points", "developer tools", "Close them, reload, and measure again."],
            ),
            (
                &[Warning::SlowMachine { by: 0.12 }],
                &[Warning::SlowMachine { by: 0.25 }],
                &["up to 25 % slower", "at 2 points", "plug it in"],
            ),
            (&[Warning::SlowMachine { by: 0.12 }], &[], &["at 1 point:"]),
            (&[Warning::Alone], &[], &["At 1 of 2 points", "no ratio"]),
            (
                &[Warning::Interrupted { samples: 1, ms: 4.0 }],
                &[Warning::Interrupted { samples: 2, ms: 8.0 }],
                &[
                    "for 12.0 ms during 3 samples at 2 points",
                    "unless the function itself",
                    "close what else is running",
                ],
            ),
            (
                &[imprecise(Some(0.05), Some(12_000.0))],
                &[imprecise(Some(0.02), Some(3_000.0))],
                &["2 of 2 points did not", "± 5.0 % at worst", "about 12.0 s a point"],
            ),
            (&[imprecise(Some(0.9), Some(1e9))], &[], &["not reachable on this clock in this time"]),
            (
                &[imprecise(None, None)],
                &[],
                &["1 of 2 points did not reach the precision aimed at in their time. Nothing says how long"],
            ),
            (
                &[Warning::Batched { calls: 1_000 }],
                &[Warning::Batched { calls: 10 }],
                &["Number of keys is at most 20", "up to 1 000 calls"],
            ),
            (&[Warning::SevereOutliers { left_out: 1, of: 1 }], &[], &["1 of 2 samples"]),
            (&[Warning::UnderResolution { under: 3.0 }], &[], &["At 1 of 2 points", "under 3.00 ns"]),
        ];
        for (first, second, words) in table {
            let told = told(&[first, second], 5.5);
            assert_eq!(told.len(), 1, "{told:?}");
            words.iter().for_each(|word| assert!(told[0].contains(word), "{word}: {told:?}"));
        }
        assert_eq!(told(&[&[], &[]], 5.5), [""; 0]);
    }

    #[test]
    fn work_that_takes_under_two_cycles_at_every_size_may_be_removed() {
        // Two cycles are 2 000 ns / 6 000 * 2.
        assert!(told(&[&[], &[]], 0.66)[0].starts_with("The optimiser may have removed the work"));
        assert_eq!(told(&[&[], &[]], 0.67), [""; 0]);
        assert_eq!(told(&[&[]], 0.66), [""; 0], "one size says nothing");
        let slow: &[Warning] = &[Warning::SlowCode { tier: 1.5 }];
        assert_eq!(told(&[slow, slow], 0.66).len(), 1, "slow code alone is told");
    }
}
