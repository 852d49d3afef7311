//! Changes during sampling: the detection rate, and the false alarm rate for steady samples.
//!
//! `BENCHBOOK_SIMULATIONS=10000 cargo test -p benchbook-host --test host change:: -- --nocapture` prints the numbers of docs/coverage.md.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::change::{Change, ChangeKind, Steadiness, steadiness};
use rand::RngExt;

use super::simulation::{
    Distribution, EXPONENTIAL, LOGNORMAL, NORMAL, PARETO_3, RARE_MODE, STUDENT_3, Samples, TWO_MODES, normal, repeats,
    rng, share, uniform,
};

/// Changes of less than 3 ‰ are irrelevant.
const TOLERANCE: f64 = 0.003;

/// The rates of two verdicts, in percent.
struct VerdictRates {
    steady: f64,
    changed: f64,
}

fn verdict_rates(what: &str, mut samples: impl FnMut(&mut Rng) -> Samples) -> VerdictRates {
    let mut rng = rng(1);
    let (mut steady, mut changed) = (0, 0);
    for _ in 0..repeats() {
        match steadiness(&samples(&mut rng).run(), TOLERANCE, 1) {
            Steadiness::Steady => steady += 1,
            Steadiness::Changed(_) => changed += 1,
            Steadiness::Unknown => {}
        }
    }
    let [steady, changed] = [steady, changed].map(|count| 100.0 * f64::from(count) / f64::from(repeats()));
    println!("{what}: steady {steady:.1}%, unknown {:.1}%, changed {changed:.1}%", 100.0 - steady - changed);
    VerdictRates { steady, changed }
}

/// Samples of level 1 with noise of relative standard deviation `noise`, plus `inputs` between blocks, multiplied by
/// `level` of the sample's index.
fn noisy(rng: &mut Rng, blocks: u32, size: u32, noise: f64, inputs: f64, level: impl Fn(u32) -> f64) -> Samples {
    let mut samples = Samples::of(blocks, size, || (), |index, ()| level(index));
    for block in samples.times.chunks_mut(size as usize) {
        let input = 1.0 + inputs * normal(rng);
        block.iter_mut().for_each(|time| *time *= input + noise * normal(rng));
    }
    samples
}

#[test]
fn steady_samples_rarely_raise_false_alarms() {
    for (blocks, size) in [(16, 20), (32, 1)] {
        for distribution in [NORMAL, LOGNORMAL, EXPONENTIAL, TWO_MODES, RARE_MODE, STUDENT_3, PARETO_3] {
            let Distribution { name, draw, .. } = distribution;
            let what = format!("{blocks} blocks of {size}, {name}");
            let VerdictRates { changed, .. } =
                verdict_rates(&what, |rng| Samples::independent(blocks, size, || draw(rng)));
            assert!(changed <= 3.0, "{what}: {changed}%");
        }
    }
    for (blocks, size, inputs) in [(16, 20, 0.005), (16, 20, 0.02), (32, 10, 0.02)] {
        let what = format!("{blocks} blocks of {size}, inputs vary by {inputs}");
        let VerdictRates { changed, .. } = verdict_rates(&what, |rng| noisy(rng, blocks, size, 0.01, inputs, |_| 1.0));
        assert!(changed <= 3.0, "{what}: {changed}%");
    }
}

/// The last blocks are short if little time remains, and one batch in a hundred takes ten times as long.
#[test]
fn short_last_blocks_raise_no_false_alarms() {
    let draw = |rng: &mut Rng| {
        let gamma = (0..4).map(|_| -uniform(rng).ln()).sum::<f64>() / 4.0;
        gamma * if rng.random_bool(0.01) { 10.0 } else { 1.0 }
    };
    for last in [1, 2, 4, 20] {
        let what = format!("30 blocks of 50, then {last}");
        let VerdictRates { changed, .. } = verdict_rates(&what, |rng| {
            let mut samples = Samples::independent(30, 50, || draw(rng));
            samples.times.extend((0..last).map(|_| draw(rng)));
            samples.blocks.push(last);
            samples
        });
        assert!(changed <= 3.0, "{what}: {changed}%");
    }
}

#[test]
fn steady_samples_are_recognised_as_steady() {
    for (blocks, size, noise) in [(16, 20, 0.01), (16, 20, 0.05), (32, 10, 0.02), (32, 100, 0.05)] {
        let what = format!("{blocks} blocks of {size}, noise {noise}");
        let mut rng = rng(2);
        let steady = share(repeats() / 10, || {
            steadiness(&noisy(&mut rng, blocks, size, noise, 0.0, |_| 1.0).run(), TOLERANCE, 1) == Steadiness::Steady
        });
        println!("{what}: steady {steady:.1}%");
        assert!(steady >= 80.0, "{what}: {steady}%");
    }
}

/// If each of five runs is tested, a false alarm in any of them is as rare as in a single one.
#[test]
fn false_alarms_of_several_runs_are_as_rare_as_those_of_one() {
    const RUNS: usize = 5;
    let mut rng = rng(5);
    let any = share(repeats() / 5, || {
        let runs: Vec<Samples> = (0..RUNS).map(|_| noisy(&mut rng, 16, 20, 0.01, 0.0, |_| 1.0)).collect();
        runs.iter().any(|samples| matches!(steadiness(&samples.run(), TOLERANCE, RUNS), Steadiness::Changed(_)))
    });
    println!("any of {RUNS} runs, 16 blocks of 20: changed {any:.1}%");
    assert!(any <= 2.0, "{any}%");
}

