//! Measures the same functions with Benchbook and with other harnesses, and checks the goals of that comparison.
//!
//! The harnesses are programs of their own workspace, `tests/peers/`. Each measurement is a child process of one of them.

pub(crate) mod allocations;
mod benchbook;
mod browser;
mod browser_programs;
pub(crate) mod counts;
mod criterion;
mod divan;
mod divan_allocations;
mod environment;
mod figures;
mod goals;
mod harness;
pub(crate) mod profile;
mod programs;
mod publish;
mod records;
mod rows;
mod schedule;
mod statistics;
mod tables;
mod tango;
pub(crate) mod throughput;

use std::fs;
use std::thread::{available_parallelism, sleep};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use xtask::workspace::Workspace;

use goals::{PeerGoal, goals};
use harness::Harness;
use programs::{HISTORY, PeerPrograms};
use records::{PeerRecord, RecordStore};
use rows::{PairRow, PeerRow};
use schedule::{EXPERIMENTS, FUNCTIONS, PAIRS, PeerStep, QUICK_REPEATS, REPEATS, pause, steps};

/// Options of the comparison with other harnesses.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench peers                       all functions, 20 repeats: some hours; continues after an interruption
  cargo xtask bench peers --quick sum longer    one function and one comparison, 3 repeats
  cargo xtask bench peers --target wasm         in Chromium only
  cargo xtask bench peers --repeats 5 --every 6 mix sum
                                                a repeat of both functions every six minutes, for the interval of another day
  cargo xtask bench peers --fresh               after a change of Benchbook: deletes the results of earlier runs")]
pub(crate) struct PeerOptions {
    /// Repeat each measurement 3 times instead of 20; the results are approximate
    #[arg(long, conflicts_with = "repeats")]
    quick: bool,
    /// How many times to repeat each measurement [default: 20]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    repeats: Option<u32>,
    /// Measure all functions in turn, and each again after so many minutes; from 6 on, each repeat is a new occasion for the interval of another
    /// day [default: the repeats of a function follow one another]
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=1_440))]
    every: Option<u32>,
    /// Delete the results of earlier runs instead of continuing
    #[arg(long)]
    fresh: bool,
    /// Also write the tables and plots to docs/peers/
    #[arg(long)]
    publish: bool,
    /// The index of the core that measures [default: the last one]
    #[arg(long)]
    core: Option<usize>,
    /// The target to measure; repeat it for both [default: both]
    #[arg(long = "target", value_name = "TARGET")]
    targets: Vec<Target>,
    /// The functions to measure, and the comparisons `longer` and `same` [default: all but the experiments]
    #[arg(value_name = "FUNCTION", value_parser = PossibleValuesParser::new(FUNCTIONS.into_iter().chain(EXPERIMENTS).chain(PAIRS)))]
    functions: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &PeerOptions) -> Result<()> {
    let is_chosen = |name: &&str| options.functions.is_empty() || options.functions.iter().any(|one| one == name);
    let is_named = |name: &&str| options.functions.iter().any(|one| one == name);
    let functions = FUNCTIONS.into_iter().filter(is_chosen).chain(EXPERIMENTS.into_iter().filter(is_named));
    let functions: Vec<&str> = functions.collect();
    let is_native = options.targets.is_empty() || options.targets.contains(&Target::Native);
    let pairs: Vec<&str> = PAIRS.into_iter().filter(|pair| is_native && is_chosen(pair)).collect();
    let repeats = options.repeats.unwrap_or(if options.quick { QUICK_REPEATS } else { REPEATS });
    let core = options.core.unwrap_or_else(|| available_parallelism().map_or(0, |count| count.get() - 1));

    let folder = workspace.target().join("bench-peers");
    let targets = if options.targets.is_empty() { Target::value_variants() } else { &options.targets };
    let points: Vec<Harness> = targets.iter().flat_map(|target| Harness::of_target(*target)).copied().collect();
    let programs = PeerPrograms::build(workspace, targets, &folder, core)?;
    let mut store = RecordStore::open(&folder.join("records.jsonl"), options.fresh)?;
    let history = folder.join(HISTORY);
    if options.fresh && history.exists() {
        fs::remove_file(&history).with_context(|| format!("failed to delete {}", history.display()))?;
    }
    let steps = steps(&functions, &points, &pairs, repeats, options.every.is_some());
    measure(&programs, &mut store, &steps, options.every)?;
    let (rows, pairs) = rows(&store, &functions, &points, &pairs, repeats);
    let goals = goals(&rows, &pairs);
    let report = report(&store, &rows, &pairs, &goals, repeats);
    print!("\n{report}");
    if options.publish {
        publish::publish(workspace, &report, &rows)?;
    }
    let missed: Vec<&str> = goals.iter().filter(|goal| !goal.misses.is_empty()).map(|goal| goal.text).collect();
    ensure!(missed.is_empty(), "goals missed (close other programs, then repeat with --fresh):\n{}", missed.join("\n"));
    Ok(())
}

