//! Growth on simulated curves of known classes, and in cases that other tools are known to get wrong.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_contract::rng::seeded;
use benchbook_host::analyze::growth::{
    Exponent, Growth, GrowthClass, GrowthCurve, GrowthPoint, GrowthVerdict, LargestWithin, NoGrowth, growth,
    largest_within,
};
use rand::RngExt;

/// The relative standard deviation of the simulated times.
const NOISE: f64 = 0.1;

/// Tries per curve. A class that is wrong in 2% of cases is wrong at most twice in 40 tries with a probability of 95%.
const TRIES: u64 = 40;

/// Tries per curve if there are many curves.
const FEW_TRIES: u64 = 10;

/// The axis values of 17 points over three decades.
fn sizes() -> Vec<f64> {
    (0..17).map(|index| 10.0 * 10_f64.powf(3.0 * f64::from(index) / 16.0)).collect()
}

fn function(class: GrowthClass, n: f64) -> f64 {
    match class {
        GrowthClass::Constant => 1.0,
        GrowthClass::Logarithmic => n.ln(),
        GrowthClass::Linear => n,
        GrowthClass::Linearithmic => n * n.ln(),
        GrowthClass::Quadratic => n.powi(2),
        GrowthClass::Cubic => n.powi(3),
    }
}

