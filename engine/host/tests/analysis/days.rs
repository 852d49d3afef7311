//! Comparisons with accepted results of several days: against SciPy, and with simulated machines that differ from day to day.

use benchbook_contract::rng::Rng;
use benchbook_host::analyze::history::days::{
    AcrossDays, DayChange, DayComparison, Occasion, PointHistory, compare_days,
};
use benchbook_host::analyze::history::holm::{BuildComparison, ComparisonBasis, verdicts};
use benchbook_host::analyze::history::verdict::{BuildChange, DayDoubt, Verdict};

use super::simulation::{Share, normal, rng, simulations, uniform};

const DAY: f64 = 86_400.0;

const PROCESSES: usize = 10;

/// A function measured on some days, the last of which is that of the check.
struct Function {
    /// For each point and each day, the means of the processes.
    points: Vec<Vec<Vec<f64>>>,
}

/// The days of a machine.
struct Days {
    functions: Vec<Function>,
    /// The time of the reference kernel on each day; empty if it was not timed.
    kernel: Vec<Vec<f64>>,
}

impl Days {
    fn histories(&self) -> Vec<PointHistory<'_>> {
        let mut histories = Vec::new();
        for (function, one) in self.functions.iter().enumerate() {
            for point in &one.points {
                let occasion = |day: usize| Occasion {
                    measured: DAY * day as f64 + 60.0 * function as f64,
                    means: &point[day],
                    kernel: self.kernel.get(day).map_or(&[][..], Vec::as_slice),
                };
                let mut accepted: Vec<Occasion<'_>> = (0..point.len()).map(occasion).collect();
                let now = accepted.pop().expect("the day of the check");
                histories.push(PointHistory { function, accepted, now });
            }
        }
        histories
    }

    fn compared(&self) -> DayComparison {
        compare_days(&self.histories())
    }

    /// The verdicts of a check at the default confidence, the last of which is that of all functions together, if there is one.
    fn verdicts(&self) -> Vec<Verdict> {
        let histories = self.histories();
        let DayComparison { points, all_functions } = compare_days(&histories);
        let of_points = histories.iter().zip(&points).map(|(history, days)| ComparisonBasis::Histories {
            histories: history.accepted.iter().map(|accepted| accepted.means).collect(),
            build: history.now.means,
            days: *days,
        });
        let bases = of_points.chain(all_functions.map(ComparisonBasis::AllFunctions));
        let comparisons: Vec<BuildComparison<'_>> =
            bases.map(|basis| BuildComparison { basis, minimum_effect: 0.01 }).collect();
        verdicts(0.99, &comparisons).verdicts.into_iter().map(|verdict| verdict.expect("it is possible")).collect()
    }
}

/// The logarithms of eight functions on three days and now, relative to their own levels, as in the script that computed the expected values.
const LEVELS: [f64; 8] = [100.0, 250.0, 40.0, 1_000.0, 7.0, 60.0, 3.0, 500.0];
const DEVIATIONS: [[f64; 4]; 8] = [
    [0.01, -0.02, 0.005, 0.02],
    [0.0, 0.01, -0.015, 0.0],
    [0.02, 0.02, -0.01, 0.11],
    [-0.01, 0.0, 0.01, 0.01],
    [0.005, 0.015, -0.02, -0.01],
    [0.0, -0.01, 0.02, 0.005],
    [0.01, 0.0, 0.0, -0.02],
    [-0.02, 0.01, 0.03, 0.0],
];
const MACHINE: [f64; 4] = [0.0, 0.03, -0.01, 0.02];
const KERNEL: [f64; 4] = [0.0, 0.02, -0.02, 0.01];

/// Days of some of these functions.
fn example(functions: &[usize], with_kernel: bool) -> Days {
    let point = |&function: &usize| {
        let day = |day: usize| vec![LEVELS[function] * (DEVIATIONS[function][day] + MACHINE[day]).exp(); 2];
        Function { points: vec![(0..4).map(day).collect()] }
    };
    let kernel = KERNEL.iter().filter(|_| with_kernel).map(|ln| vec![2_000.0 * ln.exp(); 2]).collect();
    Days { functions: functions.iter().map(point).collect(), kernel }
}

