//! The sampler with a suite whose functions take known times on a clock with known steps.

use std::sync::LazyLock;

use super::fake::{EMPTY, Fake, Model, quality};
use benchbook_contract::parameter::Range;
use benchbook_contract::protocol::{Collect, Lane, LaneTarget};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::response::{MeasuredPoint, Overhead, Run, Warning};

/// Clock resolutions in nanoseconds: native, an isolated page, and the coarse clocks of Chromium and Firefox.
const RESOLUTIONS: [f64; 4] = [30.0, 5e3, 100e3, 1e6];

fn measured(fake: &mut Fake, priority: u8) -> MeasuredPoint {
    let point = fake.measure(priority, Range { low: 1.0, high: 1.0 }).swap_remove(0);
    point.measured().unwrap_or_else(|| panic!("{point:?}")).clone()
}

/// A case of the tables: a function, its workload and its clock.
#[derive(Clone, Copy, Debug)]
struct Case {
    per_call: f64,
    held: f64,
    round: u64,
    one_call: bool,
    resolution: f64,
    preparation: f64,
    priority: u8,
}

impl Case {
    fn fake(&self) -> Fake {
        let model =
            Model { per_call: self.per_call, held: self.held, preparation: self.preparation, ..Model::default() };
        let mut fake = Fake::new(vec![model]);
        fake.round = self.round;
        fake.one_call_per_batch = self.one_call;
        fake.resolution = self.resolution;
        fake.jitter = 0.1;
        fake
    }
}

/// Half of all combinations, which contain every pair of values of two parameters.
fn all_cases() -> impl Iterator<Item = Case> {
    let per_calls = [0.3, 2.0, 40.0, 1e3, 30e3, 1e6, 20e6, 300e6, 1e9];
    let workloads = [
        // Bytes held per call, round, one call per batch, preparation per call.
        (0.0, 1, false, 1.0),
        (0.0, 256, false, 5.0),
        (8.0, 7, false, 30.0),
        (10e3, 1, false, 2e3),
        (1e6, 1, false, 100e3),
        (1e4, 100, false, 1e3),
        (0.0, 1, true, 50.0),
        (16.0, 1, false, 5e6),
    ];
    let cases = per_calls.into_iter().flat_map(move |per_call| {
        workloads.into_iter().flat_map(move |(held, round, one_call, preparation)| {
            RESOLUTIONS.into_iter().flat_map(move |resolution| {
                (1..=4).map(move |priority| Case { per_call, held, round, one_call, resolution, preparation, priority })
            })
        })
    });
    // There are 4 priorities, 4 resolutions and 8 workloads.
    let is_even = |index: usize| (index + index / 4 + index / 16 + index / 128) % 2 == 0;
    cases.enumerate().filter_map(move |(index, case)| is_even(index).then_some(case))
}

/// The outcome of a case.
struct Outcome {
    case: Case,
    measured: MeasuredPoint,
    /// The orders for the first point: their numbers of batches, and the nanoseconds that they took.
    orders: Vec<(usize, f64)>,
}

/// All cases, measured once for all tests.
static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let outcome = |case: Case| {
        let mut fake = case.fake();
        let measured = measured(&mut fake, case.priority);
        let preparation = fake.orders().filter(|(order, _)| order.slot == 1);
        let blocks = fake.blocks().filter(|(order, _)| order.slot == 1);
        let orders = preparation.map(|(order, took)| (order.batches as usize, took));
        let orders = orders.chain(blocks.map(|(order, took)| (order.turns.len(), took))).collect();
        Outcome { case, measured, orders }
    };
    all_cases().map(outcome).collect()
});

/// Applies `check` to every case, and reports the failures.
#[track_caller]
fn assert_in_all_cases(check: impl Fn(&Outcome) -> Result<(), String>) {
    let why = |outcome: &Outcome| check(outcome).err().map(|why| format!("{why}: {:?}", outcome.case));
    let failed: Vec<String> = OUTCOMES.iter().filter_map(why).collect();
    let shown = failed[..failed.len().min(20)].join("\n");
    assert!(failed.is_empty(), "{} of {} cases:\n{shown}", failed.len(), OUTCOMES.len());
}

/// The fake itself checks the contract and the limit on bytes for each order.
#[test]
fn single_orders_are_short() {
    assert_in_all_cases(|outcome| {
        // The sampler predicts the time from earlier batches, whose times vary.
        match outcome.orders.iter().find(|(batches, took)| *batches > 1 && *took > 1.4 * 50e6) {
            Some((batches, took)) => Err(format!("{:.1} ms in one order of {batches} batches", took / 1e6)),
            None => Ok(()),
        }
    });
}

