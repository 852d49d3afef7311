//! The method as a whole, in many worlds: the sampler, the stopping rule and the analysis, driven by a simulated suite.
//!
//! A cell is a kind of noise, a host with a clock, and the time of a call. It has a few seeded repetitions, each with the intervals of two
//! functions, or as many as the variable `BENCHBOOK_SIMULATIONS` states; then all cells are simulated, otherwise a part of them.
//! docs/coverage.md has the tables, which the tests print.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;
use std::thread;

use super::fake::{Fake, Model, Spread, quality};
use super::worlds::{CALLS, CHANGING, Host, Noise, QUIET, STATIONARY, World};
use crate::analysis::simulation::{Share, simulations};
use benchbook_contract::parameter::Range;
use benchbook_host::analyze::equivalence::Decision;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::messages::quality_report::{Badge, CurvePoint, ReportedCurve, quality_report};
use benchbook_host::quality::Quality;
use benchbook_host::response::{MachineKind, MeasuredPoint, Point, Warning};

/// A single axis value.
const RANGE: Range = Range { low: 1.0, high: 1.0 };

/// The usual number of repetitions per cell.
const FEW_REPEATS: u32 = 16;

/// The number of repetitions from which on all cells are simulated.
const MANY_REPEATS: u32 = 100;

/// The least coverage of the intervals of a cell without a label, in percent.
const MIN_COVERAGE: f64 = 93.0;

/// The most false differences, and the most points of a cell that have a label without its cause, in percent.
const MAX_FALSE_DIFFERENCES: f64 = 6.0;
const MAX_FALSE_LABELS: f64 = 5.0;

/// Labels that are always right: they say what the interval is like.
const ALWAYS_RIGHT: [&str; 2] = ["imprecise", "not above zero"];

/// The most cells of stationary noise that have another label, in percent.
const MAX_LABELLED_CELLS: f64 = 10.0;

/// The share of a cell's points with a label from which the cell counts as labelled, in percent.
const LABELLED: f64 = 50.0;

/// What the user sees next to an uncertain result.
fn label(warning: &Warning) -> Option<&'static str> {
    Some(match warning {
        Warning::Imprecise { .. } => "imprecise",
        Warning::Unsettled => "not settled",
        Warning::Changed { .. } => "changed",
        Warning::Interrupted { .. } => "interrupted",
        Warning::Skewed => "skewed",
        Warning::TwoLevels(_) => "two levels",
        Warning::Correlated => "correlated",
        Warning::BatchStart { .. } => "batch start",
        Warning::LateChange { .. } => "late change",
        Warning::SlowMachine { .. } => "slow machine",
        Warning::BelowResolution { .. } => "not above zero",
        _ => return None,
    })
}

/// The outcome of a cell: two functions with the same true time, measured together.
#[derive(Default)]
struct Cell {
    mean: Share,
    median: Share,
    different: Share,
    labels: BTreeMap<&'static str, u32>,
    /// The points with any label.
    labelled: Share,
}

impl Cell {
    fn simulate(world: &World, repeats: u32) -> Self {
        let mut cell = Self::default();
        for repeat in 1..=repeats {
            let points = world.measure(&[1.0, 1.0], RANGE, repeat);
            points.iter().filter_map(Point::measured).for_each(|measured| cell.add(world, measured));
            let comparisons = comparisons(&Fake::paths(2), None, &points);
            if let Some(interval) = comparisons[0].ratios[0].interval {
                cell.different.count(!interval.contains(1.0));
            }
        }
        cell
    }

    fn add(&mut self, world: &World, measured: &MeasuredPoint) {
        let summary = &measured.summary;
        if let Some(interval) = summary.mean_interval {
            self.mean.count(interval.contains(world.mean()));
        }
        if let Some((interval, truth)) = summary.median_interval.zip(world.median()) {
            self.median.count(interval.contains(truth));
        }
        let labels: BTreeSet<&str> = measured.warnings.iter().filter_map(label).collect();
        self.labelled.count(!labels.is_empty());
        labels.into_iter().for_each(|label| *self.labels.entry(label).or_default() += 1);
    }

