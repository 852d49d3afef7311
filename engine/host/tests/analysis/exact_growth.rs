//! Growth of exact values: cases computed by hand, and properties of all of them.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_host::analyze::growth::{ExactGrowth, exact_growth};
use proptest::prelude::*;
use proptest::sample::subsequence;

fn polynomial(points: &[(f64, f64)]) -> Vec<f64> {
    match exact_growth(points).unwrap() {
        ExactGrowth::Polynomial(polynomial) => polynomial.coefficients().to_vec(),
        other => panic!("{other:?}"),
    }
}

fn at(sizes: &[f64], value: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    sizes.iter().map(|&n| (n, value(n))).collect()
}

/// The axis values of 17 points over three decades, as the page chooses them.
fn sizes() -> Vec<f64> {
    (0..17).map(|index| 10_f64.powf(2.0 + 3.0 * f64::from(index) / 16.0).round()).collect()
}

/// The number of allocations and the allocated bytes while `n` items of 8 bytes are pushed to a `Vec` with the capacities 4, 8, 16, …
fn pushed(n: f64) -> (f64, f64) {
    let (mut capacity, mut allocations, mut bytes) = (0.0, 0.0, 0.0);
    while capacity < n {
        capacity = f64::max(2.0 * capacity, 4.0);
        allocations += 1.0;
        bytes += 8.0 * capacity;
    }
    (allocations, bytes)
}

#[test]
fn finds_formulas() {
    let (three, four, five) = (&[1.0, 2.0, 4.0][..], &[1.0, 2.0, 4.0, 8.0][..], &[1.0, 2.0, 4.0, 8.0, 16.0][..]);
    assert_eq!(exact_growth(&[(1.0, 7.0), (9.0, 7.0)]), Some(ExactGrowth::Constant(7.0)));
    assert_eq!(exact_growth(&at(five, |_| 0.0)), Some(ExactGrowth::Constant(0.0)));
    assert_eq!(polynomial(&at(three, |n| 8.0 * n)), [0.0, 8.0]);
    assert_eq!(polynomial(&at(three, |n| 4.0 * n + 64.0)), [64.0, 4.0]);
    assert_eq!(polynomial(&at(&sizes(), |n| 1e12 + n)), [1e12, 1.0]);
    assert_eq!(polynomial(&at(four, |n| n * (n - 1.0) / 2.0)), [0.0, -0.5, 0.5]);
    assert_eq!(polynomial(&at(five, |n| n * (n + 1.0) * (2.0 * n + 1.0) / 6.0)), [0.0, 1.0 / 6.0, 0.5, 1.0 / 3.0]);
    assert_eq!(polynomial(&at(&sizes(), |n| 3.0 * n.powi(3) - n + 5.0)), [5.0, -1.0, 0.0, 3.0]);
    // Means over three calls.
    let thirds = polynomial(&at(&sizes(), |n| (7.0 * n + 1.0) / 3.0));
    assert!((thirds[0] * 3.0 - 1.0).abs() < 1e-9 && (thirds[1] * 3.0 - 7.0).abs() < 1e-9, "{thirds:?}");
}

#[test]
fn finds_the_growth_of_a_vec() {
    assert_eq!(exact_growth(&at(&sizes(), |n| pushed(n).0)), Some(ExactGrowth::PerDoubling(1.0)));
    assert_eq!(exact_growth(&at(&sizes(), |n| 5.0 + 3.0 * pushed(n).0)), Some(ExactGrowth::PerDoubling(3.0)));
    assert_eq!(exact_growth(&at(&[4.0, 5.0, 9.0, 17.0], |n| pushed(n).0)), Some(ExactGrowth::PerDoubling(1.0)));
    let Some(ExactGrowth::Proportional { low, high }) = exact_growth(&at(&sizes(), |n| pushed(n).1)) else {
        panic!("the bytes are a geometric sum")
    };
    assert!(16.0 * 0.9 < low && high < 32.0, "{low} to {high}");
    // The first capacity serves up to four items, so that the first doublings need no allocation.
    let small = at(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], |n| pushed(n).0);
    assert_eq!(exact_growth(&small), Some(ExactGrowth::Irregular { low: 1.0, high: 4.0 }));
}

#[test]
fn states_only_formulas_that_are_true_of_all_points() {
    let mut almost = at(&sizes(), |n| 8.0 * n);
    almost[9].1 += 1.0;
    assert!(matches!(exact_growth(&almost), Some(ExactGrowth::Proportional { .. })));
    let mut almost = at(&sizes(), |_| 1e9);
    almost[9].1 += 1.0;
    assert!(!matches!(exact_growth(&almost), Some(ExactGrowth::Constant(_) | ExactGrowth::Polynomial(_))));
    let mut late = at(&sizes(), |n| pushed(n).0);
    late[12].1 += 1.0;
    assert!(!matches!(exact_growth(&late), Some(ExactGrowth::PerDoubling(_))));
    let roots = exact_growth(&at(&sizes(), |n| n.sqrt().round()));
    assert_eq!(roots, Some(ExactGrowth::Irregular { low: 10.0, high: 316.0 }));
}

