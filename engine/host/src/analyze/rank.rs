//! Whether two measurements put functions in the same order.

use std::cmp::Ordering;

use crate::analyze::interval::Interval;

/// Kendall's rank correlation τ_b, from −1 (reverse order) to 1 (same order).
///
/// By M. G. Kendall, "The treatment of ties in ranking problems", *Biometrika* 33 (1945) 239–251: for each pair of items,
/// let a and b be 1, −1 or 0 if the first item is above, below or tied with the second one in the first and in the second
/// measurement. Then τ_b = Σab / √(Σa² Σb²). It is also defined if ties are not transitive, as with overlapping intervals:
/// H. E. Daniels, "The relation between measures of correlation in the universe of sample permutations", *Biometrika* 33
/// (1944) 129–135.
///
/// `items`: each item's values in the two measurements. `order` compares two values of one measurement; `Equal` is a tie.
///
/// Absent for fewer than two items, and if either measurement ties all of them.
pub fn tau_b<T>(items: &[[T; 2]], order: impl Fn(&T, &T) -> Ordering) -> Option<f64> {
    let (mut agreement, mut ordered, mut other_ordered) = (0_i64, 0_i64, 0_i64);
    for (index, [one, one_other]) in items.iter().enumerate() {
        for [another, another_other] in &items[index + 1..] {
            let (a, b) = (order(one, another) as i64, order(one_other, another_other) as i64);
            agreement += a * b;
            ordered += a * a;
            other_ordered += b * b;
        }
    }
    let pairs = (ordered as f64 * other_ordered as f64).sqrt();
    (pairs > 0.0).then(|| agreement as f64 / pairs)
}

/// The order of two figures, as far as it is certain: `Equal` if their intervals have a point in common, or if one of
/// them has no interval.
///
/// If two 95% intervals are equally wide and do not overlap, a test of the difference at 1% also rejects equality.
pub fn certain_order(one: Option<Interval>, other: Option<Interval>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if one.high < other.low => Ordering::Less,
        (Some(one), Some(other)) if one.low > other.high => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn tau(one: &[i64], other: &[i64]) -> Option<f64> {
        let items: Vec<[i64; 2]> = one.iter().zip(other).map(|(&one, &other)| [one, other]).collect();
        tau_b(&items, i64::cmp)
    }

    #[test]
    fn agrees_with_scipy() {
        // scipy.stats.kendalltau(one, other).statistic, SciPy 1.17.1; its default variant is b.
        let table: [(&[i64], &[i64], f64); 6] = [
            (&[1, 2, 3, 4], &[1, 2, 3, 4], 1.0),
            (&[1, 2, 3, 4], &[4, 3, 2, 1], -1.0),
            (&[1, 2, 3], &[1, 3, 2], 0.333_333_333_333_333_37),
            (&[1, 2, 2, 3], &[1, 2, 3, 3], 0.799_999_999_999_999_9),
            (&[10, 10, 20, 30, 30], &[3, 1, 2, 2, 5], 0.353_553_390_593_273_73),
            (&[12, 2, 1, 12, 2], &[1, 4, 7, 1, 0], -0.471_404_520_791_031_6),
        ];
        for (one, other, expected) in table {
            let tau = tau(one, other).expect("not all are tied");
            assert!((tau - expected).abs() < 1e-15, "{one:?} {other:?}: {tau}");
        }
    }

    #[test]
    fn is_absent_without_an_order() {
        assert_eq!(tau(&[], &[]), None);
        assert_eq!(tau(&[1], &[1]), None);
        // SciPy returns NaN.
        assert_eq!(tau(&[1, 1, 1], &[1, 2, 3]), None);
        assert_eq!(tau(&[1, 2, 3], &[1, 1, 1]), None);
    }

    #[test]
    fn overlapping_intervals_are_ties() {
        let interval = |low, high| Some(Interval { low, high });
        let table = [
            (interval(1.0, 2.0), interval(2.1, 3.0), Ordering::Less),
            (interval(2.1, 3.0), interval(1.0, 2.0), Ordering::Greater),
            (interval(1.0, 2.0), interval(2.0, 3.0), Ordering::Equal),
            (interval(1.0, 4.0), interval(2.0, 3.0), Ordering::Equal),
            (interval(1.0, 2.0), None, Ordering::Equal),
            (None, None, Ordering::Equal),
        ];
        for (one, other, expected) in table {
            assert_eq!(certain_order(one, other), expected, "{one:?} {other:?}");
        }
    }

    fn intervals() -> impl Strategy<Value = Vec<[Option<Interval>; 2]>> {
        let interval = || {
            (-20..20_i32, 0..8_i32)
                .prop_map(|(low, width)| Some(Interval { low: low.into(), high: (low + width).into() }))
        };
        vec([interval(), interval()], 2..8)
    }

    fn mapped(interval: Option<Interval>, map: fn(f64) -> f64) -> Option<Interval> {
        interval.map(|Interval { low, high }| Interval { low: map(low), high: map(high) })
    }

    proptest! {
        #[test]
        fn is_symmetric_and_bounded(items in intervals()) {
            let order = |one: &Option<Interval>, other: &Option<Interval>| certain_order(*one, *other);
            let tau = tau_b(&items, order);
            let swapped: Vec<_> = items.iter().map(|&[one, other]| [other, one]).collect();
            prop_assert_eq!(tau, tau_b(&swapped, order));
            let reversed: Vec<_> = items.iter().rev().copied().collect();
            prop_assert_eq!(tau, tau_b(&reversed, order));
            prop_assert!(tau.is_none_or(|tau| tau.abs() <= 1.0 + 1e-12));
        }

        #[test]
        fn depends_on_the_order_only(items in intervals()) {
            let order = |one: &Option<Interval>, other: &Option<Interval>| certain_order(*one, *other);
            let increased: Vec<_> = items.iter().map(|&[one, other]| [mapped(one, |x| x.powi(3) + 5.0), other]).collect();
            prop_assert_eq!(tau_b(&items, order), tau_b(&increased, order));
        }
    }
}
