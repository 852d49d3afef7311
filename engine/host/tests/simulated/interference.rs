//! The sampler on machines that change during a measurement: late optimised code, drift, frequency changes,
//! interruptions, and varying inputs.

use super::fake::{Fake, Model, REFERENCE, SET_INPUTS, Spread, quality};
use benchbook_contract::parameter::Range;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::response::{MachineKind, MeasuredPoint, Point, TwoLevelTimes, Warning};
use benchbook_host::sample::measurement::MeasurementSettings;

const RANGE: Range = Range { low: 1.0, high: 2.0 };

fn measured(point: &Point) -> &MeasuredPoint {
    point.measured().unwrap_or_else(|| panic!("{point:?}"))
}

fn first(points: &[Point]) -> &MeasuredPoint {
    measured(&points[0])
}

/// The optimised code, ten times as fast, arrives after counted samples have already been taken.
#[test]
fn samples_before_late_optimised_code_become_warm_up() {
    for (per_call, late, priority) in [(2e3, 900, 4), (20e3, 700, 4), (50e3, 300, 3)] {
        let mut fake = Fake::new(vec![Model { per_call, tier: (late, 10.0), ..Model::default() }]);
        let points = fake.measure(priority, RANGE);
        let MeasuredPoint { summary, runs, warnings, .. } = first(&points);
        let counted: Vec<_> = runs[0].samples.iter().filter(|sample| !sample.warm_up).collect();
        let slow = counted.iter().filter(|sample| sample.elapsed / runs[0].calls as f64 > 2.0 * per_call).count();
        let case = format!("{per_call} {late}: {slow} slow samples count, {summary:?} {warnings:?}");
        assert_eq!(slow, 0, "{case}");
        assert!((summary.mean / per_call - 1.0).abs() < 0.01, "{case}");
        assert!(!warnings.iter().any(|warning| matches!(warning, Warning::Changed { .. })), "{case}");
        let warm_up = runs[0].samples.iter().filter(|sample| sample.warm_up).count() as u64;
        assert!(warm_up >= late.min(500), "{warm_up} to warm up, {case}");
    }
}

/// The optimised code arrives after all samples of each process. The last process runs on, and notices it.
#[test]
fn code_that_is_optimised_after_the_samples_is_noticed() {
    for (late, expected) in [(400e6, true), (0.0, false)] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, late_code: (late, 1.3), ..Model::default() }]);
        let points = fake.measure_in_processes(4, Range { low: 1.0, high: 1.0 });
        let found = first(&points).warnings.iter().find_map(|warning| match *warning {
            Warning::LateChange { before, after } => Some((before, after)),
            _ => None,
        });
        let is_right =
            |(before, after): (f64, f64)| (before / 26e3 - 1.0).abs() < 0.02 && (after / 20e3 - 1.0).abs() < 0.02;
        assert_eq!(found.map(is_right), expected.then_some(true), "{found:?}");
    }
}

/// A machine that becomes faster at that time has not optimised any code.
#[test]
fn a_machine_that_becomes_faster_later_is_not_taken_for_better_code() {
    let weathers: [fn(f64) -> f64; 5] = [
        |now| if now < 1.0e9 { 1.3 } else { 1.0 },
        |now| if now < 1.2e9 { 1.3 } else { 1.0 },
        |now| if now < 1.4e9 { 1.3 } else { 1.0 },
        |now| if now < 1.6e9 { 1.3 } else { 1.0 },
        |now| if now < 1.8e9 { 1.3 } else { 1.0 },
    ];
    for weather in weathers {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
        fake.weather = Some(weather);
        let points = fake.measure_in_processes(4, Range { low: 1.0, high: 1.0 });
        let warnings = &first(&points).warnings;
        assert!(!warnings.iter().any(|warning| matches!(warning, Warning::LateChange { .. })), "{warnings:?}");
    }
}

/// A permanent slowdown is reported as a change, not treated as warm-up.
#[test]
fn permanent_slowdown_is_reported_as_a_change() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, tier: (900, 0.7), ..Model::default() }]);
    let points = fake.measure(4, RANGE);
    let MeasuredPoint { summary, warnings, .. } = first(&points);
    assert!(
        warnings.iter().any(|warning| matches!(warning, Warning::Changed { gradual: false, before, after, .. }
        if (before / 14e3 - 1.0).abs() < 0.02 && (after / 20e3 - 1.0).abs() < 0.02)),
        "{warnings:?}"
    );
    assert_eq!(summary.stability, Stability::NotSettled);
}

#[test]
fn drift_is_reported_as_gradual() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, noise: 0.02, ..Model::default() }]);
    fake.weather = Some(|now| 1.0 + 0.3 * (now / 1.5e9).min(1.0));
    let points = fake.measure(4, RANGE);
    let MeasuredPoint { summary, warnings, .. } = first(&points);
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::Changed { gradual: true, .. })), "{warnings:?}");
    assert_eq!(summary.stability, Stability::NotSettled);
}

