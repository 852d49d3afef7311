//! Two levels: how rarely samples with one mode are reported as two levels, and how often two levels are found.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::levels::{TwoLevels, two_levels};

use super::simulation::{
    Distribution, EXPONENTIAL, LOGNORMAL, NORMAL, PARETO_3, STUDENT_3, Samples, normal, repeats, rng, share, uniform,
};

/// The share of simulated runs with two levels, in percent.
fn found(what: &str, mut samples: impl FnMut(&mut Rng) -> Samples) -> f64 {
    let mut rng = rng(1);
    let found = share(repeats() / 10, || two_levels(&samples(&mut rng).run(), 0.0, 1).is_some());
    println!("{what}: two levels {found:.2}%");
    found
}

#[test]
fn samples_with_one_mode_are_rarely_reported() {
    const UNIFORM: Distribution = Distribution { name: "uniform", draw: |rng| 1.0 + uniform(rng), mean: 1.5 };
    for (blocks, size) in [(16, 1), (32, 1), (16, 20), (32, 100)] {
        for Distribution { name, draw, .. } in [NORMAL, LOGNORMAL, EXPONENTIAL, STUDENT_3, PARETO_3, UNIFORM] {
            let what = format!("{blocks} blocks of {size}, {name}");
            let found = found(&what, |rng| Samples::independent(blocks, size, || draw(rng)));
            assert!(found <= 0.5, "{what}: {found}%");
        }
    }
}

/// Samples whose level is that of their block, and which vary by 1%.
fn with_levels(rng: &mut Rng, blocks: u32, size: u32, level: impl Fn(&mut Rng) -> f64) -> Samples {
    let levels: Vec<f64> = (0..blocks).map(|_| level(rng)).collect();
    Samples::of(blocks, size, || (), |index, ()| levels[(index / size) as usize] * (1.0 + 0.01 * normal(rng)))
}

/// Inputs of many levels or of two, noise that lasts, and a single step.
#[test]
fn other_variations_are_rarely_reported() {
    type Draw = fn(&mut Rng, u32, u32) -> Samples;
    let table: [(&str, u32, u32, Draw); 8] = [
        ("inputs vary by 0.05", 16, 20, |rng, blocks, size| {
            with_levels(rng, blocks, size, |rng| 1.0 + 0.05 * normal(rng))
        }),
        ("inputs vary by 0.05", 32, 100, |rng, blocks, size| {
            with_levels(rng, blocks, size, |rng| 1.0 + 0.05 * normal(rng))
        }),
        ("inputs vary by 0.2", 32, 10, |rng, blocks, size| {
            with_levels(rng, blocks, size, |rng| 1.0 + 0.2 * normal(rng))
        }),
        ("half of the inputs take longer", 32, 20, |rng, blocks, size| {
            with_levels(rng, blocks, size, |rng| if uniform(rng) < 0.5 { 1.0 } else { 1.5 })
        }),
        ("each sample inherits 0.9", 32, 1, inheriting),
        ("each sample inherits 0.9", 32, 10, inheriting),
        ("each sample inherits 0.9", 32, 100, inheriting),
        ("a step", 32, 20, |rng, blocks, size| {
            let level = |index| if index >= 300 { 2.0 } else { 1.0 };
            Samples::of(blocks, size, || (), |index, ()| level(index) * (1.0 + 0.02 * normal(rng)))
        }),
    ];
    for (kind, blocks, size, draw) in table {
        let what = format!("{blocks} blocks of {size}, {kind}");
        let found = found(&what, |rng| draw(rng, blocks, size));
        assert!(found <= 0.5, "{what}: {found}%");
    }
}

fn inheriting(rng: &mut Rng, blocks: u32, size: u32) -> Samples {
    let mut noise = normal(rng);
    Samples::independent(blocks, size, || {
        noise = 0.9 * noise + 0.19_f64.sqrt() * normal(rng);
        1.0 + 0.1 * noise
    })
}

/// Samples that switch between 1.4 and 2.35 after this many samples on average.
fn switching(rng: &mut Rng, blocks: u32, size: u32, period: f64) -> Samples {
    let mut is_high = uniform(rng) < 0.4;
    Samples::independent(blocks, size, || {
        if uniform(rng) < 1.0 / period {
            is_high = uniform(rng) < 0.4;
        }
        (if is_high { 2.35 } else { 1.4 }) * (1.0 + 0.03 * normal(rng))
    })
}

#[test]
fn levels_between_which_times_switch_are_found() {
    for (blocks, size, period, least) in
        [(16, 20, 1.0, 99.0), (32, 10, 3.0, 90.0), (32, 100, 30.0, 90.0), (32, 500, 300.0, 80.0)]
    {
        let what = format!("{blocks} blocks of {size}, switching every {period}");
        let found = found(&what, |rng| switching(rng, blocks, size, period));
        assert!(found >= least, "{what}: {found}%");
    }
    let mut rng = rng(2);
    let samples = switching(&mut rng, 32, 100, 10.0);
    let TwoLevels { low, high, high_share } = two_levels(&samples.run(), 0.0, 1).expect("there are two");
    assert!((low - 1.4).abs() < 0.01 && (high - 2.35).abs() < 0.02, "{low} {high}");
    assert!((0.3..0.5).contains(&high_share), "{high_share}");
    // The clock cannot distinguish levels that are closer than four steps.
    assert_eq!(two_levels(&samples.run(), 0.25, 1), None);
}
