//! The figures of a function at one axis value, and their warnings.

use crate::analyze::blocks::{RunTimes, mean_interval, required_runs};
use crate::analyze::change::{Change, ChangeKind, Steadiness, rises_by_calls, steadiness};
use crate::analyze::interval::Interval;
use crate::analyze::levels::{TwoLevels, two_levels};
use crate::analyze::running::RunningStats;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::{Basis, Summary, summarize};
use crate::analyze::stopping::MIN_SAMPLES;
use crate::response::{
    DeclaredWork, EventCounts, MeasuredPoint, MemoryUse, NewInputs, Outputs, Run, TwoLevelTimes, Warning,
    can_be_ranked, repeats,
};
use crate::sample::batch_start::batch_start;
use crate::sample::interruptions::mark_interruptions;
use crate::sample::settling::{late_change, stability, was_still_settling};

/// The minimum relative change of level for a warning, and its minimum as a share of the target precision: smaller changes
/// do not affect the figures.
const MIN_CHANGE: f64 = 0.01;
const MIN_CHANGE_OF_TARGET: f64 = 0.5;

/// A half-width of at most so many targets does not miss the target: the words would be the same, "±2.0%".
const MISSED: f64 = 1.05;

/// The circumstances of a measurement at a point.
#[derive(Clone, Debug)]
pub(super) struct Circumstances {
    /// The target for the relative half-width.
    pub(super) target: f64,
    /// Nanoseconds between two steps of the clock.
    pub(super) resolution: f64,
    /// Whether each batch must be a single call.
    pub(super) one_call_per_batch: bool,
    /// The time before the collection, in nanoseconds.
    pub(super) before: f64,
    /// The time of the collection, in nanoseconds.
    pub(super) spent: f64,
    /// The checked outputs; absent if not checked.
    pub(super) outputs: Option<Outputs>,
    /// The declared work of a call.
    pub(super) work: DeclaredWork,
    /// The memory use of counted calls.
    pub(super) memory: Option<MemoryUse>,
    /// What hardware counters counted.
    pub(super) events: Option<EventCounts>,
    /// Warnings about the machine, or about the joint measurement of functions.
    pub(super) remarks: Vec<Warning>,
}