/// Carries out the steps that have no record yet. `every`: the least number of minutes between two repeats of a function; comparisons wait
/// for nothing.
fn measure(programs: &PeerPrograms, store: &mut RecordStore, all: &[PeerStep], every: Option<u32>) -> Result<()> {
    let is_missing = |step: &&PeerStep| !store.contains(step.function, step.harness, step.repeat);
    let missing: Vec<PeerStep> = all.iter().filter(is_missing).copied().collect();
    eprintln!("{} of {} measurements are complete", all.len() - missing.len(), all.len());
    let machine = machine();
    for (index, PeerStep { function, harness, repeat }) in missing.iter().copied().enumerate() {
        let previous = store.previous(function, harness, repeat).filter(|_| !Harness::PAIRS.contains(&harness));
        if let Some((previous, every)) = previous.zip(every) {
            sleep(pause(previous.unix_seconds, unix_seconds()?, every));
        }
        let (load, unix_seconds) = (load(), unix_seconds()?);
        let (figures, wall_seconds) = programs
            .measure(function, harness, repeat)
            .with_context(|| format!("measuring `{function}` with {}", harness.title()))?;
        let title = harness.title();
        let estimate = if Harness::PAIRS.contains(&harness) {
            format!("{:.4}", figures.estimate)
        } else {
            tables::time(figures.estimate)
        };
        eprintln!("{} of {}: {function}, {title}, {repeat}: {estimate}, {wall_seconds:.1} s", index + 1, missing.len());
        let function = function.to_owned();
        let machine = machine.clone();
        store.add(PeerRecord { function, harness, repeat, figures, wall_seconds, load, unix_seconds, machine })?;
    }
    Ok(())
}

/// The results of the functions and of the comparisons that have any.
fn rows(
    store: &RecordStore,
    functions: &[&str],
    points: &[Harness],
    pairs: &[&str],
    repeats: u32,
) -> (Vec<PeerRow>, Vec<PairRow>) {
    let of_function = |function| points.iter().filter_map(move |one| PeerRow::of(store, function, *one, repeats));
    let of_pair =
        |function| Harness::PAIRS.into_iter().filter_map(move |one| PairRow::of(store, function, one, repeats));
    let rows = functions.iter().flat_map(|function| of_function(function)).collect();
    (rows, pairs.iter().flat_map(|function| of_pair(function)).collect())
}

/// The goals, the conditions and the tables, as Markdown.
fn report(store: &RecordStore, rows: &[PeerRow], pairs: &[PairRow], goals: &[PeerGoal], repeats: u32) -> String {
    let tables = rows.chunk_by(|one, next| one.function == next.function).map(tables::function_table);
    let tables: String = tables.chain([tables::pair_table(pairs)]).collect();
    let (goals, conditions, occasions) = (tables::goal_section(goals), conditions(store), occasions(store));
    format!("{goals}\n## Figures\n\n{repeats} repeats. {conditions}{occasions}\n{tables}")
}

/// How many occasions the intervals for another day are from; empty without such an interval.
fn occasions(store: &RecordStore) -> String {
    let occasions = || store.all().iter().filter_map(|record| Some(record.figures.another_day?.occasions));
    let Some((fewest, most)) = occasions().min().zip(occasions().max()) else { return String::new() };
    format!(" Each interval for another day is from {fewest} to {most} occasions of its function.")
}

/// The machines, and the load during the measurements.
fn conditions(store: &RecordStore) -> String {
    let records = store.all();
    let mut machines: Vec<&str> = records.iter().map(|record| record.machine.as_str()).collect();
    machines.sort_unstable();
    machines.dedup();
    let loads = || records.iter().map(|record| record.load);
    format!(
        "{}; load {:.1} to {:.1}, median {:.1}; {} measurements. Each ran on one core, except those of tango and of the browser.",
        machines.join("; "),
        loads().fold(f64::INFINITY, f64::min),
        loads().fold(0.0, f64::max),
        statistics::median(loads()).unwrap_or(f64::NAN),
        records.len()
    )
}

/// The number of cores and the processor's name.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let cores = available_parallelism().map_or(1, usize::from);
    format!("{cores} × {}", processor.unwrap_or("unknown processor"))
}

/// The load average of the last minute; NaN is not JSON, so 0 if it is unknown.
fn load() -> f64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

fn unix_seconds() -> Result<u64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH).context("the system's clock is before 1970. Set it.")?.as_secs())
}
