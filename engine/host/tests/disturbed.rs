//! The sampler under machines that change while they are measured: better code that comes late, drift, other frequencies,
//! interruptions, and inputs that differ.

#[expect(dead_code, reason = "what goes wrong is for `measurement.rs`")]
mod fake;

use benchbook_contract::parameter::{Range, Scale};
use benchbook_host::pairing::comparisons;
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::response::{Measured, Point, Warning};
use benchbook_host::sample::measurement::Measurement;
use fake::{Fake, Model, REFERENCE};

const RANGE: Range = Range { low: 1.0, high: 2.0 };

fn measured(point: &Point) -> &Measured {
    point.measured().unwrap_or_else(|| panic!("{point:?}"))
}

fn first(points: &[Point]) -> &Measured {
    measured(&points[0])
}

/// The code that is ten times as fast comes so late that samples count already.
#[test]
fn better_code_that_comes_late_makes_what_was_before_a_warm_up() {
    for (per_call, late, priority) in [(2e3, 900, 4), (20e3, 700, 4), (50e3, 300, 3)] {
        let mut fake = Fake::new(vec![Model { per_call, tier: (late, 10.0), ..Model::default() }]);
        let points = fake.measure(priority, RANGE);
        let Measured { summary, runs, warnings, .. } = first(&points);
        let counted: Vec<_> = runs[0].samples.iter().filter(|sample| !sample.warm_up).collect();
        let slow = counted.iter().filter(|sample| sample.elapsed / runs[0].calls as f64 > 2.0 * per_call).count();
        let case = format!("{per_call} {late}: {slow} slow ones count, {summary:?} {warnings:?}");
        assert_eq!(slow, 0, "{case}");
        assert!((summary.mean / per_call - 1.0).abs() < 0.01, "{case}");
        assert!(!warnings.iter().any(|warning| matches!(warning, Warning::Changed { .. })), "{case}");
        let warm_up = runs[0].samples.iter().filter(|sample| sample.warm_up).count() as u64;
        assert!(warm_up >= late.min(500), "{warm_up} to warm up, {case}");
    }
}

/// What becomes slower for good is no warm-up: it is told.
#[test]
fn code_that_becomes_slower_is_told() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, tier: (900, 0.7), ..Model::default() }]);
    let points = fake.measure(4, RANGE);
    let Measured { summary, warnings, .. } = first(&points);
    assert!(
        warnings.iter().any(|warning| matches!(warning, Warning::Changed { gradual: false, before, after }
        if (before / 14e3 - 1.0).abs() < 0.02 && (after / 20e3 - 1.0).abs() < 0.02)),
        "{warnings:?}"
    );
    assert!(!summary.steady);
}

#[test]
fn a_drift_is_told_as_gradual() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, noise: 0.02, ..Model::default() }]);
    fake.weather = |now| 1.0 + 0.3 * (now / 1.5e9).min(1.0);
    let points = fake.measure(4, RANGE);
    let Measured { summary, warnings, .. } = first(&points);
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::Changed { gradual: true, .. })), "{warnings:?}");
    assert!(!summary.steady);
}

/// The reference kernel becomes slower with everything else.
#[test]
fn a_machine_that_becomes_slower_is_told_of_the_points_it_strikes() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, noise: 0.05, ..Model::default() }]);
    fake.weather = |now| if now < 0.3e9 { 1.0 } else { 1.4 };
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

/// A machine that keeps its pace is never said to be slower.
#[test]
fn a_machine_that_keeps_its_pace_is_not_told_of() {
    for resolution in [30.0, 5e3, 100e3, 1e6] {
        for priority in 1..=4 {
            let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
            fake.resolution = resolution;
            fake.jitter = 0.1;
            for point in fake.measure(priority, RANGE) {
                let warnings = &measured(&point).warnings;
                let is_told = warnings.iter().any(|warning| {
                    matches!(
                        warning,
                        Warning::SlowMachine { .. } | Warning::SlowCode { .. } | Warning::Interrupted { .. }
                    )
                });
                assert!(!is_told, "{resolution} {priority}: {warnings:?}");
            }
        }
    }
}