/// A normal deviate, from twelve uniform ones.
fn deviate(rng: &mut benchbook_contract::rng::Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// A curve with errors in proportion to its values.
fn noisy(sizes: &[f64], seed: u64, noise: f64, value: impl Fn(f64) -> f64) -> Vec<GrowthPoint> {
    let mut rng = seeded([seed, 0, 0]);
    let mut point = |&x: &f64| {
        let value = value(x) * (1.0 + noise * deviate(&mut rng)).max(0.1);
        GrowthPoint { x, value, half_width: 1.96 * noise * value }
    };
    sizes.iter().map(&mut point).collect()
}

fn class_of(growth: &Growth) -> Option<GrowthClass> {
    match &growth.verdict {
        GrowthVerdict::Class { best, .. } => Some(best.class),
        GrowthVerdict::Undecided(_) => None,
    }
}

fn curve_of(growth: &Growth) -> GrowthCurve {
    let GrowthVerdict::Class { best, .. } = &growth.verdict else { panic!("{growth:?}") };
    *best
}

/// How many tries were wrong, and how many undecided. None has a break.
fn tally(class: GrowthClass, sizes: &[f64], noise: f64, value: impl Fn(f64) -> f64) -> (u64, u64) {
    let (mut wrong, mut undecided) = (0, 0);
    for seed in 0..TRIES {
        match growth(&noisy(sizes, seed, noise, &value)).unwrap().verdict {
            GrowthVerdict::Undecided(_) => undecided += 1,
            GrowthVerdict::Class { best, .. } => {
                wrong += u64::from(best.class != class);
                assert_eq!(best.break_at, None, "{class}, seed {seed}");
            }
        }
    }
    (wrong, undecided)
}

/// A class is found in noise, also if each call costs as much as some elements in addition.
#[test]
fn finds_each_class_in_noise() {
    let plain = GrowthClass::ALL.map(|class| (class, 3.0, 0.0));
    let powers = [GrowthClass::Linear, GrowthClass::Quadratic, GrowthClass::Cubic];
    let with_intercept = powers.map(|class| (class, 1.0, function(class, 100.0)));
    for (class, factor, intercept) in plain.into_iter().chain(with_intercept) {
        let (wrong, undecided) = tally(class, &sizes(), NOISE, |n| intercept + factor * function(class, n));
        println!("{class} + {intercept}: {wrong} wrong, {undecided} undecided of {TRIES}");
        let is_found = wrong <= 1 && (intercept > 0.0 || undecided <= 5);
        assert!(is_found, "{class} + {intercept}: {wrong} wrong, {undecided} undecided");
    }
    // google/benchmark reports a constant as log n (its issues 1214 and others).
    for noise in [0.001, 0.02, 0.3] {
        assert_eq!(tally(GrowthClass::Constant, &sizes(), noise, |_| 42.0).0, 0, "{noise}");
    }
}

/// The times of an O(1) function that google/benchmark reported as log n (its issue 272), in nanoseconds of real time and of CPU
/// time; the coarse clock of the latter is off by a factor of ten at one size.
#[test]
fn known_constants_are_not_reported_as_logarithmic() {
    let sizes = [1.0, 8.0, 64.0, 512.0, 4_096.0, 32_768.0, 262_144.0];
    let real = [2_106.0, 2_132.0, 2_050.0, 2_032.0, 2_054.0, 2_264.0, 2_128.0];
    let cpu = [3_125.0, 1_563.0, 1_563.0, 1_563.0, 3_125.0, 15_625.0, 1_563.0];
    assert_eq!(class_of(&growth(&exact(&sizes, &real)).unwrap()), Some(GrowthClass::Constant));
    assert!(class_of(&growth(&exact(&sizes, &cpu)).unwrap()).is_none_or(|class| class == GrowthClass::Constant));
}

/// The times of a function that google/benchmark failed on because its line is 29 n − 88 (its issue 296), in microseconds.
#[test]
fn an_intercept_is_never_negative() {
    let sizes: Vec<f64> = (0..=10).map(|power| 2_f64.powi(power)).collect();
    let times = [12.0, 36.0, 88.0, 196.0, 419.0, 881.0, 1_778.0, 3_769.0, 7_289.0, 14_461.0, 29_002.0];
    let found = growth(&exact(&sizes, &times)).unwrap();
    match &found.verdict {
        GrowthVerdict::Class { best, .. } => {
            assert!(best.intercept >= 0.0 && best.coefficient >= 0.0, "{best:?}");
            assert!([GrowthClass::Linear, GrowthClass::Linearithmic].contains(&best.class), "{best:?}");
        }
        GrowthVerdict::Undecided(candidates) => assert!(candidates.contains(&GrowthClass::Linear), "{candidates:?}"),
    }
    assert!(found.exponent.interval.low > 0.9 && found.exponent.interval.high < 1.4, "{:?}", found.exponent);
}

fn exact(sizes: &[f64], values: &[f64]) -> Vec<GrowthPoint> {
    sizes.iter().zip(values).map(|(&x, &value)| GrowthPoint { x, value, half_width: 0.0 }).collect()
}

/// Over one decade, the ratio of n log n to n changes by 20% at these sizes, and noise hides that.
#[test]
fn indistinguishable_classes_are_undecided() {
    let sizes: Vec<f64> = (0..17).map(|index| 1e5 * 10_f64.powf(f64::from(index) / 16.0)).collect();
    for class in [GrowthClass::Linear, GrowthClass::Linearithmic] {
        let (wrong, undecided) = tally(class, &sizes, 0.2, |n| function(class, n));
        assert!(wrong <= 1 && undecided >= TRIES - 2, "{class}: {wrong} wrong, {undecided} undecided");
        let found = growth(&noisy(&sizes, 1, 0.2, |n| function(class, n))).unwrap();
        let GrowthVerdict::Undecided(candidates) = found.verdict else { panic!("{found:?}") };
        assert!(candidates.contains(&GrowthClass::Linear) && candidates.contains(&GrowthClass::Linearithmic));
    }
}

/// Whatever the range and the noise are, a wrong class is rare, and a curve that is called constant grows by less than half.
#[test]
fn wrong_claims_are_rare() {
    for (start, decades, count) in [(1e2, 1, 17), (1e8, 1, 17), (10.0, 2, 9), (10.0, 3, 7)] {
        let size = |index: u32| start * 10_f64.powf(f64::from(decades * index) / f64::from(count - 1));
        let sizes: Vec<f64> = (0..count).map(size).collect();
        for noise in [0.05, 0.2] {
            for class in GrowthClass::ALL {
                let wrong = (0..FEW_TRIES).filter(|seed| {
                    let found = growth(&noisy(&sizes, *seed, noise, |n| function(class, n))).unwrap();
                    let grown = function(class, *sizes.last().unwrap()) / function(class, start);
                    class_of(&found)
                        .is_some_and(|found| found != class && !(found == GrowthClass::Constant && grown < 1.5))
                });
                let wrong = wrong.count();
                assert!(
                    wrong <= 1,
                    "{wrong} of {FEW_TRIES} wrong: {class} from {start} over {decades} decades, noise {noise}"
                );
            }
        }
    }
}

/// From 1 000 elements on, the data does not fit into a cache, and each element takes three times as long.
#[test]
fn a_break_is_found_with_its_position() {
    let value = |n: f64| if n < 1_000.0 { n } else { 3.0 * n };
    for seed in 0..20 {
        let found = growth(&noisy(&sizes(), seed, 0.02, value)).unwrap();
        let GrowthVerdict::Class { best, .. } = found.verdict else { panic!("seed {seed}: {found:?}") };
        let at = best.break_at.unwrap();
        assert_eq!(best.class, GrowthClass::Linear);
        assert!(at.after < 1_000.0 && 1_000.0 <= at.before && at.before / at.after < 1.6, "{at:?}");
        assert!((at.factor - 3.0).abs() < 0.3, "{at:?}");
        assert!((best.value(100.0) / 100.0 - 1.0).abs() < 0.1 && (best.value(5_000.0) / 15_000.0 - 1.0).abs() < 0.1);
    }
}

#[test]
fn a_small_growth_counts_as_constant() {
    let found = growth(&noisy(&sizes(), 1, 0.000_1, |n| 100.0 + n.ln())).unwrap();
    assert_eq!(class_of(&found), Some(GrowthClass::Constant));
}

#[test]
fn nothing_is_claimed_over_few_points_or_a_narrow_range() {
    let points = |count: u32, ratio: f64| -> Vec<GrowthPoint> {
        let size = |index: u32| ratio.powf(f64::from(index) / f64::from(count - 1));
        (0..count).map(|index| GrowthPoint { x: size(index), value: size(index), half_width: 0.0 }).collect()
    };
    assert_eq!(growth(&points(5, 1e3)), Err(NoGrowth::TooFewPoints(5)));
    assert!(matches!(growth(&points(17, 9.0)), Err(NoGrowth::TooNarrow(ratio)) if (ratio - 9.0).abs() < 1e-9));
    assert!(growth(&points(6, 10.0)).is_ok());
    assert_eq!(growth(&[]), Err(NoGrowth::TooFewPoints(0)));
}

/// Such as an axis that starts at 0, a time that is indistinguishable from zero, and a failed point.
#[test]
fn unusable_points_are_ignored() {
    let clean = noisy(&sizes(), 1, 0.01, |n| n);
    let unusable = [(0.0, 5.0), (-1.0, 5.0), (50.0, 0.0), (50.0, -3.0), (50.0, f64::NAN), (f64::INFINITY, 1.0)];
    let unusable = unusable.map(|(x, value)| GrowthPoint { x, value, half_width: 1.0 });
    assert_eq!(growth(&[&clean[..], &unusable].concat()), growth(&clean));
    assert_eq!(growth(&unusable), Err(NoGrowth::TooFewPoints(0)));
    // A logarithm below 1 would be negative.
    let fractions: Vec<f64> = sizes().iter().map(|size| size / 1e4).collect();
    assert_eq!(class_of(&growth(&noisy(&fractions, 1, 0.01, |n| n)).unwrap()), Some(GrowthClass::Linear));
}

/// The 95% interval of the exponent contains it in about 95% of the tries.
#[test]
fn the_exponent_is_that_of_a_power() {
    for power in [0.5, 1.0, 1.58, 2.7] {
        let mut covered = 0;
        for seed in 0..50 {
            let exponent = growth(&noisy(&sizes(), seed, 0.05, |n: f64| n.powf(power))).unwrap().exponent;
            covered += u32::from(exponent.interval.contains(power));
        }
        assert!((43..=50).contains(&covered), "{covered} of 50 intervals contain {power}");
    }
}

/// The slope of `statsmodels` 0.15.0, `WLS(log(y), add_constant(log(x)), weights)`, with the weights of `LogPoints`.
#[test]
fn the_exponent_equals_that_of_statsmodels() {
    let sizes = [1.0, 8.0, 64.0, 512.0, 4_096.0, 32_768.0, 262_144.0];
    let values = [2_106.0, 2_132.0, 2_050.0, 2_032.0, 2_054.0, 2_264.0, 2_128.0];
    let mut points = exact(&sizes, &values);
    for (point, half_width) in points.iter_mut().zip([20.0, 400.0, 20.0, 20.0, 20.0, 20.0, 100.0]) {
        point.half_width = half_width;
    }
    let Exponent { estimate, interval } = growth(&points).unwrap().exponent;
    assert!((estimate - 0.004_042_451_818_568).abs() < 1e-12, "{estimate}");
    assert!((interval.low - -0.006_219_88).abs() < 1e-8 && (interval.high - 0.014_304_79).abs() < 1e-8, "{interval:?}");
}

/// The minimum that SciPy 1.17.1 finds (`minimize`, Nelder–Mead) of the squared differences of logarithms.
#[test]
fn the_fit_equals_that_of_scipy() {
    let sizes: Vec<f64> = (0..=10).map(|power| 2_f64.powi(power)).collect();
    let times = [62.0, 86.0, 138.0, 246.0, 469.0, 931.0, 1_828.0, 3_819.0, 7_339.0, 14_511.0, 29_052.0];
    let curve = curve_of(&growth(&exact(&sizes, &times)).unwrap());
    assert_eq!((curve.class, curve.break_at), (GrowthClass::Linear, None));
    assert!((curve.intercept - 31.426_996).abs() < 1e-3, "{curve:?}");
    assert!((curve.coefficient - 28.087_602).abs() < 1e-3, "{curve:?}");
    assert!((curve.deviation - 0.028_607_721).abs() < 1e-8, "{curve:?}");
}

#[test]
fn the_largest_size_within_a_time_has_an_interval() {
    let points: Vec<GrowthPoint> = [(10.0, 100.0), (100.0, 1_000.0), (1_000.0, 10_000.0)]
        .map(|(x, value)| GrowthPoint { x, value, half_width: 0.1 * value })
        .into();
    let Some(LargestWithin::At { x, interval }) = largest_within(&points, None, 5_000.0) else { panic!() };
    assert!((x - 500.0).abs() < 1e-6 && (interval.low - 500.0 / 1.1).abs() < 1e-6, "{x} {interval:?}");
    assert!((interval.high - 500.0 / 0.9).abs() < 1e-6, "{interval:?}");
    assert_eq!(largest_within(&points, None, 50.0), Some(LargestWithin::BelowRange(10.0)));
    let above = |curve: Option<&GrowthCurve>| largest_within(&points, curve, 20_000.0);
    assert_eq!(above(None), Some(LargestWithin::AboveRange { last: 1_000.0, extrapolated: None }));
    assert_eq!(largest_within(&[], None, 1.0), None);
    for class in &GrowthClass::ALL[2..] {
        let curve = curve_of(&growth(&noisy(&sizes(), 1, 0.001, |n| function(*class, n))).unwrap());
        let Some(LargestWithin::AboveRange { extrapolated: Some(x), .. }) = above(Some(&curve)) else { continue };
        assert!((function(*class, x) / 20_000.0 - 1.0).abs() < 0.01, "{class}: {x}");
    }
    let constant = curve_of(&growth(&noisy(&sizes(), 1, 0.001, |_| 42.0)).unwrap());
    assert_eq!(above(Some(&constant)), Some(LargestWithin::AboveRange { last: 1_000.0, extrapolated: None }));
    // If a curve falls in between, the last crossing counts.
    let falling = exact(&[1.0, 2.0, 3.0, 4.0], &[1.0, 9.0, 2.0, 8.0]);
    let Some(LargestWithin::At { x, .. }) = largest_within(&falling, None, 4.0) else { panic!() };
    assert!((3.0..4.0).contains(&x), "{x}");
}
