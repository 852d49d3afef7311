//! Setup that takes much longer than the calls that follow it.

use super::fake::{Fake, Model, quality};
use benchbook_contract::parameter::Range;
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::response::{MeasuredPoint, Point, Warning};

const RANGE: Range = Range { low: 1.0, high: 1.0 };

/// The mean times that a cold processor adds to a batch of the function, and to one of the empty loop. On a virtual machine, a plain loop took
/// 60 to 110 ns instead of 20 ns after 10 ms of sleep or work, and an empty one the same within a fifth; here, they differ more.
const COLD_STARTS: [(f64, f64); 5] = [(80.0, 120.0), (150.0, 100.0), (200.0, 200.0), (0.0, 150.0), (190.0, 100.0)];

/// A fake whose calls take `per_call` nanoseconds, after a setup of `setup` nanoseconds each.
fn fake(setup: f64, per_call: f64, cold_start: (f64, f64), seed: u64) -> Fake {
    let model = Model { per_call, preparation: setup, cold_start, held: 16.0, ..Model::default() };
    let mut fake = Fake::new(vec![model]);
    (fake.random, fake.inputs_seed) = (1_000 * seed, seed);
    fake
}

fn measure(fake: &mut Fake, priority: u8) -> MeasuredPoint {
    let points = if priority == 4 { fake.measure_in_processes(4, RANGE) } else { fake.measure(priority, RANGE) };
    points.iter().find_map(Point::measured).expect("it was measured").clone()
}

fn is_imprecise(measured: &MeasuredPoint) -> bool {
    measured.warnings.iter().any(|warning| matches!(warning, Warning::Imprecise { .. }))
}

fn names_setup(measured: &MeasuredPoint) -> bool {
    measured.warnings.iter().any(|warning| matches!(warning, Warning::SlowSetup { .. }))
}

#[test]
fn a_short_call_behind_a_long_setup_has_only_a_bound_which_covers_it() {
    let (mut covered, mut all) = (0, 0);
    for setup in [10e6, 40e6, 1e9] {
        for cold_start in COLD_STARTS {
            for priority in 1..=4 {
                for (seed, per_call) in (1..).zip([0.0, 1.0, 5.0]) {
                    let measured = measure(&mut fake(setup, per_call, cold_start, seed), priority);
                    let case =
                        format!("{setup} {cold_start:?} {priority}: {:?} {:?}", measured.summary, measured.warnings);
                    assert!(names_setup(&measured) && !is_imprecise(&measured), "{case}");
                    all += 1;
                    match measured.upper_bound() {
                        Some(bound) => {
                            assert!(bound < 5_000.0, "{case}");
                            covered += u32::from(bound >= per_call);
                        }
                        None => panic!("{case}"),
                    }
                }
            }
        }
    }
    assert!(f64::from(covered) >= 0.95 * f64::from(all), "{covered} of {all}");
}

/// The whole cost of the timer is in the interval, so it covers the time if the cold processor costs the function up to twice as much as the
/// empty loop.
#[test]
fn a_longer_call_has_an_interval_that_contains_the_cost_of_the_timer() {
    let (mut covered, mut shown, mut all, mut missed) = (0, 0, 0, Vec::new());
    for cold_start in COLD_STARTS {
        for (priority, per_call) in [(2, 1e3), (2, 10e3), (3, 300.0), (3, 3e3), (4, 1e3), (4, 10e3)] {
            for seed in 1..=10 {
                let measured = measure(&mut fake(10e6, per_call, cold_start, seed), priority);
                all += 1;
                let (low, high) = match (measured.upper_bound(), measured.summary.mean_interval) {
                    (Some(bound), _) => (0.0, bound),
                    (None, Some(interval)) => (interval.low, interval.high),
                    (None, None) => panic!("{measured:?}"),
                };
                match low <= per_call && per_call <= high {
                    true => covered += 1,
                    false => missed.push((cold_start, priority, per_call, low, high)),
                }
                shown += u32::from(measured.upper_bound().is_none());
            }
        }
    }
    assert!(f64::from(covered) >= 0.95 * f64::from(all), "{covered} of {all}: {missed:#?}");
    assert!(f64::from(shown) >= 0.8 * f64::from(all), "{shown} of {all} have a time");
}

/// Calls that are long enough for the clock need no warning, however long setup takes.
#[test]
fn setup_does_not_matter_for_a_long_call() {
    let measured = measure(&mut fake(10e6, 1e6, (150.0, 100.0), 1), 3);
    assert!(!names_setup(&measured) && measured.upper_bound().is_none(), "{:?}", measured.warnings);
    assert!((measured.summary.mean / 1e6 - 1.0).abs() < 0.01, "{:?}", measured.summary);
}

#[test]
fn setup_counts_as_time_of_the_point() {
    for setup in [1e6, 10e6, 100e6, 1e9, 10e9] {
        for priority in 1..=4 {
            for one_call_per_batch in [false, true] {
                let mut fake = fake(setup, 1.0, (150.0, 100.0), 1);
                fake.one_call_per_batch = one_call_per_batch;
                fake.measure(priority, RANGE);
                let spent: f64 = fake.log.iter().map(|(_, took)| took).sum();
                // Two calls to determine the size of a batch, one to measure, one to count, and two that the last block is too long.
                let most = 2.2 * quality(priority).point_ms * 1e6 + 6.0 * 1.2 * setup;
                assert!(spent <= most, "{setup} {priority}: {} s instead of {}", spent / 1e9, most / 1e9);
            }
        }
    }
}

#[test]
fn functions_of_which_only_the_timer_is_seen_have_no_ratio() {
    for setup in [10e6, 1e9] {
        let mut fake = fake(setup, 1.0, (150.0, 100.0), 1);
        fake.models.push(Model { per_call: 2.0, ..fake.models[0].clone() });
        let points = fake.measure_in_processes(4, RANGE);
        let compared = comparisons(&Fake::paths(2), fake.plan(RANGE).axis(), &points);
        assert!(compared[0].ratios.iter().all(|at| at.ratio.is_none()), "{:?}", compared[0].ratios);
    }
}