/// Computes the figures from the runs of one or more processes; `None` without samples after the warm-up.
pub(super) fn figures(mut runs: Vec<Run>, circumstances: Circumstances) -> Option<MeasuredPoint> {
    let times: Vec<Vec<f64>> = runs.iter().map(Run::times).collect();
    let of_runs: Vec<RunTimes<'_>> = runs.iter().zip(&times).map(|(run, times)| run.run_times(times)).collect();
    let calls = runs.iter().zip(&times).map(|(run, times)| run.calls * times.len() as u64).sum();
    let fewest_calls = runs.iter().map(|run| run.calls).min()?;
    let (batch, step) = (mean_batch(&runs), circumstances.resolution / fewest_calls as f64);
    let tolerance = MIN_CHANGE.max(MIN_CHANGE_OF_TARGET * circumstances.target);
    let are_ranked = can_be_ranked(batch, circumstances.resolution);
    let count = runs.len();
    let steadiness = |run| if are_ranked { steadiness_of(run, tolerance, count) } else { Steadiness::Unknown };
    let changes: Vec<Steadiness> = runs.iter().map(steadiness).collect();
    // With short batches, the clock's steps hide whether times settled.
    let is_unsettled: Vec<bool> =
        runs.iter().zip(&changes).map(|(run, change)| are_ranked && was_still_settling(run, change)).collect();
    let stability = if are_ranked { stability(&is_unsettled, &changes) } else { Stability::Unknown };
    let summary = summarize(&Basis {
        runs: &of_runs,
        calls,
        step_per_call: step,
        uninterrupted_mean: uninterrupted_mean(&runs),
        quartiles_withheld: !are_ranked,
        stability,
    })?;
    let can_have_levels = are_ranked && !summary.mean_interval.is_some_and(|interval| interval.contains(0.0));
    let levels = of_runs.iter().filter(|_| can_have_levels).filter_map(|run| two_levels(run, step, count));
    let levels = levels.max_by(|one, other| (one.high / one.low).total_cmp(&(other.high / other.low)));
    let mut warnings = Warnings { list: circumstances.remarks.clone() };
    warnings.of_precision(&summary, &circumstances, (batch, step), &runs, &of_runs);
    warnings.add(is_unsettled.contains(&true), Warning::Unsettled);
    warnings.list.extend(greatest_change(&changes, &of_runs));
    let is_bound = warnings.list.iter().any(|warning| matches!(warning, Warning::BelowResolution { .. }));
    if !is_bound {
        warnings.list.extend(batch_start(&runs, summary.mean));
        warnings.list.extend(runs.iter().filter(|_| are_ranked).find_map(late_change));
    }
    warnings.add(fewest_calls > 1, Warning::Batched { calls: fewest_calls });
    warnings.list.extend(levels.map(|TwoLevels { low, high, high_share }| {
        let (repeats, new_inputs) = (repeats(&runs), on_new_inputs(&runs, circumstances.resolution));
        Warning::TwoLevels(TwoLevelTimes { low, high, high_share, repeats, new_inputs })
    }));
    let (samples, of) = (summary.extreme_outliers, summary.n);
    warnings.add(samples > 0, Warning::ExtremeOutliers { samples, of });
    warnings.add(summary.n < MIN_SAMPLES, Warning::FewSamples { samples: summary.n });
    warnings.add(circumstances.one_call_per_batch, Warning::OneCallPerBatch);
    let (samples, nanos) = mark_interruptions(&mut runs, circumstances.resolution);
    warnings.add(samples > 0, Warning::Interrupted { samples, ms: nanos / 1e6 });
    let Circumstances { outputs, work, memory, events, .. } = circumstances;
    let warnings = warnings.list;
    Some(MeasuredPoint { outputs, work, memory, events, warnings, ..MeasuredPoint::new(summary, runs) })
}

/// Returns the collection time needed for the half-width `target`, given the half-width `reached` after `spent`. Its part
/// `systematic` is constant; the rest decreases with the square root of the time, and both add in quadrature. `None` if no
/// time suffices.
pub(super) fn required_collection_time(target: f64, spent: f64, reached: f64, systematic: f64) -> Option<f64> {
    let own = reached.powi(2) - systematic.powi(2);
    let room = target.powi(2) - systematic.powi(2);
    (room > 0.0).then(|| spent * own.max(0.0) / room)
}

/// See [`TwoLevelTimes::new_inputs`]. `resolution`: that of the clock in nanoseconds.
///
/// Each batch has inputs of its own. The batches of fewer than three processes count as those of one.
fn on_new_inputs(runs: &[Run], resolution: f64) -> Option<Interval> {
    let measured: Vec<(&Run, &NewInputs)> =
        runs.iter().filter_map(|run| Some((run, run.new_inputs.as_ref()?))).collect();
    let calls = measured.iter().map(|(_, new)| new.calls).min()?;
    let times = |(run, new): &(&Run, &NewInputs)| -> Vec<f64> {
        new.elapsed.iter().map(|elapsed| elapsed / new.calls as f64 - run.overhead.per_call).collect()
    };
    let mut times: Vec<Vec<f64>> = measured.iter().map(times).collect();
    if times.len() < 3 {
        times = vec![times.concat()];
    }
    let blocks: Vec<Vec<u32>> = times.iter().map(|times| vec![1; times.len()]).collect();
    let of_runs: Vec<RunTimes<'_>> = measured
        .iter()
        .zip(&times)
        .zip(&blocks)
        .map(|(((run, _), times), blocks)| run.overhead.run_times(times, blocks))
        .collect();
    mean_interval(&of_runs, resolution / calls as f64)?.interval
}