#[test]
fn states_nothing_without_enough_points() {
    for points in [
        &[][..],
        &[(1.0, 7.0)],
        &[(1.0, 7.0), (1.0, 7.0)],
        &[(1.0, 7.0), (2.0, 8.0)],
        &[(1.0, 7.0), (2.0, 8.0), (3.0, 10.0)],
        &[(1.0, 0.0), (2.0, 5.0), (3.0, 5.0), (4.0, 9.0)],
        &[(1.0, 7.0), (2.0, 7.0), (2.0, 8.0), (3.0, 7.0)],
        &[(1.0, 7.0), (2.0, f64::NAN)],
        &[(1.0, 7.0), (f64::INFINITY, 7.0)],
    ] {
        assert_eq!(exact_growth(points), None, "{points:?}");
    }
}

/// Integer coefficients of a polynomial of degree 0 to 3.
fn coefficients() -> impl Strategy<Value = Vec<f64>> {
    (proptest::collection::vec(0..100_u32, 0..4), 1..100_u32)
        .prop_map(|(lower, highest)| lower.into_iter().chain([highest]).map(f64::from).collect())
}

/// At least five axis values in any order.
fn axis() -> impl Strategy<Value = Vec<f64>> {
    subsequence((1..60_u32).collect::<Vec<_>>(), 5..30)
        .prop_shuffle()
        .prop_map(|sizes| sizes.into_iter().map(f64::from).collect())
}

fn evaluate(coefficients: &[f64], n: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * n + coefficient)
}

/// The class without its numbers.
fn class(growth: Option<ExactGrowth>) -> Option<(u8, usize)> {
    growth.map(|growth| match growth {
        ExactGrowth::Constant(_) => (0, 0),
        ExactGrowth::Polynomial(polynomial) => (1, polynomial.coefficients().len()),
        ExactGrowth::PerDoubling(_) => (2, 0),
        ExactGrowth::Proportional { .. } | ExactGrowth::Irregular { .. } => (3, 0),
    })
}

proptest! {
    #[test]
    fn finds_each_polynomial(coefficients in coefficients(), axis in axis()) {
        let growth = exact_growth(&at(&axis, |n| evaluate(&coefficients, n)));
        match &coefficients[..] {
            [constant] => prop_assert_eq!(growth, Some(ExactGrowth::Constant(*constant))),
            _ => match growth {
                Some(ExactGrowth::Polynomial(found)) => prop_assert_eq!(found.coefficients(), &coefficients[..]),
                other => prop_assert!(false, "{:?}", other),
            },
        }
    }

    #[test]
    fn a_constant_and_a_factor_retain_the_class(
        values in values(), axis in axis(), constant in 0..1_000_000_u32, factor in 1..1_000_u32,
    ) {
        let points = points(&axis, &values);
        let of = |change: &dyn Fn(f64) -> f64| {
            class(exact_growth(&points.iter().map(|&(n, value)| (n, change(value))).collect::<Vec<_>>()))
        };
        prop_assert_eq!(of(&|value| value + f64::from(constant)), of(&|value| value));
        prop_assert_eq!(of(&|value| value * f64::from(factor)), of(&|value| value));
    }

    #[test]
    fn the_order_is_irrelevant(values in values(), (sorted, shuffled) in permuted()) {
        let of = |axis: &[u32]| axis.iter().map(|&n| (f64::from(n), values[n as usize])).collect::<Vec<_>>();
        prop_assert_eq!(exact_growth(&of(&sorted)), exact_growth(&of(&shuffled)));
    }

    #[test]
    fn each_statement_is_true_of_all_points(values in values(), axis in axis()) {
        let points = points(&axis, &values);
        let growth = exact_growth(&points).unwrap();
        for &(n, value) in &points {
            match &growth {
                ExactGrowth::Constant(constant) => prop_assert_eq!(value, *constant),
                ExactGrowth::Polynomial(found) => prop_assert!((found.value(n) - value).abs() < 1e-6),
                ExactGrowth::PerDoubling(step) => for &(other, larger) in points.iter().filter(|point| point.0 == 2.0 * n) {
                    prop_assert!((larger - value - step).abs() < 1e-6, "{} and {}", n, other);
                },
                ExactGrowth::Proportional { low, high } => prop_assert!(low * n <= value + 1e-6 && value <= high * n + 1e-6),
                ExactGrowth::Irregular { low, high } => prop_assert!(*low <= value && value <= *high),
            }
        }
    }
}

/// A value for each axis value: of a polynomial, of a `Vec`, or arbitrary.
fn values() -> impl Strategy<Value = Vec<f64>> {
    let indexes = || (0..60_u32).map(f64::from);
    prop_oneof![
        coefficients().prop_map(move |coefficients| indexes().map(|n| evaluate(&coefficients, n)).collect()),
        (0..9_u32).prop_map(move |first| indexes().map(|n| f64::from(first) + pushed(n).0).collect()),
        proptest::collection::vec((0..9_u32).prop_map(f64::from), 60),
    ]
}

fn points(axis: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    at(axis, |n| values[n as usize])
}

/// Axis values in ascending and in any order.
fn permuted() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    subsequence((1..60_u32).collect::<Vec<_>>(), 2..30)
        .prop_flat_map(|sorted| (Just(sorted.clone()), Just(sorted).prop_shuffle()))
}
