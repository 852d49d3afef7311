//! The coverage of the ratios of two machines, by simulation; docs/coverage.md has these numbers.
//!
//! `BENCHBOOK_SIMULATIONS=10000 cargo test -p benchbook-host --test host machines:: -- --nocapture` prints all of them.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::machine_ratio::{TimeEstimate, machine_ratio};
use benchbook_host::analyze::rank::certain_order;
use benchbook_host::analyze::statistics::{Basis, Summary, summarize};

use super::simulation::{Distribution, LOGNORMAL, NORMAL, PARETO_3, STUDENT_3, Samples, repeats, rng, share};

/// The figures of independent samples: 16 blocks of this size.
fn summary(distribution: Distribution, size: u32, rng: &mut Rng) -> Summary {
    let samples = Samples::independent(16, size, || (distribution.draw)(rng));
    summarize(&Basis::of(&[samples.run()], 1)).expect("there are samples")
}

fn median(summary: &Summary) -> TimeEstimate {
    TimeEstimate { value: summary.median.expect("it is not unavailable"), interval: summary.median_interval }
}

fn mean(summary: &Summary) -> TimeEstimate {
    TimeEstimate { value: summary.mean, interval: summary.mean_interval }
}

#[test]
fn intervals_of_the_ratio_cover_it() {
    for distribution in [NORMAL, LOGNORMAL, STUDENT_3, PARETO_3] {
        for (browser, native) in [(3, 20), (20, 20)] {
            let (mut rng, mut covered) = (rng(1), [0, 0]);
            for _ in 0..repeats() {
                // Both machines have the same distribution, so that the ratio is 1.
                let [browser, native] = [browser, native].map(|size| summary(distribution, size, &mut rng));
                for (covered, statistic) in covered.iter_mut().zip([median, mean]) {
                    let interval =
                        machine_ratio(statistic(&browser), statistic(&native)).and_then(|ratio| ratio.interval);
                    *covered += u32::from(interval.is_some_and(|interval| interval.contains(1.0)));
                }
            }
            let covered = covered.map(|count| 100.0 * f64::from(count) / f64::from(repeats()));
            println!("medians, means, {}, 16 × {browser} and 16 × {native}: {covered:.1?}%", distribution.name);
            assert!(
                covered.iter().all(|covered| (93.0..=98.5).contains(covered)),
                "{}: {covered:?}",
                distribution.name
            );
        }
    }
}

#[test]
fn equal_functions_rarely_have_a_certain_order() {
    let mut rng = rng(2);
    let ordered = share(repeats(), || {
        let [one, other] = [(); 2].map(|()| median(&summary(NORMAL, 20, &mut rng)).interval);
        certain_order(one, other).is_ne()
    });
    println!("equal functions with a certain order: {ordered:.2}%");
    assert!(ordered < 1.0, "{ordered}%");
}