#[test]
fn false_alarms_of_correlated_samples_are_as_rare_as_documented() {
    // One input in ten is 5% slower, and it may be that of the first or last block only.
    let rare = |rng: &mut Rng| if uniform(rng) < 0.1 { 0.05 } else { 0.0 };
    let mixed_inputs = verdict_rates("16 blocks of 20, two kinds of inputs", |rng| {
        let kinds: Vec<f64> = (0..16).map(|_| rare(rng)).collect();
        noisy(rng, 16, 20, 0.01, 0.0, |index| 1.0 + kinds[(index / 20) as usize])
    });
    assert!(mixed_inputs.changed <= 6.0, "{}%", mixed_inputs.changed);
    for (part, blocks, size, most) in [(0.3, 16, 20, 3.0), (0.6, 16, 20, 3.0), (0.9, 16, 20, 6.0), (0.6, 32, 10, 3.0)] {
        let scale = f64::sqrt(1.0 - part * part);
        let what = format!("{blocks} blocks of {size}, {part} of the sample before");
        let VerdictRates { changed, .. } = verdict_rates(&what, |rng| {
            let mut noise = normal(rng);
            Samples::independent(blocks, size, || {
                noise = part * noise + scale * normal(rng);
                1.0 + 0.02 * noise
            })
        });
        assert!(changed <= most, "{what}: {changed}%");
    }
}

#[test]
fn steps_are_detected_and_not_reported_as_steady() {
    for (blocks, size, factor, noise, inputs) in [
        (16, 20, 1.1, 0.02, 0.0),
        (16, 20, 1.1, 0.05, 0.0),
        (16, 20, 1.1, 0.01, 0.01),
        (16, 20, 2.0, 0.02, 0.05),
        (16, 20, 15.0, 0.05, 0.05),
        (32, 10, 1.1, 0.05, 0.0),
        (32, 10, 1.1, 0.01, 0.01),
        (32, 10, 2.0, 0.02, 0.1),
        (32, 1, 1.1, 0.01, 0.0),
    ] {
        let what = format!("{blocks} blocks of {size}, times {factor} before, noise {noise}, inputs vary by {inputs}");
        let VerdictRates { steady, changed } = verdict_rates(&what, |rng| {
            // Anywhere except among the three samples at either end.
            let at = rng.random_range(3..=blocks * size - 3);
            noisy(rng, blocks, size, noise, inputs, |index| if index < at { factor } else { 1.0 })
        });
        assert!(changed >= 95.0 && steady <= 2.0, "{what}: detected {changed}%, reported as steady {steady}%");
    }
}

#[test]
fn trends_are_detected_and_not_reported_as_steady() {
    for (blocks, size, inputs) in [(16, 20, 0.0), (16, 20, 0.01), (32, 10, 0.01), (32, 1, 0.0)] {
        // Five standard deviations of a block's median. The variance of a median is π/2 times that of a mean.
        let of_samples = if size > 2 { std::f64::consts::FRAC_PI_2 / f64::from(size) } else { 1.0 };
        let change = 5.0 * f64::sqrt(inputs * inputs + 1e-4 * of_samples);
        let what = format!("{blocks} blocks of {size}, a trend by {change:.3}, inputs vary by {inputs}");
        let VerdictRates { steady, changed } = verdict_rates(&what, |rng| {
            let last = f64::from(blocks * size - 1);
            noisy(rng, blocks, size, 0.01, inputs, |index| 1.0 + change * f64::from(index) / last)
        });
        assert!(changed >= 95.0 && steady <= 2.0, "{what}: detected {changed}%, reported as steady {steady}%");
    }
}

#[test]
fn step_has_its_position_and_levels() {
    let mut rng = rng(3);
    for at in [4, 30, 100, 160, 300, 315] {
        let samples = noisy(&mut rng, 16, 20, 0.01, 0.0, |index| if index < at { 30.0 } else { 10.0 });
        let Steadiness::Changed(Change { kind, before, after }) = steadiness(&samples.run(), TOLERANCE, 1) else {
            panic!("the step at {at} was not detected")
        };
        assert!((before - 30.0).abs() < 0.5 && (after - 10.0).abs() < 0.5, "at {at}: {before} to {after}");
        let ChangeKind::Step { at: detected } = kind else { panic!("the step at {at} was reported as a trend") };
        assert!(detected.abs_diff(at) <= 10, "{detected} instead of {at}");
    }
}

#[test]
fn trend_has_the_levels_of_its_ends() {
    let samples = noisy(&mut rng(4), 32, 10, 0.002, 0.0, |index| 10.0 + f64::from(index) / 319.0);
    let Steadiness::Changed(Change { kind, before, after }) = steadiness(&samples.run(), TOLERANCE, 1) else {
        panic!("the trend was not detected")
    };
    assert_eq!(kind, ChangeKind::Trend);
    assert!((before - 10.0).abs() < 0.1 && (after - 11.0).abs() < 0.1, "{before} to {after}");
}

#[test]
fn too_few_samples_have_unknown_steadiness() {
    let of = |blocks, size| {
        let samples = Samples::independent(blocks, size, || 10.0);
        steadiness(&samples.run(), TOLERANCE, 1)
    };
    assert_eq!(steadiness(&RunTimes::without_overhead(&[], &[]), TOLERANCE, 1), Steadiness::Unknown);
    assert_eq!(of(29, 1), Steadiness::Unknown);
    assert_eq!(of(7, 100), Steadiness::Unknown);
    assert_eq!(of(30, 1), Steadiness::Steady);
    assert_eq!(of(8, 4), Steadiness::Steady);
}

#[test]
fn changes_below_the_tolerance_are_not_reported() {
    let samples = noisy(&mut rng(5), 16, 20, 0.0005, 0.0, |index| if index < 100 { 10.0 } else { 10.02 });
    assert_eq!(steadiness(&samples.run(), 0.003, 1), Steadiness::Steady);
    assert!(matches!(steadiness(&samples.run(), 0.001, 1), Steadiness::Changed(_)));
}