/// The tier kernel is slow beside the reference kernel, on any clock, where there was time for both.
#[test]
fn slow_code_is_told() {
    for (resolution, priority) in [(30.0, 1), (5e3, 1), (100e3, 2), (100e3, 3), (1e6, 4)] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
        fake.resolution = resolution;
        fake.is_slow_code = true;
        let quality = Qualities::default().of(Priority::try_from(priority).expect("1 to 4")).clone();
        let measurement = Measurement::new(fake.plan(RANGE), quality, fake.clock()).in_browser();
        let points = fake.drive(measurement);
        let is_told =
            |point: &Point| measured(point).warnings.iter().any(|warning| matches!(warning, Warning::SlowCode { .. }));
        assert!(is_told(&points[0]), "{resolution} {priority}: {:?}", first(&points).warnings);
    }
}

#[test]
fn interruptions_are_marked_and_leave_mean_and_median_alone() {
    let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
    fake.stalls = (0.01, 5e6);
    let points = fake.measure(4, RANGE);
    let Measured { summary, runs, warnings, .. } = first(&points);
    let marked: Vec<_> = runs[0].samples.iter().filter(|sample| sample.interrupted).collect();
    assert!(!marked.is_empty() && marked.iter().all(|sample| sample.elapsed > 5e6 && !sample.warm_up));
    let told = warnings.iter().find_map(|warning| match warning {
        Warning::Interrupted { samples, ms } => Some((*samples as usize, *ms)),
        _ => None,
    });
    let (samples, ms) = told.unwrap_or_else(|| panic!("{warnings:?}"));
    assert!(samples == marked.len() && (ms / (5.0 * samples as f64) - 1.0).abs() < 0.1, "{samples} {ms}");
    assert!((summary.mean / 20e3 - 1.0).abs() < 0.01, "{summary:?}");
    assert!((summary.median.expect("batches are long") / 20e3 - 1.0).abs() < 0.01, "{summary:?}");
    assert!(summary.max > 20e3 * 1.1 && summary.mean_of_all > summary.mean, "no sample is dropped: {summary:?}");
}

/// A suite whose kernel tells knows of short ones too; one that its time tells as well counts once.
#[test]
fn what_the_suite_was_told_of_is_marked() {
    // The last has slow code for so long that samples become part of the warm-up.
    for (stall, tier) in [(0.3e6, (0, 1.0)), (5e6, (0, 1.0)), (5e6, (900, 10.0))] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, tier, ..Model::default() }]);
        fake.stalls = (0.05, stall);
        fake.is_watched = true;
        let points = fake.measure(4, RANGE);
        let Measured { runs, warnings, .. } = first(&points);
        let samples = &runs[0].samples;
        let slowest = 20e3 * runs[0].calls as f64 * tier.1;
        for sample in samples {
            assert_eq!(sample.interrupted, sample.elapsed > slowest + stall / 2.0, "{sample:?}");
        }
        let marked = |warm_up| samples.iter().filter(|sample| sample.warm_up == warm_up && sample.interrupted).count();
        assert!(marked(false) > 0 && marked(true) > 0, "{} {}", marked(false), marked(true));
        let told = warnings.iter().find_map(|warning| match warning {
            Warning::Interrupted { samples, ms } => Some((*samples as usize, *ms)),
            _ => None,
        });
        let (count, ms) = told.unwrap_or_else(|| panic!("{warnings:?}"));
        assert!(count == marked(false) && (ms / (stall / 1e6 * count as f64) - 1.0).abs() < 0.1, "{count} {ms}");
    }
}

