//! The experiment of the Scala Benchmarking Suite, with a simulated clock: a call copies nine arrays of 48 000 elements, 41 or 45 times.

use super::fake::{Fake, Model, Spread};
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Range;
use benchbook_host::analyze::history::verdict::{BuildChange, ChangeRule, Verdict};
use benchbook_host::history::CheckedMetric;

/// The default rule of `cargo benchbook check`.
const RULE: ChangeRule = ChangeRule { confidence: 0.99, minimum_effect: 0.01 };

/// The numbers of copies.
const COPIES: Range = Range { low: 41.0, high: 45.0 };

/// The means of the processes with this number of copies, as the sampler measures them. `seed`: that of the noise.
fn means(copies: f64, seed: u64) -> Vec<f64> {
    // Nine arrays of 48 000 elements of 4 bytes at 20 bytes per nanosecond.
    let per_x = 9.0 * 48_000.0 * 4.0 / 20.0;
    let noise = Spread::Lognormal(0.05);
    let model = Model { per_call: 0.0, per_x, spread: noise, processes: 0.01, ..Model::default() };
    let mut fake = Fake::new(vec![model]);
    fake.random = seed;
    let points = fake.measure_in_processes(4, COPIES);
    let point = points.iter().find(|point| point.x == AxisValue::Number(copies)).expect("both ends are measured");
    CheckedMetric::Time.means(point.measured().expect("it does not fail"))
}

fn verdict(histories: &[&[f64]], build: &[f64]) -> Verdict {
    RULE.verdict(histories, build).expect("all have several processes")
}

/// With 41 copies as the history, 45 are a regression by the interval of the difference. Back at 41, no regression is found, and the result is
/// accepted as a second history. From then on, the analysis of variance reports a regression for 45 copies, and none for 41.
#[test]
fn the_copies_of_an_array_are_judged_as_by_the_predecessor() {
    let first = means(41.0, 1);
    assert!(first.len() >= 4, "{first:?}");
    let slower = verdict(&[&first], &means(45.0, 2));
    assert_eq!((slower.change, slower.variance), (BuildChange::Slower, None));
    let second = means(41.0, 3);
    assert_ne!(verdict(&[&first], &second).change, BuildChange::Slower);
    let slower = verdict(&[&first, &second], &means(45.0, 4));
    assert_eq!(slower.change, BuildChange::Slower);
    assert!(slower.variance.expect("there are two histories").p < 0.01, "{slower:?}");
    for difference in &slower.differences {
        assert!(difference.interval.contains(4.0 / 41.0), "{difference:?}");
    }
    assert_ne!(verdict(&[&first, &second], &means(41.0, 5)).change, BuildChange::Slower);
    // An accepted slowdown is the new normal, in addition to the earlier histories.
    let accepted = means(45.0, 6);
    assert_ne!(verdict(&[&first, &second, &accepted], &means(45.0, 7)).change, BuildChange::Slower);
}