    /// The share of points with a label.
    fn share_of(&self, label: &str) -> Share {
        Share { hits: self.labels.get(label).copied().unwrap_or_default(), of: self.labelled.of }
    }

    fn is_labelled(&self) -> bool {
        self.labelled.percent() >= LABELLED
    }

    /// The label of most points.
    fn main_label(&self) -> &'static str {
        self.labels.iter().max_by_key(|(_, count)| **count).map_or("", |(label, _)| label)
    }

    /// What is wrong with it: a statement of the method that does not hold.
    fn faults(&self, noise: &Noise) -> Vec<String> {
        let mut faults = Vec::new();
        for (what, share) in [("mean", self.mean), ("median", self.median)] {
            if !self.is_labelled() && share.is_below(MIN_COVERAGE) {
                faults.push(format!("{what} covered in {share}"));
            }
        }
        if self.different.is_above(MAX_FALSE_DIFFERENCES) {
            faults.push(format!("false differences in {}", self.different));
        }
        for label in self.labels.keys().filter(|label| !ALWAYS_RIGHT.contains(label) && !noise.causes.contains(label)) {
            if self.share_of(label).is_above(MAX_FALSE_LABELS) {
                faults.push(format!("\"{label}\" at {}", self.share_of(label)));
            }
        }
        faults
    }
}

/// The cells of some kinds of noise, in the order of the tables.
fn cells(noises: &'static [Noise], repeats: u32) -> Vec<(World, Cell)> {
    let mut worlds: Vec<World> = Vec::new();
    for noise in noises {
        for host in Host::all() {
            worlds.extend(CALLS.map(|per_call| World { noise, per_call, host }));
        }
    }
    worlds.retain(World::exists);
    if repeats < MANY_REPEATS {
        worlds = worlds.into_iter().filter(World::is_quick).step_by(SKIPPED).collect();
    }
    let (next, done) = (Mutex::new(worlds.into_iter().enumerate()), Mutex::new(BTreeMap::new()));
    let simulate = || {
        // The lock is not held while a cell is simulated.
        while let Some((index, world)) = { next.lock().expect("no thread panicked").next() } {
            let cell = Cell::simulate(&world, repeats);
            done.lock().expect("no thread panicked").insert(index, (world, cell));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(simulate);
        }
    });
    done.into_inner().expect("no thread panicked").into_values().collect()
}

/// With few repetitions, one cell of so many is simulated: a number without a common divisor with those of clocks, priorities and calls.
const SKIPPED: usize = 7;

/// Asserts the statements of the method for some kinds of noise, and prints a table: for each kind of noise and each clock, the least coverage of mean
/// and median and the most false differences, and what the labels of cells with less coverage say.
#[track_caller]
fn assert_method_holds(noises: &'static [Noise], max_labelled: f64) {
    let cells = cells(noises, simulations(FEW_REPEATS));
    let mut faults = String::new();
    for (world, cell) in &cells {
        for fault in cell.faults(world.noise) {
            faults += &format!("{world}: {fault}\n");
        }
    }
    println!("{}", CoverageTable(&cells));
    println!("{}", LabelTable(&cells));
    let is_marked = |cell: &Cell| {
        let labels = cell.labels.keys().filter(|label| !ALWAYS_RIGHT.contains(label));
        { labels }.any(|label| cell.share_of(label).percent() >= LABELLED)
    };
    let mut marked = Share::default();
    cells.iter().for_each(|(_, cell)| marked.count(is_marked(cell)));
    println!("cells with a label that is not always right: {marked}");
    assert!(faults.is_empty(), "{faults}");
    assert!(!marked.is_above(max_labelled), "labelled cells: {marked}");
}