/// The number of points whose warning blames the calls, and of those whose warning blames the machine.
fn blamed(fake_of: impl Fn() -> Fake) -> (u32, u32) {
    let (mut calls, mut machine) = (0, 0);
    for seed in 1..=10 {
        let mut fake = fake_of();
        (fake.random, fake.inputs_seed) = (1_000 * seed, seed);
        for point in fake.measure_in_processes(4, Range { low: 1.0, high: 1.0 }) {
            let changed = measured(&point).warnings.iter().find_map(|warning| match warning {
                Warning::Changed { by_calls, .. } => Some(*by_calls),
                _ => None,
            });
            calls += u32::from(changed == Some(true));
            machine += u32::from(changed == Some(false));
        }
    }
    (calls, machine)
}

/// In each process, a call takes longer the more calls came before it.
#[test]
fn calls_that_slow_the_next_are_not_blamed_on_the_machine() {
    for (growth, spread) in [(1e-3, Spread::None), (3e-3, Spread::Lognormal(0.1)), (2e-3, Spread::HeavyTail(40))] {
        let model = Model { per_call: 20e3, growth, spread, processes: 0.02, ..Model::default() };
        let (calls, machine) = blamed(|| Fake::new(vec![model.clone()]));
        assert!(calls >= 9, "{growth} {spread:?}: {calls} calls, {machine} machine");
    }
}

/// The machine becomes slower over all processes, in waves, or in a random walk.
#[test]
fn drift_of_the_machine_is_not_blamed_on_the_calls() {
    let weathers: [fn(f64) -> f64; 4] = [
        |_| 1.0,
        |now| 1.0 + now / 1e9,
        |now| 1.0 + 0.3 * (now / 1.5e8).sin(),
        |now| if now < 0.7e9 { 1.0 } else { 1.4 },
    ];
    for weather in weathers {
        for spread in [Spread::Lognormal(0.1), Spread::Autoregressive(0.999, 0.2), Spread::Autoregressive(0.99, 0.1)] {
            let model = Model { per_call: 20e3, spread, processes: 0.02, ..Model::default() };
            let (calls, machine) = blamed(|| {
                let mut fake = Fake::new(vec![model.clone()]);
                fake.weather = Some(weather);
                fake
            });
            assert!(calls <= 1, "{spread:?}: {calls} calls, {machine} machine");
        }
    }
}

/// The times switch every few milliseconds, within a block and between blocks.
#[test]
fn switching_between_two_levels_is_reported() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, noise: 0.02, ..Model::default() }]);
    fake.weather = Some(|now| if (now / 3e6) as u64 % 5 < 3 { 1.0 } else { 1.7 });
    let points = fake.measure(3, RANGE);
    let TwoLevelTimes { low, high, high_share, .. } = first(&points).two_levels().expect("there are two levels");
    assert!((low / 20e3 - 1.0).abs() < 0.01 && (high / 34e3 - 1.0).abs() < 0.01, "{low} {high}");
    // The upper level takes 40% of the time, and so fewer of the samples.
    assert!((0.2..0.4).contains(&high_share), "{high_share}");
}

/// The processor learns the branches of the inputs, and forgets them every forty batches.
#[test]
fn two_levels_are_measured_again_on_new_inputs() {
    let predictor = Some((40, 1.7));
    let mut fake = Fake::new(vec![Model { per_call: 2e3, predictor, ..Model::default() }, Model::default()]);
    let points = fake.measure(3, RANGE);
    let figures = first(&points);
    let levels = figures.two_levels().expect("there are two levels");
    assert!((levels.low / 2e3 - 1.0).abs() < 0.02 && (levels.high / 3.4e3 - 1.0).abs() < 0.02, "{levels:?}");
    let Interval { low, high } = levels.new_inputs.expect("the time on new inputs was measured");
    assert!(low < 3.4e3 && 3.4e3 < high && high / low < 1.02, "{levels:?}");

    let [run] = &figures.runs[..] else { panic!("one run") };
    let new_inputs = run.new_inputs.as_ref().expect("there are batches on new inputs");
    assert_eq!(new_inputs.calls, SET_INPUTS, "each call of a batch has another input");
    let calls = run.calls * u64::from(figures.summary.n);
    assert_eq!(run.inputs, Some(u64::from(figures.summary.blocks) * SET_INPUTS));
    assert_eq!(levels.repeats, Some(calls as f64 / run.inputs.unwrap() as f64));

    let sets: Vec<u32> = fake.blocks().map(|(order, _)| order.input_set).collect();
    let on_new_inputs = &sets[sets.len() - new_inputs.elapsed.len()..];
    assert!(on_new_inputs.windows(2).all(|pair| pair[0] < pair[1]), "each batch has another input set");
    let took: f64 = fake.blocks().skip(sets.len() - on_new_inputs.len()).map(|(_, nanos)| nanos).sum();
    assert!(took < 0.3 * 500e6, "a quarter of the point's time: {took}");
    // The other function is at one level.
    let other = points.iter().find(|point| point.function == "f1").map(measured).expect("it was measured");
    assert_eq!((other.two_levels(), other.runs[0].new_inputs.clone()), (None, None));
}