#[track_caller]
fn assert_change(actual: DayChange, ln_ratio: f64, error: f64, freedom: u32) {
    let is_close = |actual: f64, expected: f64| (actual - expected).abs() < 1e-9 * expected.abs().max(1e-6);
    let expected = is_close(actual.ln_ratio, ln_ratio) && is_close(actual.error, error);
    assert!(expected && actual.freedom == freedom, "{actual:?}");
}

fn change(days: AcrossDays) -> DayChange {
    match days {
        AcrossDays::Change(change) => change,
        other => panic!("{other:?}"),
    }
}

/// From NumPy and SciPy, with `digamma` of `scipy.special`, the logarithms above, and `scipy.stats.t.interval(0.99, 7, …)`.
#[test]
fn changes_across_days_match_scipy() {
    let all: Vec<usize> = (0..8).collect();
    let compared = example(&all, true).compared();
    assert_change(change(compared.points[0]), 0.017_499_999_999_999_478, 0.024_851_388_223_060_1, 7);
    assert_change(change(compared.points[2]), 0.095_833_333_333_333_66, 0.023_877_129_402_093_262, 7);
    let interval = change(compared.points[2]).difference(0.99).interval;
    assert!((interval.low / 0.012_351_373_685_619_782 - 1.0).abs() < 1e-6, "{interval:?}");
    assert!((interval.high / 0.196_488_418_532_320_57 - 1.0).abs() < 1e-6, "{interval:?}");
    let all_functions = compared.all_functions.expect("the kernel was timed");
    assert_change(all_functions, 0.007_499_999_999_999_479, 0.024_766_806_247_075_8, 5);
    // Without the kernel, the median remains.
    let without = example(&all, false).compared();
    assert_eq!((without.points, without.all_functions), (compared.points, None));
}

/// A single function, relative to the kernel: from the same script.
#[test]
fn fewer_functions_are_compared_by_the_reference_kernel() {
    let compared = example(&[2], true).compared();
    assert_change(change(compared.points[0]), 0.103_333_333_333_333_12, 0.022_015_511_794_036_435, 2);
    assert_eq!(compared.all_functions, None);
    assert_eq!(example(&[0, 1, 2], false).compared().points, [AcrossDays::NoReference; 3]);
}

/// Eight functions of the same days, and one of other days, which has the kernel only.
#[test]
fn a_function_of_other_days_is_compared_by_the_reference_kernel() {
    let all: Vec<usize> = (0..8).collect();
    let days = example(&[&all[..], &[2]].concat(), true);
    let mut histories = days.histories();
    histories[8].accepted.iter_mut().for_each(|accepted| accepted.measured -= 100.0 * DAY);
    let points = compare_days(&histories).points;
    assert!((change(points[8]).ln_ratio - 0.103_333_333_333_333_12).abs() < 1e-9, "{:?}", points[8]);
    assert!((change(points[2]).ln_ratio - 0.095_833_333_333_333_66).abs() < 1e-9, "{:?}", points[2]);
    for history in &mut histories {
        history.now.kernel = &[];
    }
    assert_eq!(compare_days(&histories).points[8], AcrossDays::NoReference);
}

#[test]
fn results_within_twelve_hours_are_of_one_day() {
    let days = example(&[0, 1], true);
    let mut histories = days.histories();
    for history in &mut histories {
        history.accepted.truncate(2);
        history.accepted[1].measured = history.accepted[0].measured + 11.9 * 3_600.0;
    }
    assert_eq!(compare_days(&histories).points, [AcrossDays::SingleDay; 2]);
    histories[1].accepted[1].measured = 12.1 * 3_600.0;
    let points = compare_days(&histories).points;
    // The variance of the second one's days is known, and that of the first one is taken from it.
    assert!(matches!(points[..], [AcrossDays::Change(_), AcrossDays::Change(_)]), "{points:?}");
    assert_eq!(compare_days(&[]), DayComparison::default());
}