/// A table of the least coverage and the most false differences.
struct CoverageTable<'a>(&'a [(World, Cell)]);

impl fmt::Display for CoverageTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| noise | clock | mean | median | different | labelled |")?;
        writeln!(f, "| --- | --- | ---: | ---: | ---: | --- |")?;
        for group in self.0.chunk_by(|(one, _), (other, _)| one.row() == other.row()) {
            let (name, clock) = group[0].0.row();
            let unlabelled = || group.iter().map(|(_, cell)| cell).filter(|cell| !cell.is_labelled());
            let least = |share: fn(&Cell) -> Share| {
                let all = unlabelled().map(share).filter(|share| share.of > 0);
                all.min_by(|one, other| one.percent().total_cmp(&other.percent())).unwrap_or_default()
            };
            let most = group.iter().map(|(_, cell)| cell.different);
            let most = most.max_by(|one, other| one.percent().total_cmp(&other.percent())).unwrap_or_default();
            let labelled: Vec<&Cell> = group.iter().map(|(_, cell)| cell).filter(|cell| cell.is_labelled()).collect();
            let labels: BTreeSet<&str> = labelled.iter().map(|cell| cell.main_label()).collect();
            let labels = labels.into_iter().collect::<Vec<_>>().join(", ");
            let of = format!("{} of {} {labels}", labelled.len(), group.len());
            writeln!(
                f,
                "| {name} | {clock} | {} | {} | {most} | {of} |",
                least(|cell| cell.mean),
                least(|cell| cell.median)
            )?;
        }
        Ok(())
    }
}

/// A table of the labels: how many points of each kind of noise have them.
struct LabelTable<'a>(&'a [(World, Cell)]);

