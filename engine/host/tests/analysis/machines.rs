//! The coverage of the ratios of two machines, by simulation; docs/statistics.md states these numbers.
//!
//! `cargo test -p benchbook-host --test analysis machines:: -- --nocapture` prints all of them.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::machine_ratio::{TimeEstimate, machine_ratio};
use benchbook_host::analyze::rank::certain_order;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, Summary, summarize};

use crate::simulation::{Distribution, LOGNORMAL, NORMAL, PARETO_3, REPEATS, STUDENT_3, Samples, coverage, rng, share};

/// The figures of independent samples: 16 blocks of this size.
fn summary(distribution: Distribution, size: u32, rng: &mut Rng) -> Summary {
    let samples = Samples::independent(16, size, || (distribution.draw)(rng));
    let basis = Basis {
        runs: &[samples.run()],
        calls: 1,
        step_per_call: 0.0,
        uninterrupted_mean: None,
        quartiles_withheld: false,
        stability: Stability::Settled,
    };
    summarize(&basis).expect("there are samples")
}

/// A statistic and its name.
type NamedStatistic = (&'static str, fn(&Summary) -> TimeEstimate);

fn median(summary: &Summary) -> TimeEstimate {
    TimeEstimate { value: summary.median.expect("it is not withheld"), interval: summary.median_interval }
}

fn mean(summary: &Summary) -> TimeEstimate {
    TimeEstimate { value: summary.mean, interval: summary.mean_interval }
}

#[test]
fn intervals_of_the_ratio_cover_it() {
    let statistics: [NamedStatistic; 2] = [("medians", median), ("means", mean)];
    for distribution in [NORMAL, LOGNORMAL, STUDENT_3, PARETO_3] {
        for (name, statistic) in statistics {
            for (browser, native) in [(3, 20), (20, 20)] {
                let mut rng = rng(1);
                // Both machines have the same distribution, so that the ratio is 1.
                let covered = coverage(1.0, || {
                    let [browser, native] =
                        [browser, native].map(|size| statistic(&summary(distribution, size, &mut rng)));
                    machine_ratio(browser, native)?.interval
                });
                println!("{name}, {}, 16 × {browser} and 16 × {native}: {covered:.1} %", distribution.name);
                assert!((93.0..=98.5).contains(&covered), "{name}, {}: {covered} %", distribution.name);
            }
        }
    }
}

#[test]
fn equal_functions_rarely_have_a_certain_order() {
    let mut rng = rng(2);
    let ordered = share(REPEATS, || {
        let [one, other] = [(); 2].map(|()| median(&summary(NORMAL, 20, &mut rng)).interval);
        certain_order(one, other).is_ne()
    });
    println!("equal functions with a certain order: {ordered:.2} %");
    assert!(ordered < 1.0, "{ordered} %");
}