/// What disturbs the machine strikes both functions alike: their ratio stands.
#[test]
fn the_ratio_holds_while_the_machine_drifts() {
    let (mut held, mut tries, mut found) = (0, 0, 0);
    for seed in 1..=60 {
        let model = Model { noise: 0.02, inputs: 0.3, ..Model::default() };
        let mut fake = Fake::new(vec![Model { per_call: 10e3, ..model.clone() }, Model { per_call: 10.1e3, ..model }]);
        fake.random = 1_000 * seed;
        fake.inputs_seed = seed;
        fake.stalls = (0.005, 5e6);
        fake.weather = |now| 1.0 + 0.3 * (now / 4e8).sin();
        let points = fake.measure(3, RANGE);
        let compared = comparisons(&Fake::paths(2), Scale::Linear, &points);
        for at in &compared[0].ratios {
            let interval = at.interval.unwrap_or_else(|| panic!("{at:?}"));
            tries += 1;
            held += u32::from(interval.holds(1.01));
            found += u32::from(interval.low > 1.0);
        }
    }
    // At 95 % in all of two intervals, 116 of 120 are expected; five standard deviations fewer would be 107.
    assert!(held >= 107, "{held} of {tries} hold the ratio");
    assert!(found >= 110, "in {found} of {tries} the one per cent is found");
}

/// One function takes the same time at every axis value, the other one in proportion to it.
#[test]
fn a_crossover_is_found_where_one_overtakes_the_other() {
    let (mut held, mut told) = (0, 0);
    for seed in 1..=40 {
        let model = Model { noise: 0.2, inputs: 0.2, per_call: 0.0, ..Model::default() };
        let mut fake = Fake::new(vec![Model { per_call: 50e3, ..model.clone() }, Model { per_x: 10e3, ..model }]);
        (fake.random, fake.inputs_seed) = (1_000 * seed, seed);
        let points = fake.measure(2, Range { low: 1.0, high: 9.0 });
        let compared = comparisons(&Fake::paths(2), Scale::Linear, &points);
        for crossover in &compared[0].crossovers {
            told += 1;
            assert!(!crossover.other_wins_above, "{crossover:?}");
            held += u32::from(crossover.interval.holds(5.0));
        }
    }
    assert!(told == 40 && held >= 34, "{held} of {told} crossovers hold theirs");
}

/// Where something stops the machine for long once, the median stands, and nobody is told that there is no time at all.
#[test]
fn one_long_interruption_takes_no_figure_away() {
    let mut struck = 0;
    for stall in [50e6, 500e6] {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, ..Model::default() }]);
        fake.stalls = (0.001, stall);
        for point in fake.measure(3, RANGE) {
            assert_eq!(measured(&point).upper_bound(), None, "{:?}", measured(&point).warnings);
            struck += u32::from(measured(&point).summary.max > stall / 1e4);
        }
    }
    assert!(struck > 0, "something was interrupted");
}

/// The interval holds what inputs differ by: that of the samples of one set of inputs would not.
#[test]
fn the_interval_holds_the_variation_of_inputs() {
    let (mut held, mut of_samples, mut tries) = (0, 0, 0);
    for seed in 1..=100 {
        let mut fake = Fake::new(vec![Model { per_call: 20e3, inputs: 0.4, ..Model::default() }]);
        (fake.random, fake.inputs_seed) = (1_000 * seed, seed);
        for point in fake.measure(3, RANGE) {
            let Measured { summary, runs, .. } = measured(&point);
            tries += 1;
            held += u32::from(summary.mean_interval.expect("there are blocks").holds(20e3));
            // As if each sample were from inputs of its own.
            let half = 1.96 * summary.sd / f64::from(summary.n).sqrt();
            of_samples += u32::from((summary.mean - 20e3).abs() <= half);
            assert!(runs[0].blocks.len() >= 16, "{:?}", runs[0].blocks);
        }
    }
    assert!(held >= 180, "{held} of {tries} hold the mean");
    assert!(of_samples < 140, "samples counted for themselves must miss it: {of_samples} of {tries}");
}
