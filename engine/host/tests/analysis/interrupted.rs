//! Comparisons of builds with accepted results while other programs interrupt some of the processes.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::history::verdict::{BuildChange, ChangeRule};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::response::{Run, Sample};
use rand::RngExt as _;

use super::simulation::{allowance, normal, rng, simulations, uniform};

/// The time that a process measures, in nanoseconds.
const MEASURED: f64 = 60e6;

const PROCESSES: usize = 10;

/// How the samples of a function vary, and how other programs interrupt them.
#[derive(Clone, Copy)]
struct World {
    name: &'static str,
    /// The median time of a sample in nanoseconds.
    time: f64,
    /// The standard deviation of its logarithm.
    variation: f64,
    /// The share of processes that another program disturbs.
    disturbed: f64,
    /// The time between two interruptions of such a process, and the time that one takes, in nanoseconds.
    interruption: fn(&mut Rng) -> [f64; 2],
    /// The least percentage of slowdowns by 10% that are found.
    found: f64,
}

/// Both programs get the processor in turn.
fn in_turn(_: &mut Rng) -> [f64; 2] {
    [4e6, 4e6]
}

/// Rare interruptions, a few of which take very long: a Pareto distribution without a variance.
fn heavy_tailed(rng: &mut Rng) -> [f64; 2] {
    [-5e6 * uniform(rng).ln(), 2e5 * uniform(rng).powf(-1.0 / 1.5)]
}

const SORT: World =
    World { name: "a sort, in turn", time: 1.4e5, variation: 0.03, disturbed: 0.2, interruption: in_turn, found: 90.0 };

const WORLDS: [World; 6] = [
    SORT,
    World { name: "a sort, half of the processes", disturbed: 0.5, ..SORT },
    World { name: "a sort, heavy-tailed", interruption: heavy_tailed, ..SORT },
    World { name: "varying times, heavy-tailed", time: 2e4, variation: 0.3, interruption: heavy_tailed, ..SORT },
    // These times vary too much to exclude the interrupted ones.
    World { name: "skewed times, in turn", time: 2e5, variation: 1.0, found: 0.0, ..SORT },
    World { name: "long calls, in turn", time: 3e6, variation: 0.1, found: 0.0, ..SORT },
];

/// The samples of a process. `factor`: how much longer the function takes.
fn process(world: &World, factor: f64, rng: &mut Rng) -> Run {
    let is_disturbed = rng.random_bool(world.disturbed);
    let next = |rng: &mut Rng| match is_disturbed {
        true => (world.interruption)(rng),
        false => [-5e8 * uniform(rng).ln(), 1e5],
    };
    let mean = factor * world.time * (1.0 + 0.005 * normal(rng));
    let (mut samples, mut used) = (Vec::new(), 0.0);
    let [mut wait, mut lost] = next(rng);
    wait *= uniform(rng);
    while used < MEASURED {
        let time = mean * (world.variation * normal(rng)).exp();
        let mut sample = Sample { elapsed: time, ..Sample::default() };
        wait -= time;
        while wait < 0.0 {
            sample.elapsed += lost;
            sample.interrupted = true;
            let [until_next, taken] = next(rng);
            wait += until_next;
            lost = taken;
        }
        used += time;
        samples.push(sample);
    }
    let blocks = vec![samples.len() as u32];
    Run::of_single_calls(samples, blocks, Stability::Settled)
}

/// The statistic of each process of a build.
fn build(world: &World, factor: f64, rng: &mut Rng, mean: fn(&Run) -> Option<f64>) -> Vec<f64> {
    (0..PROCESSES).filter_map(|_| mean(&process(world, factor, rng))).collect()
}

fn plain_mean(run: &Run) -> Option<f64> {
    let times = run.times();
    Some(times.iter().sum::<f64>() / times.len() as f64)
}

/// The percentage of builds, slower by this factor, that the comparison with three accepted results finds to have changed.
fn found(world: &World, factor: f64, mean: fn(&Run) -> Option<f64>) -> (f64, u32) {
    let count = simulations(150);
    let rule = ChangeRule { confidence: 0.99, minimum_effect: 0.01 };
    let mut rng = rng(55);
    let mut found = 0;
    for _ in 0..count {
        let histories: Vec<Vec<f64>> = (0..3).map(|_| build(world, 1.0, &mut rng, mean)).collect();
        let histories: Vec<&[f64]> = histories.iter().map(Vec::as_slice).collect();
        let verdict = rule.verdict(&histories, &build(world, factor, &mut rng, mean)).expect("each build has means");
        found += u32::from(matches!(verdict.change, BuildChange::Slower | BuildChange::Faster));
    }
    (100.0 * f64::from(found) / f64::from(count), count)
}

#[test]
fn interrupted_processes_cause_no_false_alarms_and_hide_no_slowdowns() {
    for world in WORLDS {
        let (false_alarms, count) = found(&world, 1.0, Run::undisturbed_mean);
        let slowdowns = found(&world, 1.1, Run::undisturbed_mean).0;
        let with_all = found(&world, 1.1, plain_mean).0;
        println!(
            "{}: {false_alarms:.1}% false alarms; {slowdowns:.1}% of slowdowns by 10% found, {with_all:.1}% by the means of all samples",
            world.name
        );
        assert!(false_alarms <= 1.0 + allowance(1.0, count), "{}: {false_alarms}%", world.name);
        assert!(slowdowns >= world.found, "{}: {slowdowns}%", world.name);
    }
}
