//! The axis values of a range.

use benchbook_contract::parameter::{Numeric, NumericDefault, Range, Scale};
use benchbook_host::points::axis_values;
use proptest::prelude::*;

fn numeric(min: f64, max: f64, step: Option<f64>, scale: Scale) -> Numeric {
    let default = NumericDefault::Value(min);
    Numeric { of: "f64".to_owned(), min, max, step, values: Vec::new(), default, unit: None, scale, axis: true }
}

fn values(step: Option<f64>, scale: Scale, low: f64, high: f64, count: u32) -> Vec<f64> {
    axis_values(&numeric(low, high, step, scale), Range { low, high }, count)
}

/// Into equal differences, or into equal ratios on a logarithmic scale.
#[test]
fn a_range_is_halved_without_duplicates() {
    assert_eq!(values(Some(1.0), Scale::Linear, 0.0, 100.0, 5), [0.0, 25.0, 50.0, 75.0, 100.0]);
    assert_eq!(values(None, Scale::Linear, -1.0, 1.0, 5), [-1.0, -0.5, 0.0, 0.5, 1.0]);
    assert_eq!(values(None, Scale::Log, 1.0, 16.0, 5), [1.0, 2.0, 4.0, 8.0, 16.0]);
    assert_eq!(values(Some(100.0), Scale::Log, 1_000.0, 100_000.0, 5), [1e3, 3_200.0, 1e4, 31_600.0, 1e5]);
    assert_eq!(values(Some(1.0), Scale::Linear, 7.0, 8.0, 33), [7.0, 8.0]);
    assert_eq!(values(Some(1.0), Scale::Log, 1.0, 4.0, 33), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(values(Some(1.0), Scale::Linear, 7.0, 7.0, 33), [7.0]);
    assert_eq!(values(None, Scale::Log, 2.5, 2.5, 33), [2.5]);
}

#[test]
fn count_is_an_upper_bound() {
    let points = |count| values(None, Scale::Linear, 0.0, 1.0, count).len();
    let counts = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 33].map(points);
    assert_eq!(counts, [2, 2, 2, 3, 3, 5, 5, 9, 9, 17, 33]);
}

#[test]
fn ends_off_the_grid_by_rounding_have_no_duplicates() {
    // 0.1 + 2 · 0.1 is 0.30000000000000004, and 0.1 + 6 · 0.1 is 0.7000000000000001.
    let tenths = numeric(0.1, 1.0, Some(0.1), Scale::Linear);
    let values = axis_values(&tenths, Range { low: 0.3, high: 0.7 }, 33);
    assert_eq!(values, [0.3, 0.4, 0.5, 0.6, 0.7]);
}

/// A parameter with these values only.
fn listed(values: Vec<f64>) -> Numeric {
    Numeric { values: values.clone(), ..numeric(values[0], values[values.len() - 1], None, Scale::Log) }
}

#[test]
fn a_list_of_values_is_halved() {
    let sizes = listed(vec![1.0, 10.0, 100.0, 200.0, 300.0, 1_000.0, 5_000.0]);
    let values = |low, high, count| axis_values(&sizes, Range { low, high }, count);
    assert_eq!(values(1.0, 5_000.0, 2), [1.0, 5_000.0]);
    assert_eq!(values(1.0, 5_000.0, 3), [1.0, 200.0, 5_000.0]);
    assert_eq!(values(1.0, 5_000.0, 5), [1.0, 100.0, 200.0, 1_000.0, 5_000.0]);
    assert_eq!(values(1.0, 5_000.0, 9), sizes.values);
    assert_eq!(values(10.0, 200.0, 33), [10.0, 100.0, 200.0]);
    assert_eq!(values(10.0, 10.0, 33), [10.0]);
}

/// A parameter with a valid range.
fn ranges() -> impl Strategy<Value = (Numeric, Range)> {
    prop_oneof![integers(), stepped(), stepless(), lists()]
}

fn lists() -> impl Strategy<Value = (Numeric, Range)> {
    (prop::collection::btree_set(1_u32..10_000, 2..50), any::<prop::sample::Index>(), any::<prop::sample::Index>())
        .prop_map(|(values, one, other)| {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let (first, last) = (one.index(values.len() - 1), other.index(values.len() - 1));
            // Different ends, as for the other kinds.
            let range = Range { low: values[first.min(last)], high: values[first.max(last) + 1] };
            (listed(values), range)
        })
}

fn scales() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Linear), Just(Scale::Log)]
}

/// Integers; ranges are a few steps or up to a million steps wide, equally often.
fn integers() -> impl Strategy<Value = (Numeric, Range)> {
    let width = || prop_oneof![0_u32..8, 0_u32..1_000_000];
    (1_u32..1_000, 1_u32..200, width(), width(), width(), scales()).prop_map(
        |(min, step, below, inside, above, scale)| {
            let at = |index: u32| f64::from(min) + f64::from(index) * f64::from(step);
            let range = Range { low: at(below), high: at(below + inside) };
            (numeric(f64::from(min), at(below + inside + above), Some(f64::from(step)), scale), range)
        },
    )
}

/// Decimal fractions, whose grid is rounded to `f64`.
fn stepped() -> impl Strategy<Value = (Numeric, Range)> {
    let step = prop_oneof![Just(0.1), Just(0.01), Just(0.3), Just(0.125)];
    (1_u32..100, step, 0_u32..50, 0_u32..300, scales()).prop_map(|(first, step, below, inside, scale)| {
        let min = f64::from(first) * step;
        let at = |index: u32| min + f64::from(index) * step;
        (numeric(min, at(below + inside + 3), Some(step), scale), Range { low: at(below), high: at(below + inside) })
    })
}

fn stepless() -> impl Strategy<Value = (Numeric, Range)> {
    (1e-6..1e6_f64, 0.0..1e9_f64, scales())
        .prop_map(|(low, width, scale)| (numeric(low, low + width, None, scale), Range { low, high: low + width }))
}

proptest! {
    #[test]
    fn values_ascend_on_the_grid_between_the_ends((numeric, range) in ranges(), count in 2_u32..70) {
        let values = axis_values(&numeric, range, count);
        prop_assert!(values.len() <= count as usize);
        prop_assert_eq!((values[0], values[values.len() - 1]), (range.low, range.high));
        prop_assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        prop_assert!(values.iter().all(|&value| numeric.contains(value)), "{values:?}");
    }

    #[test]
    fn values_of_a_smaller_count_are_a_subset((numeric, range) in ranges(), fewer in 2_u32..70, more in 2_u32..70) {
        let (fewer, more) = (fewer.min(more), fewer.max(more));
        let (few, many) = (axis_values(&numeric, range, fewer), axis_values(&numeric, range, more));
        prop_assert!(few.iter().all(|value| many.contains(value)), "{few:?} in {many:?}");
    }

    #[test]
    fn points_are_fractions_of_the_range((numeric, range) in stepless(), count in 2_u32..70) {
        let values = axis_values(&numeric, range, count);
        let parts = (values.len() - 1) as f64;
        for (index, value) in values.iter().enumerate() {
            let fraction = index as f64 / parts;
            let expected = match numeric.scale {
                Scale::Linear => range.low + fraction * (range.high - range.low),
                Scale::Log => range.low * (range.high / range.low).powf(fraction),
            };
            prop_assert!((value / expected - 1.0).abs() < 1e-12, "{value} instead of {expected}");
        }
    }
}
