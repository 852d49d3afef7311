//! Ratios and crossovers: the coverage of their intervals, and the cases without a result.

use benchbook_contract::parameter::Scale;
use benchbook_contract::rng::Rng;
use benchbook_host::analyze::blocks::{OverheadError, RunTimes};
use benchbook_host::analyze::compare::{Pair, Ratio, RatioStatistic, WithheldReason, ratio};
use benchbook_host::analyze::crossover::{Crossover, crossovers};
use benchbook_host::analyze::equivalence::{Decision, RatioIntervals};
use rand::seq::SliceRandom;

use super::simulation::{Samples, allowance, assert_near, coverage, normal, repeats, rng, share, uniform};

fn pair<'a>(baseline: &'a [RunTimes<'a>], other: &'a [RunTimes<'a>]) -> Pair<'a> {
    Pair { baseline, other, of: RatioStatistic::Medians, together: true, same_outputs: Some(true), comparisons: 1 }
}

/// The ratio of two functions measured on shared inputs. Inputs vary by `inputs`, and samples by `noise`.
fn simulated(
    rng: &mut Rng,
    blocks: u32,
    size: u32,
    inputs: f64,
    mut noise: impl FnMut(&mut Rng) -> f64,
    truth: f64,
) -> Ratio {
    let (mut baseline, mut other) = (Vec::new(), Vec::new());
    for _ in 0..blocks {
        let input = (inputs * normal(rng)).exp();
        baseline.extend((0..size).map(|_| 100.0 * input * noise(rng)));
        other.extend((0..size).map(|_| 100.0 * truth * input * noise(rng)));
    }
    let sizes = vec![size; blocks as usize];
    let run = |times| RunTimes::without_overhead(times, &sizes);
    ratio(&pair(&[run(&baseline)], &[run(&other)])).expect("there are enough blocks")
}

fn small_noise(rng: &mut Rng) -> f64 {
    1.0 + 0.02 * normal(rng)
}

type Noise = fn(&mut Rng) -> f64;

const NOISES: [(&str, Noise); 5] = [
    ("normal", small_noise),
    ("lognormal", |rng| normal(rng).exp()),
    ("two modes", |rng| if uniform(rng) < 0.2 { 2.0 * small_noise(rng) } else { small_noise(rng) }),
    ("rare mode", |rng| if uniform(rng) < 0.1 { 5.0 * small_noise(rng) } else { small_noise(rng) }),
    ("Pareto 3", |rng| uniform(rng).powf(-1.0 / 3.0)),
];

#[test]
fn ratio_interval_covers_the_ratio() {
    for (name, noise) in NOISES {
        for (blocks, size) in [(4, 1), (4, 10), (8, 1), (16, 1), (16, 10), (32, 3)] {
            let mut rng = rng(1);
            let covered = coverage(1.1, || Some(simulated(&mut rng, blocks, size, 0.3, noise, 1.1).interval(1)));
            let what = format!("ratio, {name}, {blocks} blocks of {size}");
            match name {
                "normal" => assert_near(covered, 95.0, 1.5, &what),
                // A small sample of two modes has a wide interval.
                _ => assert!(covered >= 93.5, "{what}: {covered}%"),
            }
        }
    }
}

/// The ratio of two functions whose batches alternate in random order on a machine that changes its speed by 30%, with this probability at each batch:
/// within blocks, too.
fn on_changing_machine(rng: &mut Rng, blocks: u32, size: u32, change: f64, noise: Noise, truth: f64) -> Ratio {
    let (mut baseline, mut other) = (Vec::new(), Vec::new());
    let mut is_slow = false;
    for _ in 0..blocks {
        let mut order: Vec<bool> = (0..2 * size).map(|batch| batch < size).collect();
        order.shuffle(rng);
        for is_baseline in order {
            is_slow ^= uniform(rng) < change;
            let time = 100.0 * if is_slow { 1.3 } else { 1.0 } * noise(rng);
            if is_baseline { baseline.push(time) } else { other.push(truth * time) }
        }
    }
    let sizes = vec![size; blocks as usize];
    let run = |times| RunTimes::without_overhead(times, &sizes);
    ratio(&pair(&[run(&baseline)], &[run(&other)])).expect("there are enough blocks")
}

/// Why an answer that compares functions can be good while their times are rough.
#[test]
fn ratio_interval_covers_the_ratio_on_a_machine_that_changes_its_speed() {
    for (name, noise) in NOISES {
        for change in [0.001, 0.01, 0.1] {
            for (blocks, size) in [(16, 10), (32, 3), (32, 30)] {
                let mut rng = rng(6);
                let covered =
                    coverage(1.1, || Some(on_changing_machine(&mut rng, blocks, size, change, noise, 1.1).interval(1)));
                let what =
                    format!("{name}, a change at {change} of the batches, {blocks} blocks of {size}: {covered}%");
                println!("{what}");
                assert!(covered >= 93.0, "{what}");
            }
        }
    }
}

/// A change of the machine is not one of the ratio, and a change of one function alone is.
#[test]
fn only_a_change_of_one_function_changes_the_ratio() {
    for (name, noise) in NOISES {
        let mut rng = rng(7);
        let changed = |rng: &mut Rng, own: f64| {
            let mut block = 0;
            let mut one = |rng: &mut Rng| {
                block += 1;
                (if block > 16 * 10 { own } else { 1.0 }) * noise(rng)
            };
            let speed = |block: usize| if block > 8 { 1.3 } else { 1.0 };
            let other: Vec<f64> = (0..32 * 10).map(|sample| 100.0 * speed(sample / 10) * one(rng)).collect();
            let baseline: Vec<f64> = (0..32 * 10).map(|sample| 100.0 * speed(sample / 10) * noise(rng)).collect();
            let sizes = [10; 32];
            let run = |times| RunTimes::without_overhead(times, &sizes);
            ratio(&pair(&[run(&baseline)], &[run(&other)])).expect("there are enough blocks").changed
        };
        let false_alarms = share(repeats() / 2, || changed(&mut rng, 1.0) != Some(0.0));
        let detected = share(repeats() / 20, || changed(&mut rng, 1.3).is_some_and(|change| change > 0.0));
        println!("{name}: {false_alarms}% false alarms, {detected}% of changes by 30% detected");
        assert!(false_alarms <= 3.0 + allowance(3.0, repeats() / 2), "{name}: {false_alarms}%");
        // Lognormal and Pareto samples vary by more than 30%.
        let least = match name {
            "normal" => 99.0,
            "two modes" | "rare mode" => 80.0,
            _ => 0.0,
        };
        assert!(detected >= least, "{name}: {detected}%");
    }
}

#[test]
fn ratio_interval_over_runs_covers_the_ratio() {
    for (runs, run_variation) in [(3, 0.0), (3, 0.05), (5, 0.05)] {
        let mut rng = rng(2);
        let covered = coverage(1.0, || {
            let mut function = || -> Vec<Samples> {
                let run = |rng: &mut Rng| {
                    let level = 1.0 + run_variation * normal(rng);
                    Samples::independent(4, 5, || level * small_noise(rng))
                };
                (0..runs).map(|_| run(&mut rng)).collect()
            };
            let (baseline, other) = (function(), function());
            let [baseline, other] =
                [&baseline, &other].map(|samples| samples.iter().map(Samples::run).collect::<Vec<_>>());
            Some(ratio(&pair(&baseline, &other)).expect("there are enough runs").interval(1))
        });
        assert_near(covered, 95.0, 1.5, &format!("ratio, {runs} runs that vary by {run_variation}"));
    }
}

#[test]
fn false_positive_rate_is_within_the_level() {
    // A curve of 17 points with three functions compared with the baseline.
    let comparisons = 17 * 3;
    for (name, noise) in NOISES {
        let mut rng = rng(3);
        let one = share(repeats(), || !simulated(&mut rng, 16, 5, 0.3, noise, 1.0).interval(1).contains(1.0));
        let any = share(repeats() / 10, || {
            (0..comparisons).any(|_| !simulated(&mut rng, 16, 5, 0.3, noise, 1.0).interval(comparisons).contains(1.0))
        });
        let what = format!("{name}: false positives in {one:.1}% of single comparisons and in {any:.1}% of families");
        println!("{what} of {comparisons}");
        assert!(one <= 6.5 && any <= 5.0 + allowance(5.0, repeats() / 10), "{what}");
    }
}

/// If the true difference is exactly the margin, two one-sided tests declare the functions equal in at most 5% of cases.
#[test]
fn functions_that_differ_by_the_margin_are_rarely_called_the_same() {
    for (name, noise) in NOISES {
        // Such noise needs a wider margin for any function to be called the same.
        let margin = if matches!(name, "lognormal" | "Pareto 3") { 0.5 } else { 0.05 };
        let is_same = |ratio: Ratio| {
            let (interval, equivalence) = (ratio.interval(1), ratio.equivalence_interval(1));
            RatioIntervals { interval, equivalence }.decide(margin) == Decision::Same
        };
        for truth in [1.0 + margin, 1.0 / (1.0 + margin)] {
            let mut rng = rng(3);
            let same = share(repeats() / 5, || is_same(simulated(&mut rng, 16, 10, 0.3, noise, truth)));
            assert!(same <= 5.6, "{name}, {truth}: the same in {same}% of cases");
        }
        // Functions that are the same are usually found to be so.
        let mut rng = rng(4);
        let found = share(repeats() / 5, || is_same(simulated(&mut rng, 32, 30, 0.3, noise, 1.0)));
        println!("{name}: the same in {found:.1}%");
        assert!(found > 50.0, "{name}: the same in {found}% of cases");
    }
}

#[test]
fn one_dominant_sample_never_determines_the_ratio() {
    let baseline = Samples { times: vec![10.0; 12], blocks: vec![1; 12] };
    for slow in [1e3, 1e6, 1e9] {
        let mut other = baseline.clone();
        other.times[5] = slow;
        let ratio = ratio(&pair(&[baseline.run()], &[other.run()])).unwrap();
        assert!(ratio.interval(1).contains(1.0), "{slow}: {:?}", ratio.interval(1));
    }
    // With other samples in its block, it has no effect at all.
    let (baseline, mut other) = ([10.0; 12], [10.0; 12]);
    other[5] = 1e9;
    let run = |times| RunTimes::without_overhead(times, &[3; 4]);
    assert_eq!(ratio(&pair(&[run(&baseline)], &[run(&other)])).unwrap().estimate(), 1.0);
}

/// ```python
/// b = numpy.log(numpy.array([22, 21, 20, 24]) / numpy.array([10, 11, 10, 12]))
/// scipy.stats.t.interval(0.95, 3, b.mean(), scipy.stats.sem(b))
/// scipy.stats.t.interval(0.95 ** (1 / 10), 3, b.mean(), scipy.stats.sem(b))
/// scipy.stats.t.interval(0.9, 3, b.mean(), scipy.stats.sem(b))
/// scipy.stats.t.interval(2 * 0.95 ** (1 / 10) - 1, 3, b.mean(), scipy.stats.sem(b))
/// ```
#[test]
fn ratios_match_scipy() {
    let run = |times| RunTimes::without_overhead(times, &[3, 1, 2, 1]);
    let baseline = [9.0, 10.0, 15.0, 11.0, 8.0, 12.0, 12.0];
    let other = [22.0, 30.0, 21.0, 21.0, 20.0, 20.0, 24.0];
    let ratio = ratio(&pair(&[run(&baseline)], &[run(&other)])).unwrap();
    let [one, ten] = [1, 10].map(|comparisons| ratio.interval(comparisons));
    let [one_sided, ten_one_sided] = [1, 10].map(|comparisons| ratio.equivalence_interval(comparisons));
    for (actual, expected) in [
        (ratio.ln, 0.705344721602303),
        (one.low.ln(), 0.610523209230798),
        (one.high.ln(), 0.800166233973809),
        (ten.low.ln(), 0.485038888623704),
        (ten.high.ln(), 0.925650554580901),
        (one_sided.low.ln(), 0.635225870051777),
        (one_sided.high.ln(), 0.775463573152830),
        (ten_one_sided.low.ln(), 0.532734096939185),
        (ten_one_sided.high.ln(), 0.877955346265422),
    ] {
        assert!((actual - expected).abs() < 1e-9, "{actual} instead of {expected}");
    }
}

#[test]
fn overhead_uncertainty_widens_the_ratio_interval() {
    let times: Vec<f64> = (0..20).map(|index| 10.0 + f64::from(index % 3)).collect();
    let of = |random| OverheadError { random, ..OverheadError::default() };
    let run = |random| RunTimes { overhead: of(random), ..RunTimes::without_overhead(&times, &[5; 4]) };
    let of = |low, high| ratio(&pair(&[run(low)], &[run(high)])).unwrap();
    let (without, with) = (of(0.0, 0.0), of(3.0, 4.0));
    // The median of all is 11. Independent errors of 3 and 4 combine to 5.
    let sd = 5.0 / 11.0 / 1.959_963_984_540_054;
    assert!((with.overhead - without.overhead - sd * sd).abs() < 1e-12);
    assert_eq!(with.ln, without.ln);
}

#[test]
fn incomparable_ratios_are_withheld() {
    let four = Samples { times: vec![10.0; 8], blocks: vec![2; 4] };
    let three = Samples { times: vec![10.0; 6], blocks: vec![2; 3] };
    let mut nothing = four.clone();
    nothing.times[..2].fill(-0.5);
    let runs = [four.run()];
    let good = pair(&runs, &runs);
    assert!(ratio(&good).is_ok());
    assert!(ratio(&Pair { of: RatioStatistic::Means, same_outputs: None, ..good }).is_ok());
    assert_eq!(ratio(&Pair { together: false, ..good }), Err(WithheldReason::Apart));
    assert_eq!(ratio(&Pair { same_outputs: Some(false), ..good }), Err(WithheldReason::OutputsDiffer));
    assert_eq!(ratio(&pair(&runs, &[three.run()])), Err(WithheldReason::Unpaired));
    assert_eq!(ratio(&pair(&runs, &[four.run(), four.run()])), Err(WithheldReason::Unpaired));
    assert_eq!(ratio(&pair(&[three.run()], &[three.run()])), Err(WithheldReason::FewBlocks));
    assert_eq!(ratio(&pair(&[four.run(); 2], &[four.run(); 2])), Err(WithheldReason::FewBlocks));
    assert_eq!(ratio(&pair(&[], &[])), Err(WithheldReason::FewBlocks));
    assert_eq!(ratio(&pair(&runs, &[nothing.run()])), Err(WithheldReason::NotAboveZero));
}

/// A ratio whose logarithm has the standard deviation `sd`.
fn ratio_with(ln: f64, sd: f64) -> Ratio {
    Ratio { ln, variance: sd * sd, overhead: 0.0, freedom: 15, of: RatioStatistic::Medians, changed: None }
}

#[test]
fn crossover_is_at_the_root_of_the_interpolated_ratio() {
    let line = |sd| {
        [
            (100.0, ratio_with(0.3, sd)),
            (300.0, ratio_with(0.1, sd)),
            (500.0, ratio_with(-0.1, sd)),
            (700.0, ratio_with(-0.3, sd)),
        ]
    };
    let [Crossover { x, interval, other_wins_above }] = crossovers(&line(0.01), Scale::Linear, 4)[..] else {
        panic!("there is one crossover")
    };
    assert!((x - 400.0).abs() < 1e-9 && other_wins_above);
    assert!(interval.low > 300.0 && interval.high < 500.0 && interval.contains(400.0), "{interval:?}");
    // Uncertain ratios near the root widen the interval beyond the neighbouring axis values.
    let [Crossover { interval: wider, .. }] = crossovers(&line(0.06), Scale::Linear, 4)[..] else {
        panic!("there is one crossover")
    };
    assert!(wider.low > 100.0 && wider.low < 300.0 && wider.high > 500.0 && wider.high < 700.0, "{wider:?}");
    assert_eq!(crossovers(&line(0.3), Scale::Linear, 4), []);
}

#[test]
fn crossovers_follow_the_scale_and_the_direction() {
    let ratios =
        [(10.0, ratio_with(-0.2, 0.01)), (1_000.0, ratio_with(0.2, 0.01)), (100_000.0, ratio_with(-0.2, 0.01))];
    let found = crossovers(&ratios, Scale::Log, 3);
    let places: Vec<_> = found.iter().map(|crossover| (crossover.x.round(), crossover.other_wins_above)).collect();
    assert_eq!(places, [(100.0, false), (10_000.0, true)]);
    // A significant ratio, an insignificant one, and a significant one on the same side: no crossover.
    let same = [(1.0, ratio_with(0.2, 0.01)), (2.0, ratio_with(-0.01, 0.01)), (3.0, ratio_with(0.2, 0.01))];
    assert_eq!(crossovers(&same, Scale::Linear, 3), []);
    assert_eq!(crossovers(&[], Scale::Linear, 1), []);
}

/// The part of simulated measurements with a crossover whose interval contains it, in percent, and the number of these
/// measurements. `ln_ratio`: the logarithm of the ratio at each of eight axis values, and its root.
fn crossover_coverage(ln_ratio: impl Fn(f64) -> f64, root: f64) -> (f64, u32) {
    let mut rng = rng(5);
    let (mut found, mut held) = (0, 0);
    for _ in 0..repeats() {
        let at = |x: f64, rng: &mut Rng| (x, simulated(rng, 16, 3, 0.1, small_noise, ln_ratio(x).exp()));
        let ratios: Vec<_> = (1..=8).map(|x| at(f64::from(x), &mut rng)).collect();
        if let [crossover] = &crossovers(&ratios, Scale::Linear, 8)[..] {
            found += 1;
            held += u32::from(crossover.interval.contains(root));
        }
    }
    (100.0 * f64::from(held) / f64::from(found), found)
}

#[test]
fn crossover_interval_covers_the_crossover() {
    // The slope is small, medium or large relative to the uncertainty of one ratio.
    for slope in [0.004, 0.01, 0.03] {
        let (covered, found) = crossover_coverage(|x| slope * (4.4 - x), 4.4);
        println!("slope {slope}: one crossover in {found}, covered in {covered:.1}%");
        assert!(found > repeats() / 4, "crossover, slope {slope}: {found} found");
        // The estimated error of the interpolation makes the intervals of a straight line wider than necessary.
        assert_near(covered, 98.0, 1.5, &format!("crossover, slope {slope}"));
    }
}

/// Without the error of the interpolation, the intervals of the first curve cover in 62% of cases.
#[test]
fn crossover_interval_covers_the_crossover_of_curves() {
    let root = 4.4_f64;
    type LnRatio = fn(f64) -> f64;
    let curves: [(&str, LnRatio); 3] = [
        ("the time of one is constant, that of the other proportional to the axis value", |x| (4.4 / x).ln()),
        ("the time of the other is proportional to the square", |x| 2.0 * (4.4 / x).ln()),
        ("the other becomes ten times as slow within one step", |x| -1.15 * ((x - 4.4) / 0.4).tanh()),
    ];
    for (name, curve) in curves {
        let (covered, found) = crossover_coverage(curve, root);
        println!("{name}: one crossover in {found}, covered in {covered:.1}%");
        assert!(covered >= 95.0 && found > repeats() * 9 / 10, "{name}: {covered}% of {found}");
    }
}

#[test]
fn crossover_interval_of_two_values_is_the_gap() {
    let two = [(10.0, ratio_with(0.2, 0.01)), (20.0, ratio_with(-0.2, 0.01))];
    let [Crossover { x, interval, .. }] = crossovers(&two, Scale::Linear, 1)[..] else { panic!("one crossover") };
    assert!((x - 15.0).abs() < 1e-9 && (interval.low, interval.high) == (10.0, 20.0), "{x} {interval:?}");
}

#[test]
fn crossover_interval_stays_within_the_measured_values() {
    for first in (1..200).map(f64::from) {
        let two = [(first, ratio_with(0.2, 0.01)), (7.0 * first, ratio_with(-0.2, 0.01))];
        let [Crossover { interval, .. }] = crossovers(&two, Scale::Log, 1)[..] else { panic!("one crossover") };
        assert!(first <= interval.low && interval.high <= 7.0 * first, "from {first}: {interval:?}");
    }
}