/// Each call has an input of its own, so no predictor can learn it.
#[test]
fn inputs_that_do_not_repeat_are_not_measured_again() {
    let mut fake = Fake::new(vec![Model { per_call: 20e6, predictor: Some((5, 1.7)), ..Model::default() }]);
    let points = fake.measure(4, RANGE);
    assert_eq!(first(&points).runs[0].new_inputs, None);
}

/// The reference kernel slows down with everything else.
#[test]
fn points_on_a_slowed_machine_are_flagged() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, noise: 0.05, ..Model::default() }]);
    fake.weather = Some(|now| if now < 0.3e9 { 1.0 } else { 1.4 });
    let points = fake.measure(2, Range { low: 1.0, high: 9.0 });
    let by: Vec<Option<f64>> = points
        .iter()
        .map(|point| {
            measured(point).warnings.iter().find_map(|warning| match warning {
                Warning::SlowMachine { by } => Some(*by),
                _ => None,
            })
        })
        .collect();
    assert_eq!(by[0], None, "{by:?}");
    assert!(by[4..].iter().all(|by| by.is_some_and(|by| (by - 0.4).abs() < 0.05)), "{by:?}");
    let reference = first(&points).runs[0].reference.expect("it was timed");
    assert!((reference / REFERENCE - 1.0).abs() < 0.02, "{reference}");
}

/// A machine with a constant speed is never reported as slower.
#[test]
fn constant_machine_causes_no_warning() {
    for resolution in [30.0, 5e3, 100e3, 1e6] {
        for priority in 1..=4 {
            let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
            fake.resolution = resolution;
            fake.jitter = 0.1;
            for point in fake.measure(priority, RANGE) {
                let warnings = &measured(&point).warnings;
                let is_flagged = warnings.iter().any(|warning| {
                    matches!(
                        warning,
                        Warning::SlowMachine { .. } | Warning::SlowCode { .. } | Warning::Interrupted { .. }
                    )
                });
                assert!(!is_flagged, "{resolution} {priority}: {warnings:?}");
            }
        }
    }
}

/// The tier kernel is slow relative to the reference kernel, on any clock, if there was time for both.
#[test]
fn slow_code_is_flagged() {
    for (resolution, priority) in [(30.0, 1), (5e3, 1), (100e3, 2), (100e3, 3), (1e6, 4)] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
        fake.resolution = resolution;
        fake.is_slow_code = true;
        let kind = MachineKind::Browser;
        let settings = MeasurementSettings { kind, ..fake.settings(quality(priority), RANGE) };
        let points = fake.measure_with(settings);
        let is_flagged =
            |point: &Point| measured(point).warnings.iter().any(|warning| matches!(warning, Warning::SlowCode { .. }));
        assert!(is_flagged(&points[0]), "{resolution} {priority}: {:?}", first(&points).warnings);
    }
}