#[test]
fn point_takes_its_time_or_at_most_twice_as_long() {
    assert_in_all_cases(|Outcome { case, measured, orders }| {
        let spent: f64 = orders.iter().map(|(_, took)| took).sum();
        // Orders are not interrupted, and another one is already queued.
        let longest = orders.iter().map(|(_, took)| *took).fold(0.0, f64::max);
        let quality = quality(case.priority);
        let factor = if measured.summary.n > quality.samples.at_least { 1.25 } else { 2.0 };
        // At least one call is warm-up, and one counts.
        let bound = factor * quality.point_ms * 1e6 + 2.1 * longest;
        let counted = measured.counted().count();
        match (spent <= bound, counted >= 1, counted == measured.summary.n as usize) {
            (true, true, true) => Ok(()),
            _ => Err(format!("{:.1} ms instead of {:.1}, {counted} samples", spent / 1e6, bound / 1e6)),
        }
    });
}

#[test]
fn mean_interval_covers_the_true_time() {
    assert_in_all_cases(|Outcome { case, measured: MeasuredPoint { summary, runs, .. }, .. }| {
        let (calls, overhead) = (&runs[0].calls, runs[0].overhead.per_call);
        // At twice its width the interval misses one truth in ten thousand. A single sample has no interval; its error
        // is its noise, a step of the clock, and the overhead, which is not measured for slow calls.
        let alone = 0.01 * case.per_call + case.resolution / *calls as f64 + EMPTY + 20.0 / *calls as f64;
        let half = summary.mean_interval.map_or(alone, |interval| interval.high - interval.low);
        match (summary.mean - case.per_call).abs() <= half.max(1e-3 * case.per_call) {
            true => Ok(()),
            false => Err(format!("{} ± {half}, overhead {overhead}, {} batches of {calls}", summary.mean, summary.n)),
        }
    });
}

#[test]
fn missed_targets_are_warned_of() {
    assert_in_all_cases(|Outcome { case, measured, .. }| {
        let MeasuredPoint { summary, runs, warnings, .. } = measured;
        let calls = &runs[0].calls;
        let quality = quality(case.priority);
        let has = |wanted: fn(&Warning) -> bool| warnings.iter().any(wanted);
        let has_slow_setup = measured.slow_setup().is_some();
        let Overhead { per_call: timer, .. } = runs[0].overhead;
        let is_only_timer =
            has_slow_setup && (timer == 0.0 || summary.mean_interval.is_none() && summary.mean < 10.0 * timer);
        let is_zero = summary.median.unwrap_or(summary.mean) < 1e-3;
        let is_under = is_zero || is_only_timer || summary.mean_interval.is_some_and(|interval| interval.contains(0.0));
        let precise = summary.relative_half_width.is_some_and(|half| half <= 1.05 * quality.precision);
        let systematic = runs[0].overhead.systematic_half_width(summary.mean) / summary.mean.abs();
        let is_by_setup = has_slow_setup && (is_under || systematic >= quality.precision);
        let batch = summary.mean * *calls as f64;
        let expected = [
            ("under", is_under, has(|warning| matches!(warning, Warning::BelowResolution { .. }))),
            (
                "imprecise",
                !is_under && !precise && !is_by_setup,
                has(|warning| matches!(warning, Warning::Imprecise { .. })),
            ),
            ("setup", is_by_setup, has(|warning| matches!(warning, Warning::SlowSetup { .. }))),
            ("short", summary.median.is_none(), has(|warning| matches!(warning, Warning::ShortBatches { .. }))),
            ("batched", *calls > 1, has(|warning| matches!(warning, Warning::Batched { .. }))),
            ("one call", case.one_call, has(|warning| matches!(warning, Warning::OneCallPerBatch))),
        ];
        let wrong: Vec<_> = expected.iter().filter(|(_, should, is)| should != is).map(|(name, ..)| name).collect();
        let are_quartiles_valid = summary.median.is_none() || batch + EMPTY * *calls as f64 > 8.0 * case.resolution;
        match wrong.is_empty() && are_quartiles_valid {
            true => Ok(()),
            false => Err(format!("{wrong:?}, {batch} ns per batch, {warnings:?}")),
        }
    });
}

/// Without interference, a point reaches its target well before its time limit.
#[test]
fn point_ends_early_at_its_precision_target() {
    for priority in 1..=4 {
        let mut fake = Fake::new(vec![Model { per_call: 1_000.0, ..Model::default() }]);
        let MeasuredPoint { summary, runs, .. } = measured(&mut fake, priority);
        let samples = &runs[0].samples;
        let quality = quality(priority);
        assert!(summary.relative_half_width.expect("it has an interval") <= quality.precision, "{summary:?}");
        assert!(summary.n >= quality.samples.at_least, "{summary:?}");
        let spent: f64 = samples.iter().map(|sample| sample.elapsed).sum();
        assert!(spent < 0.9 * quality.point_ms * 1e6, "{spent}");
        assert_eq!(summary.stability, Stability::Settled);
    }
}