/// How the days of a simulated machine differ: a deviation with a mean square of 1.
type Deviation = fn(&mut Rng) -> f64;

/// A simulated machine.
#[derive(Clone, Copy)]
struct World {
    name: &'static str,
    /// How much the whole machine differs from day to day.
    machine: f64,
    /// How much a function differs from day to day by itself.
    function: f64,
    /// How much that differs between functions: the standard deviation of its logarithm.
    unequal: f64,
    deviation: Deviation,
}

const MILD: World = World { name: "the machine by 2%", machine: 0.02, function: 0.0, unequal: 0.0, deviation: normal };

/// The first four were in mind when the method was chosen.
const WORLDS: [World; 8] = [
    MILD,
    World { name: "each function by 2%", machine: 0.0, function: 0.02, ..MILD },
    World { name: "both by 2%", function: 0.02, ..MILD },
    World { name: "both, functions by 0.7 to 5%", function: 0.02, unequal: 0.5, ..MILD },
    World { name: "both, functions by 0.3 to 14%", function: 0.02, unequal: 1.0, ..MILD },
    World { name: "both, Student's t of 3", function: 0.02, deviation: student_3, ..MILD },
    World { name: "both, two levels", function: 0.02, deviation: two_levels, ..MILD },
    World { name: "5% of days 9% slower", function: 0.02, deviation: rarely, ..MILD },
];

/// The worlds in which at most 1% of runs are false alarms. In the others, docs/coverage.md states how many are.
const REGULAR: usize = 4;

fn student_3(rng: &mut Rng) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
    normal(rng) / squares.sqrt()
}

fn two_levels(rng: &mut Rng) -> f64 {
    if uniform(rng) < 0.3 { 1.53 } else { -0.65 }
}

fn rarely(rng: &mut Rng) -> f64 {
    0.3 * normal(rng) + if uniform(rng) < 0.05 { 4.4 } else { 0.0 }
}

impl World {
    /// Days of some functions with three points each. `changes`: for each function, its change now.
    fn days(self, rng: &mut Rng, accepted: usize, changes: &[f64], with_kernel: bool) -> Days {
        let machine: Vec<f64> = (0..=accepted).map(|_| self.machine * (self.deviation)(rng)).collect();
        let function = |change: &f64, rng: &mut Rng| {
            let spread = self.function * (self.unequal * normal(rng)).exp();
            let own: Vec<f64> = machine.iter().map(|machine| machine + spread * (self.deviation)(rng)).collect();
            let point = |rng: &mut Rng| {
                let day = |(day, own): (usize, &f64), rng: &mut Rng| {
                    let now = if day == accepted { *change } else { 0.0 };
                    let level = 100.0 * (own + now + 0.25 * spread * normal(rng)).exp();
                    (0..PROCESSES).map(|_| level * (1.0 + 0.01 * normal(rng))).collect()
                };
                own.iter().enumerate().map(|one| day(one, rng)).collect()
            };
            Function { points: (0..3).map(|_| point(rng)).collect() }
        };
        let functions = changes.iter().map(|change| function(change, rng)).collect();
        let kernel = |rng: &mut Rng| {
            machine.iter().map(|machine| vec![2_000.0 * (machine + 0.003 * normal(rng)).exp(); PROCESSES]).collect()
        };
        Days { functions, kernel: if with_kernel { kernel(rng) } else { Vec::new() } }
    }
}

fn is_change(verdict: &Verdict) -> bool {
    matches!(verdict.change, BuildChange::Slower | BuildChange::Faster)
}

/// The number of functions, and whether the kernel is timed.
const SIZES: [(usize, bool); 4] = [(1, true), (4, true), (8, false), (24, true)];

const ACCEPTED_DAYS: [usize; 4] = [2, 3, 5, 10];