/// The number of interrupted samples that a warning states, and the lost milliseconds.
#[track_caller]
fn interruptions(warnings: &[Warning]) -> (usize, f64) {
    let found = warnings.iter().find_map(|warning| match warning {
        Warning::Interrupted { samples, ms } => Some((*samples as usize, *ms)),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{warnings:?}"))
}

#[test]
fn interruptions_are_flagged_and_count_in_the_mean_but_do_not_affect_the_median() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
    fake.stalls = (0.01, 5e6);
    let points = fake.measure(4, RANGE);
    let MeasuredPoint { summary, runs, warnings, .. } = first(&points);
    let flagged: Vec<_> = runs[0].samples.iter().filter(|sample| sample.interrupted).collect();
    assert!(!flagged.is_empty() && flagged.iter().all(|sample| sample.elapsed > 5e6 && !sample.warm_up));
    let (samples, ms) = interruptions(warnings);
    assert!(samples == flagged.len() && (ms / (5.0 * samples as f64) - 1.0).abs() < 0.1, "{samples} {ms}");
    assert!((summary.median.expect("batches are long") / 20e3 - 1.0).abs() < 0.01, "{summary:?}");
    // The interruptions are only inferred, so no figure excludes them.
    assert!(summary.mean_interval.expect("there are blocks").contains(summary.mean));
    assert_eq!(summary.uninterrupted_mean, None);
    let lost = ms * 1e6 / f64::from(summary.n) / runs[0].calls as f64;
    assert!(((summary.mean - lost) / 20e3 - 1.0).abs() < 0.01, "{lost}: {summary:?}");
}

/// A suite can report even short interruptions if the kernel does. An interruption that is also visible in the time
/// counts once.
#[test]
fn interruptions_reported_by_the_suite_are_flagged() {
    // In the last case code is slow for so long that samples become part of the warm-up.
    for (stall, tier) in [(0.3e6, (0, 1.0)), (5e6, (0, 1.0)), (5e6, (900, 10.0))] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, tier, ..Model::default() }]);
        fake.stalls = (0.05, stall);
        fake.reports_interruptions = true;
        let points = fake.measure(4, RANGE);
        let MeasuredPoint { summary, runs, warnings, .. } = first(&points);
        let uninterrupted = summary.uninterrupted_mean.expect("the suite reports interruptions");
        assert!((uninterrupted / 20e3 - 1.0).abs() < 0.01 && uninterrupted < summary.mean, "{summary:?}");
        let samples = &runs[0].samples;
        let slowest = 20e3 * runs[0].calls as f64 * tier.1;
        for sample in samples {
            assert_eq!(sample.interrupted, sample.elapsed > slowest + stall / 2.0, "{sample:?}");
        }
        let flagged = |warm_up| samples.iter().filter(|sample| sample.warm_up == warm_up && sample.interrupted).count();
        assert!(flagged(false) > 0 && flagged(true) > 0, "{} {}", flagged(false), flagged(true));
        let (count, ms) = interruptions(warnings);
        assert!(count == flagged(false) && (ms / (stall / 1e6 * count as f64) - 1.0).abs() < 0.1, "{count} {ms}");
    }
}

/// Interference affects both functions equally, so their ratio is stable.
#[test]
fn ratio_is_stable_while_the_machine_drifts() {
    let (mut held, mut tries, mut found) = (0, 0, 0);
    for seed in 1..=20 {
        let model = Model { noise: 0.02, inputs: 0.3, ..Model::default() };
        let mut fake = Fake::new(vec![Model { per_call: 10e3, ..model.clone() }, Model { per_call: 10.1e3, ..model }]);
        fake.random = 1_000 * seed;
        fake.inputs_seed = seed;
        fake.stalls = (0.005, 5e6);
        fake.weather = Some(|now| 1.0 + 0.3 * (now / 4e8).sin());
        let points = fake.measure(3, RANGE);
        let compared = comparisons(&Fake::paths(2), fake.plan(RANGE).axis(), &points);
        for at in &compared[0].ratios {
            let interval = at.interval.unwrap_or_else(|| panic!("{at:?}"));
            tries += 1;
            held += u32::from(interval.contains(1.01));
            found += u32::from(interval.low > 1.0);
        }
    }
    // With 95% simultaneous coverage of two intervals, 39 of 40 are expected to hold; five standard deviations less is 34.
    assert!(held >= 34, "{held} of {tries} intervals contain the ratio");
    assert!(found >= 36, "the difference of one percent is detected in {found} of {tries}");
}

/// One function takes constant time, the other time proportional to the axis value.
#[test]
fn crossover_is_detected_at_the_intersection() {
    let (mut held, mut detected) = (0, 0);
    for seed in 1..=12 {
        let model = Model { noise: 0.2, inputs: 0.2, per_call: 0.0, ..Model::default() };
        let mut fake = Fake::new(vec![Model { per_call: 50e3, ..model.clone() }, Model { per_x: 10e3, ..model }]);
        (fake.random, fake.inputs_seed) = (1_000 * seed, seed);
        let range = Range { low: 1.0, high: 9.0 };
        let points = fake.measure(2, range);
        let compared = comparisons(&Fake::paths(2), fake.plan(range).axis(), &points);
        for crossover in &compared[0].crossovers {
            detected += 1;
            assert!(!crossover.other_wins_above, "{crossover:?}");
            held += u32::from(crossover.interval.contains(5.0));
        }
    }
    assert!(detected == 12 && held >= 10, "{held} of {detected} intervals contain the crossover");
}

/// After one long interruption the median is still valid, and no point is reported as under the resolution.
#[test]
fn one_long_interruption_withholds_no_figure() {
    let mut struck = 0;
    for stall in [50e6, 500e6] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
        fake.stalls = (0.001, stall);
        for point in fake.measure(3, RANGE) {
            assert_eq!(measured(&point).upper_bound(), None, "{:?}", measured(&point).warnings);
            struck += u32::from(measured(&point).summary.max > stall / 1e4);
        }
    }
    assert!(struck > 0, "at least one point was interrupted");
}