#[test]
fn noisy_points_that_miss_the_target_are_flagged_as_imprecise() {
    for (noise, priority, precise) in [(0.01, 3, true), (0.3, 3, true), (1.5, 3, false), (0.3, 4, true)] {
        let mut fake = Fake::new(vec![Model { per_call: 2e6, noise: noise / 2.0, ..Model::default() }]);
        let MeasuredPoint { summary, warnings, .. } = measured(&mut fake, priority);
        let imprecise = warnings.iter().any(|warning| matches!(warning, Warning::Imprecise { reached: Some(_), .. }));
        assert_eq!(imprecise, !precise, "{noise}: {summary:?}");
    }
}

/// As in a browser: the optimised code arrives with the seventh entry and is ten times as fast.
#[test]
fn figures_exclude_a_code_change_during_warm_up() {
    for (per_call, priority) in
        [(0.3, 2), (2.0, 1), (40.0, 1), (1e3, 1), (30e3, 2), (200e3, 2), (1e6, 3), (2e6, 3), (5e6, 4)]
    {
        for resolution in [30.0, 5e3, 100e3] {
            if per_call < 1.0 && resolution > 5e3 {
                // With millions of calls per batch, preparing them uses up the warm-up time, which causes a warning.
                continue;
            }
            let mut fake = Fake::new(vec![Model { per_call, tier: (6, 10.0), ..Model::default() }]);
            fake.resolution = resolution;
            let MeasuredPoint { summary, mut runs, warnings, .. } = measured(&mut fake, priority);
            let Run { samples, calls, .. } = runs.swap_remove(0);
            let case = format!("{per_call} ns, resolution {resolution}, {calls} calls: {summary:?}");
            assert!(summary.max < 3.0 * per_call + 2.0 * resolution / calls as f64, "{case}");
            assert!(!warnings.contains(&Warning::Unsettled), "{case}");
            // Samples of another batch size are discarded, and the new size warms up again.
            let of_function = Lane { target: LaneTarget::Function(0), calls };
            let is_timed = |order: &&Collect| order.slot == 1 && order.target == of_function.target;
            let orders: Vec<_> = fake.orders().map(|(order, _)| order).filter(is_timed).collect();
            let warming = orders.iter().rev().take_while(|order| order.calls == calls).map(|order| order.batches);
            let blocks = fake.blocks().filter(|(block, _)| block.slot == 1);
            let turns = blocks.flat_map(|(block, _)| block.turns.iter().map(|&turn| block.lanes[turn]));
            let retained = warming.sum::<u32>() + turns.filter(|lane| *lane == of_function).count() as u32;
            let warm = samples.iter().filter(|sample| sample.warm_up).count();
            // If the batch size did not grow, the calibration had as many calls per batch.
            assert!((samples.len()..=samples.len() + 6).contains(&(retained as usize)), "{retained} retained, {case}");
            assert!(warm >= 5, "{warm} to warm up, {case}");
            // The batch size has increased with the speed.
            let goal = (2.0 * resolution / quality(priority).precision).min(0.1 * quality(priority).point_ms * 1e6);
            assert!(calls as f64 * (per_call + EMPTY) >= 0.3 * goal, "{case}");
        }
    }
}

/// Slower code ends with the warm-up: there are too few samples for a change of level.
#[test]
fn a_warm_up_that_ends_while_times_fall_is_flagged_as_unsettled() {
    for batches in 12..=13 {
        let tier = (batches, 2.0);
        let mut fake = Fake::new(vec![Model { per_call: 1e6, noise: 0.4, tier, ..Model::default() }]);
        let MeasuredPoint { summary, warnings, .. } = measured(&mut fake, 1);
        assert!(warnings.contains(&Warning::Unsettled), "{batches}: {warnings:?}");
        assert_eq!(summary.stability, Stability::NotSettled);
    }
}

/// A warm-up that expects less noise uses all of its time, but constant noise is no reason to warn.
#[test]
fn times_that_always_vary_are_not_flagged_as_unsettled() {
    for priority in 1..=4 {
        let mut fake = Fake::new(vec![Model { per_call: 5e3, noise: 0.8, ..Model::default() }]);
        let MeasuredPoint { summary, warnings, runs, .. } = measured(&mut fake, priority);
        let samples = &runs[0].samples;
        assert_eq!(runs[0].stability, Stability::NotSettled);
        assert!(!warnings.contains(&Warning::Unsettled), "{warnings:?}");
        assert_eq!(summary.stability, Stability::Unknown);
        let bounds = quality(priority).warm_up;
        let warm_up = samples.iter().filter(|sample| sample.warm_up);
        let (count, spent) = warm_up.fold((0, 0.0), |(count, spent), sample| (count + 1, spent + sample.elapsed));
        assert!(count <= bounds.at_most + 5 && spent <= 1.5 * bounds.ms * 1e6, "{count} batches, {spent} ns");
    }
}