/// At a confidence of 99%, on machines that differ from day to day: the first measurement only, which a second one of the same day confirms.
#[test]
fn false_alarms_across_days() {
    let count = simulations(20);
    for (index, world) in WORLDS.into_iter().enumerate() {
        for (functions, with_kernel) in SIZES {
            let mut row = String::new();
            for accepted in ACCEPTED_DAYS {
                let mut rng = rng((100 * index + accepted) as u64);
                let mut alarms = Share::default();
                for _ in 0..count {
                    let days = world.days(&mut rng, accepted, &vec![0.0; functions], with_kernel);
                    alarms.count(days.verdicts().iter().any(is_change));
                }
                row += &format!(" {alarms}");
                assert!(index >= REGULAR || !alarms.is_above(1.0), "{}, {functions} functions: {row}", world.name);
            }
            println!("| {} | {functions} |{row}", world.name);
        }
    }
}

/// One function of some is slower.
#[test]
fn slowdowns_are_found_across_days() {
    let count = simulations(20);
    for world in &WORLDS[..REGULAR] {
        for (functions, with_kernel) in SIZES {
            for accepted in ACCEPTED_DAYS {
                let mut row = String::new();
                let mut last = Share::default();
                for slowdown in [0.05, 0.1, 0.2, 0.4] {
                    let mut rng = rng(accepted as u64);
                    let mut found = Share::default();
                    let mut changes = vec![0.0; functions];
                    changes[0] = f64::ln(1.0 + slowdown);
                    for _ in 0..count {
                        let days = world.days(&mut rng, accepted, &changes, with_kernel);
                        found.count(days.verdicts()[..3].iter().any(|one| one.change == BuildChange::Slower));
                    }
                    row += &format!(" {found}");
                    last = found;
                }
                println!("| {} | {functions} | {accepted} days |{row}", world.name);
                assert!(functions < 4 || accepted < 5 || !last.is_below(90.0), "{}: {row}", world.name);
            }
        }
    }
}

/// Every function is slower, and the kernel is not.
#[test]
fn a_slowdown_of_all_functions_is_found_by_the_kernel() {
    let count = simulations(20);
    for (world, least) in [(MILD, 90.0), (WORLDS[2], 30.0)] {
        let mut rng = rng(5);
        let (mut all, mut single) = (Share::default(), Share::default());
        for _ in 0..count {
            let days = world.days(&mut rng, 5, &[f64::ln(1.2); 12], true);
            let verdicts = days.verdicts();
            let (together, points) = verdicts.split_last().expect("the kernel was timed");
            all.count(together.change == BuildChange::Slower);
            single.count(points.iter().any(is_change));
        }
        println!(
            "all twelve functions 20% slower, {}: found {all}, as changes of single functions {single}",
            world.name
        );
        assert!(!all.is_below(least) && !single.is_above(1.0), "{all} {single}");
    }
}

/// What the differences between processes alone would find in an unchanged build on another day.
#[test]
fn processes_of_one_day_say_nothing_about_another_day() {
    let count = simulations(200);
    for functions in [1, 8] {
        let mut rng = rng(7);
        let mut found = Share::default();
        for _ in 0..count {
            let days = MILD.days(&mut rng, 1, &vec![0.0; functions], true);
            found.count(days.verdicts().iter().any(|verdict| verdict.doubt == Some(DayDoubt::SingleDay)));
        }
        println!("one accepted day, {functions} functions: {found} of unchanged builds differ between processes");
        assert!(!found.is_below(30.0), "{found}");
    }
}

/// The accepted results are of one day, and the machine differs on another day: whatever the change, it is undecided.
#[test]
fn one_day_decides_nothing() {
    let mut rng = rng(6);
    for with_kernel in [true, false] {
        let days = WORLDS[2].days(&mut rng, 1, &[2.0; 9], with_kernel);
        for verdict in days.verdicts() {
            assert_eq!((verdict.change, verdict.doubt), (BuildChange::Undecided, Some(DayDoubt::SingleDay)));
        }
    }
    let unknown = WORLDS[2].days(&mut rng, 3, &[2.0; 7], false);
    assert!(unknown.verdicts().iter().all(|verdict| verdict.doubt == Some(DayDoubt::NoReference)));
}