/// See [`Summary::uninterrupted_mean`].
fn uninterrupted_mean(runs: &[Run]) -> Option<f64> {
    let was_interrupted =
        runs.iter().flat_map(|run| &run.samples).any(|sample| !sample.warm_up && sample.was_interrupted());
    let means: RunningStats = runs.iter().map(Run::uninterrupted_mean).collect::<Option<_>>()?;
    means.mean().filter(|_| was_interrupted)
}

/// The standard deviation relative to the mean from which on few samples are not enough for an interval that looks precise: times that
/// vary so much usually have rare slow calls, too, which may be absent among the samples. Simulated intervals then contain the mean in 88%
/// of cases.
const MAX_VARIATION: f64 = 0.4;

struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    fn add(&mut self, when: bool, warning: Warning) {
        if when {
            self.list.push(warning);
        }
    }

    /// Adds the warnings about intervals that are too wide or unreliable.
    ///
    /// `batch`: mean time of a batch in nanoseconds; `step`: a clock step in nanoseconds per call.
    fn of_precision(
        &mut self,
        summary: &Summary,
        circumstances: &Circumstances,
        (batch, step): (f64, f64),
        runs: &[Run],
        of_runs: &[RunTimes<'_>],
    ) {
        let &Circumstances { target, resolution, before, spent, .. } = circumstances;
        let under = bound(summary, runs, step);
        let is_resolved = under.is_none();
        let reached = summary.relative_half_width;
        let imprecise = is_resolved && reached.is_none_or(|reached| reached > MISSED * target);
        let systematic = runs.iter().map(|run| run.overhead.systematic_half_width(summary.mean)).fold(0.0, f64::max)
            / summary.mean.abs();
        let is_single = of_runs.len() == 1;
        let needs = reached
            .filter(|_| is_single)
            .and_then(|reached| required_collection_time(target, spent, reached, systematic));
        let needs_ms = needs.map(|needs| (before + needs) / 1e6);
        let needs_processes = if is_single { None } else { required_runs(of_runs, step, target) };
        self.list.extend(under.map(|under| Warning::BelowResolution { under }));
        let slow_setup = runs.iter().filter_map(|run| run.overhead.slow_setup).reduce(f64::max);
        match slow_setup.filter(|_| !is_resolved || systematic >= target) {
            // Noise is not the reason, so neither a longer measurement nor a quieter machine helps.
            Some(setup) => self.list.push(Warning::SlowSetup { setup }),
            None => self.add(imprecise, Warning::Imprecise { reached, target, needs_ms, needs_processes }),
        }
        let may_miss_slow_calls = !imprecise && summary.n < MIN_SAMPLES && summary.sd > MAX_VARIATION * summary.mean;
        self.add((summary.interval_doubtful || may_miss_slow_calls) && is_resolved, Warning::Skewed);
        self.add(summary.is_correlated && is_resolved, Warning::Correlated);
        self.add(summary.median.is_none(), Warning::ShortBatches { batch, resolution });
    }
}

/// The shortest time that a call can take, in nanoseconds: no processor makes a thousand calls in one. A shorter time is what
/// remains of the difference between two loops.
const SHORTEST_TIME: f64 = 1e-3;

/// Without an interval, the shortest time behind a setup that dwarfs it, in multiples of the overhead: L. A. Currie's limit of
/// quantitative determination (*Analytical Chemistry* 40 (1968) 586–593) is ten times the error of the blank.
const QUANTIFIABLE: f64 = 10.0;