/// A function that does nothing takes about 0 ns.
#[test]
fn empty_function_is_under_the_resolution() {
    let mut signs = Vec::new();
    for resolution in RESOLUTIONS {
        for priority in 1..=4 {
            let mut fake = Fake::new(vec![Model { per_call: 0.0, ..Model::default() }]);
            fake.resolution = resolution;
            let MeasuredPoint { summary, warnings, runs, .. } = measured(&mut fake, priority);
            let calls = runs[0].calls;
            let under = warnings.iter().find_map(|warning| match warning {
                Warning::BelowResolution { under } => Some(*under),
                _ => None,
            });
            // With a coarse clock and little time the bound is wide. It contains a quarter of the empty loop.
            let step = resolution / calls as f64;
            let case = format!("{resolution} {priority}: {summary:?}");
            assert!(summary.mean.abs() < 2.0 * step + 0.1, "{case}");
            assert!(under.is_some_and(|under| (0.0..30.0 * step + 0.3 * EMPTY).contains(&under)), "{case}");
            signs.push(summary.mean < 0.0);
        }
    }
    assert!(signs.contains(&true) && signs.contains(&false), "estimates of 0 must have both signs");
}

#[test]
fn function_slower_than_the_time_limit_yields_one_sample_and_warnings() {
    for priority in 1..=4 {
        let per_call = 2.5 * quality(priority).point_ms * 1e6;
        let mut fake = Fake::new(vec![Model { per_call, ..Model::default() }]);
        let MeasuredPoint { summary, warnings, runs, .. } = measured(&mut fake, priority);
        let samples = &runs[0].samples;
        assert_eq!((summary.n, summary.calls, samples.len()), (1, 1, 2), "one warms up, one counts");
        assert!((summary.mean / per_call - 1.0).abs() < 0.011, "{summary:?}");
        let target = quality(priority).precision;
        assert!(
            warnings.contains(&Warning::Imprecise { reached: None, target, needs_ms: None, needs_processes: None }),
            "{warnings:?}"
        );
        // Too little was observed to claim that the times did not settle.
        assert!(!warnings.contains(&Warning::Unsettled), "{warnings:?}");
        assert_eq!(summary.stability, Stability::Unknown);
    }
}

#[test]
fn overhead_is_measured_and_subtracted() {
    for resolution in [30.0, 5e3] {
        let mut fake = Fake::new(vec![Model { per_call: 3.0, ..Model::default() }]);
        fake.resolution = resolution;
        let MeasuredPoint { summary, mut runs, .. } = measured(&mut fake, 3);
        let Run { samples, calls, overhead: Overhead { per_call: overhead, .. }, .. } = runs.swap_remove(0);
        assert!((overhead / EMPTY - 1.0).abs() < 0.2, "{overhead}");
        assert!((summary.mean / 3.0 - 1.0).abs() < 0.03, "{summary:?}");
        // Samples contain the raw readings.
        let read = samples.iter().rev().take(10).map(|sample| sample.elapsed).sum::<f64>() / 10.0 / calls as f64;
        assert!((read / (3.0 + EMPTY) - 1.0).abs() < 0.03, "{read}");
        assert!(fake.orders().any(|(order, _)| order.target == LaneTarget::Empty(0)));
    }
}

/// A function that initialises something once, such as a regex that it compiles on its first call.
#[test]
fn first_call_does_not_determine_the_batch_size() {
    for (first_call, resolution) in
        [((100e3, 0.0), 30.0), ((100e3, 117e3), 30.0), ((8e6, 117e3), 30.0), ((1e6, 117e3), 5e3)]
    {
        for priority in 1..=4 {
            let measured_with = |first_call| {
                let mut fake = Fake::new(vec![Model { per_call: 75.0, first_call, ..Model::default() }]);
                fake.resolution = resolution;
                measured(&mut fake, priority)
            };
            let [usual, with_first] = [(0.0, 0.0), first_call].map(measured_with);
            let case = format!("{first_call:?} {resolution} {priority}: {:?}", with_first.summary);
            let calls = with_first.runs[0].calls as f64 / usual.runs[0].calls as f64;
            assert!((0.95..1.05).contains(&calls), "{calls} times as many calls, {case}");
            assert!((with_first.summary.mean / 75.0 - 1.0).abs() < 0.02, "{case}");
            assert_eq!(with_first.summary.median.is_some(), usual.summary.median.is_some(), "{case}");
        }
    }
}