impl fmt::Display for LabelTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: BTreeSet<&str> = self.0.iter().flat_map(|(_, cell)| cell.labels.keys().copied()).collect();
        writeln!(f, "| noise | {} |", labels.iter().copied().collect::<Vec<_>>().join(" | "))?;
        writeln!(f, "| --- |{}", " ---: |".repeat(labels.len()))?;
        for group in self.0.chunk_by(|(one, _), (other, _)| one.noise.name == other.noise.name) {
            write!(f, "| {} |", group[0].0.noise.name)?;
            for label in &labels {
                let mut share = Share::default();
                for (_, cell) in group {
                    let one = cell.share_of(label);
                    share = Share { hits: share.hits + one.hits, of: share.of + one.of };
                }
                write!(f, " {share} |")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[test]
fn method_holds_under_stationary_noise() {
    assert_method_holds(&STATIONARY, MAX_LABELLED_CELLS);
}

#[test]
fn method_holds_or_warns_if_times_change() {
    assert_method_holds(&CHANGING, 100.0);
}

/// The least share of good points in the quiet world, in percent.
const MIN_GOOD: f64 = 80.0;

/// Over all clocks, calls and priorities. What remains are mostly calls of 1 ns, which miss the target.
#[test]
fn most_points_of_a_quiet_world_are_good() {
    let repeats = simulations(4);
    let mut all = Share::default();
    for host in Host::all() {
        let mut of_host = Share::default();
        for per_call in CALLS {
            let world = World { noise: &QUIET, per_call, host };
            if repeats < MANY_REPEATS && !world.is_quick() {
                continue;
            }
            for repeat in 1..=repeats {
                for point in world.measure(&[1.0], RANGE, repeat) {
                    let measured = point.measured().expect("it is measured");
                    let points = vec![CurvePoint { x: &point.x, measured, slow_first: None }];
                    let curve = ReportedCurve { name: "f", points };
                    let report = quality_report(&[curve], "", MachineKind::Browser).expect("there is a point");
                    of_host.count(report.badge == Badge::Good);
                }
            }
        }
        println!("{host:?}: {of_host} good");
        all = Share { hits: all.hits + of_host.hits, of: all.of + of_host.of };
    }
    println!("all: {all} good");
    assert!(!all.is_below(MIN_GOOD), "{all}");
}

/// The share of curves of equal functions in which some ratio is found to differ from 1.
fn different_curves(world: &World, functions: usize, points: f64) -> Share {
    let range = Range { low: 1.0, high: points };
    let axis = Fake::new(vec![Model::default()]).plan(range).axis().cloned();
    let mut share = Share::default();
    for repeat in 1..=simulations(FEW_REPEATS) {
        let measured = world.measure(&vec![1.0; functions], range, repeat);
        let comparisons = comparisons(&Fake::paths(functions), axis.as_ref(), &measured);
        let mut ratios = comparisons.iter().flat_map(|comparison| &comparison.ratios).filter_map(|at| at.interval);
        share.count(ratios.any(|interval| !interval.contains(1.0)));
    }
    share
}

/// What a process does to a function, it does at each axis value.
#[test]
fn four_equal_functions_are_rarely_found_to_differ_if_processes_vary() {
    let noise = STATIONARY.iter().find(|noise| noise.name == "processes vary by 1.5%").expect("it is in the table");
    let world = World { noise, per_call: 200e3, host: Host::Page(4, 5e3) };
    for (functions, points) in [(4, 1.0), (4, 5.0), (2, 9.0)] {
        let share = different_curves(&world, functions, points);
        println!("{functions} functions at {points} values: {share}");
        assert!(!share.is_above(MAX_FALSE_DIFFERENCES), "{functions} functions at {points} values: {share}");
    }
}

/// Functions with the same mean, of which one has another distribution, so that its median is less.
#[test]
fn means_that_contradict_the_medians_are_reported() {
    let spreads = [Spread::Lognormal(0.05), Spread::TwoModes(0.1, 1.0), Spread::TwoModes(0.2, 0.5)];
    for (index, &one) in spreads.iter().enumerate() {
        // The noise of two skewed functions may hide the contradiction.
        for &other in spreads[index..].iter().filter(|&&other| index == 0 || other == one) {
            let mut contradicting = Share::default();
            for host in [Host::Page(2, 5e3), Host::Page(3, 20e3), Host::Page(4, 5e3)] {
                for repeat in 1..=simulations(FEW_REPEATS) {
                    let model = |spread| Model { per_call: 200e3, noise: 0.0, spread, ..Model::default() };
                    let mut fake = Fake::new(vec![model(one), model(other)]);
                    (fake.random, fake.inputs_seed) = (u64::from(repeat) << 32, u64::from(repeat));
                    fake.resolution = host.clock();
                    let points = fake.measure_at(host.quality(), RANGE);
                    let comparison = comparisons(&Fake::paths(2), None, &points).swap_remove(0);
                    contradicting.count(comparison.ratios[0].contradicting_means.is_some());
                }
            }
            println!("{one:?} and {other:?}: {contradicting}");
            match one == other {
                true => assert!(!contradicting.is_above(1.0), "{one:?}: {contradicting}"),
                false => assert!(!contradicting.is_below(50.0), "{one:?} and {other:?}: {contradicting}"),
            }
        }
    }
}

/// One function takes 2% longer than the other, twice the margin.
#[test]
fn different_functions_are_rarely_found_to_be_the_same() {
    const MARGIN: f64 = 0.01;
    const MAX_FALSE_EQUIVALENCE: f64 = 1.0;
    for noise in [&QUIET, &STATIONARY[1], &STATIONARY[7]] {
        for host in [Host::Page(2, 5e3), Host::Page(3, 100e3), Host::Page(4, 20e3)] {
            let world = World { noise, per_call: 200e3, host };
            let mut same = Share::default();
            for repeat in 1..=simulations(FEW_REPEATS) {
                let points = world.measure(&[1.0, 1.0 + 2.0 * MARGIN], RANGE, repeat);
                let comparison = comparisons(&Fake::paths(2), None, &points).swap_remove(0);
                same.count(comparison.ratios[0].decide(MARGIN) == Some(Decision::Same));
            }
            println!("{world}: {same} the same");
            assert!(!same.is_above(MAX_FALSE_EQUIVALENCE), "{world}: {same}");
        }
    }
}

#[test]
fn each_process_has_its_own_inputs_and_order() {
    let mut fake = Fake::new(vec![Model { spread: Spread::Lognormal(0.05), per_call: 3e3, ..Model::default() }; 2]);
    fake.measure_in_processes(4, RANGE);
    let blocks: Vec<_> = fake.blocks().map(|(block, _)| block).collect();
    // Those of a process are numbered from a multiple of this.
    let processes = blocks.chunk_by(|one, other| one.input_set >> 20 == other.input_set >> 20);
    let first: Vec<_> = processes.map(|blocks| (blocks[0].input_set, blocks[0].turns.clone())).collect();
    assert_eq!(first.len(), 5, "{first:?}");
    for (index, (input_set, turns)) in first.iter().enumerate() {
        assert!(first[..index].iter().all(|(other_set, other)| other_set != input_set && other != turns), "{first:?}");
    }
}

/// Ratios from several processes have few degrees of freedom each, but share those of the whole curve.
#[test]
fn ratios_of_the_runner_are_not_less_certain_than_those_of_a_page() {
    let curve = Range { low: 1.0, high: 9.0 };
    let axis = Fake::new(vec![Model::default()]).plan(curve).axis().cloned();
    let width = |host| {
        let world = World { noise: &STATIONARY[1], per_call: 3e3, host };
        let points = world.measure(&[1.0; 4], curve, 1);
        let comparisons = comparisons(&Fake::paths(4), axis.as_ref(), &points);
        let widths = comparisons[0].ratios.iter().filter_map(|at| at.interval).map(|Interval { low, high }| high - low);
        widths.sum::<f64>() / points.len() as f64
    };
    let (page, runner) = (width(Host::Page(3, 5e3)), width(Host::Runner));
    assert!(runner <= page, "the intervals' mean width is {runner} instead of {page}");
}

/// The nanoseconds per call, the resolution of the clock in nanoseconds, and the milliseconds that a point took to ±1% with
/// the method's first version, in the same simulation: batches vary evenly by up to 8.66%, a standard deviation of 5%.
const TIME_TO_ONE_PER_CENT: [(f64, f64, f64); 4] =
    [(50.0, 30.0, 707.0), (3e3, 30.0, 909.0), (3e3, 5e3, 917.0), (2e6, 5e3, 917.0)];

#[test]
fn one_per_cent_takes_at_most_a_third_longer_than_with_the_first_version() {
    const REPEATS: u32 = 12;
    for (per_call, resolution, before) in TIME_TO_ONE_PER_CENT {
        let mut nanos = 0.0;
        for repeat in 1..=REPEATS {
            let mut fake = Fake::new(vec![Model { per_call, noise: 0.0866, ..Model::default() }]);
            fake.resolution = resolution;
            fake.random = u64::from(repeat) << 32;
            let quality = Quality { precision: 0.01, processes: 1, ..quality(4) };
            let settings = fake.settings(quality, RANGE);
            let points = fake.measure_with(settings);
            assert!(points.iter().all(|point| {
                let reached = point.measured().expect("it is measured").summary.relative_half_width;
                reached.is_some_and(|reached| reached <= 0.01)
            }));
            nanos += fake.log.iter().map(|(_, nanos)| nanos).sum::<f64>() / points.len() as f64;
        }
        let ms = nanos / f64::from(REPEATS) / 1e6;
        println!("{per_call} ns per call, clock of {resolution} ns: {ms:.0} ms, {:.2} times as long", ms / before);
        assert!(ms <= 1.3 * before, "{per_call} ns per call: {ms:.0} instead of {before} ms");
    }
}