/// The upper bound of the time per call in nanoseconds if the samples do not show that it is above 0; `None` if they do. `step`: a
/// clock step in nanoseconds per call.
fn bound(summary: &Summary, runs: &[Run], step: f64) -> Option<f64> {
    let overheads = || runs.iter().map(|run| run.overhead);
    let is_dwarfed = overheads().any(|overhead| overhead.slow_setup.is_some());
    // If the median's interval is above 0, only interference lowered the mean's interval.
    let is_lowered = !is_dwarfed && summary.median_interval.is_some_and(|interval| interval.low > 0.0);
    // An interval below 0 counts as containing 0: the empty loop took longer than the loop with the call.
    let overhead = overheads().map(|overhead| overhead.per_call).fold(0.0, f64::max);
    let contains_zero = match summary.mean_interval {
        Some(interval) => interval.low <= 0.0 && !is_lowered,
        None => is_dwarfed && summary.mean < QUANTIFIABLE * overhead,
    };
    let is_unmeasured = overheads().any(|overhead| overhead.is_unmeasured());
    if !contains_zero && !is_unmeasured && summary.median.unwrap_or(summary.mean) >= SHORTEST_TIME {
        return None;
    }
    let slowest = summary.max + overhead;
    let under = match summary.mean_interval {
        // With the overhead, a sample contains its calls and the timer, however uncertain that is.
        interval if is_dwarfed => interval.map_or(slowest, |interval| interval.high.min(slowest)),
        // The lower end counts too: an interval below 0 shows that the overhead is wrong by at least its distance from 0.
        Some(interval) => interval.high.max(-interval.low),
        None => slowest.max(-summary.min),
    };
    Some(under.max(step).max(SHORTEST_TIME))
}

/// Tests for a change of level, relative to times with the overhead: times without it may be close to 0.
fn steadiness_of(run: &Run, tolerance: f64, runs: usize) -> Steadiness {
    let times: Vec<f64> = run.times().iter().map(|time| time + run.overhead.per_call).collect();
    steadiness(&run.run_times(&times), tolerance, runs)
}

/// The greatest relative change in any run.
fn greatest_change(changes: &[Steadiness], runs: &[RunTimes<'_>]) -> Option<Warning> {
    let is_in_each = changes.iter().all(|change| matches!(change, Steadiness::Changed(_)));
    let by_calls = is_in_each && rises_by_calls(runs);
    let factor = |change: &Change| (change.after / change.before).ln().abs();
    let changes = changes.iter().filter_map(|change| match change {
        Steadiness::Changed(change) => Some(change),
        Steadiness::Steady | Steadiness::Unknown => None,
    });
    let Change { kind, before, after } = changes.max_by(|one, other| factor(one).total_cmp(&factor(other)))?;
    Some(Warning::Changed { before: *before, after: *after, gradual: *kind == ChangeKind::Trend, by_calls })
}

/// Returns the mean time of a batch after the warm-up, in nanoseconds.
fn mean_batch(runs: &[Run]) -> f64 {
    let counted = runs.iter().flat_map(|run| &run.samples).filter(|sample| !sample.warm_up);
    let (n, sum) = counted.fold((0, 0.0), |(n, sum), sample| (n + 1, sum + sample.elapsed));
    sum / f64::from(n.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::Sample;

    /// The bound on the times of calls whose loop costs nothing, in ten blocks.
    fn bound_on(times: &[f64]) -> Option<f64> {
        let samples: Vec<Sample> = times.iter().map(|&elapsed| Sample { elapsed, ..Sample::default() }).collect();
        let blocks = vec![times.len() as u32 / 10; 10];
        let run = Run::of_single_calls(samples, blocks, Stability::Settled);
        let summary = summarize(&Basis::of(&[run.run_times(&run.times())], 1)).expect("there are samples");
        bound(&summary, &[run], 1e-9)
    }

    #[test]
    fn a_time_at_or_below_zero_is_only_bounded() {
        let repeated = |times: &[f64]| times.iter().copied().cycle().take(200).collect::<Vec<f64>>();
        let skewed = [-1.59e-5, -1.6e-5, -1.5e-5, -1.4e-5, 1e-2];
        assert!(bound_on(&repeated(&skewed)).is_some_and(|under| (1e-3..1e-2).contains(&under)), "negative median");
        assert_eq!(bound_on(&repeated(&[0.0])), Some(SHORTEST_TIME));
        assert_eq!(bound_on(&repeated(&[1.59e-5, 1.6e-5])), Some(SHORTEST_TIME), "shorter than any call");
        assert_eq!(bound_on(&[-1e-2]), Some(1e-2), "without an interval");
        assert_eq!(bound_on(&repeated(&[0.21, 0.2])), None);
    }
}
