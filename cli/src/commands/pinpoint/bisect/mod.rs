//! `cargo benchbook bisect`: the commit that made a function slower.

pub(super) mod counts;
pub(super) mod search;
mod time;

use anyhow::Result;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::units::{axis_value, count, percent, relative_change};

use self::counts::CountedEnds;
use self::search::{Commits, FoundCommits};
use self::time::{CONFIDENCE, TimedEnds, Timing};
use crate::advised_command::AdvisedCommand;
use crate::arguments::SetArgument;
use crate::check::measure::{BaselineRevision, take_turn};
use crate::commands::pinpoint::counted::Target;
use crate::output::print;
use crate::project::OpenedSuite;
use crate::project::commit::range_ends;
use crate::project::selection::{SelectedFunction, named};
use crate::project::suite_options::SuiteOptions;

/// The smallest relative growth of the count that explains why a function is slower.
const SMALLEST_GROWTH: f64 = 0.01;

/// Find the commit that made a function slower
///
/// If a call executes at least 1% more wasm instructions than before, the commits are counted: exactly, once each. Otherwise each is measured in turn with the last one,
/// natively, and again with other layouts of the code until it is clear which end it is like. If it doesn't become clear, the answer is a range of commits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook bisect parse_log v1.2..HEAD
  cargo benchbook bisect parse_log v1.2..main --set lines=10k    with these inputs
  cargo benchbook bisect parse_log v1.2..HEAD --by-time          by the time, even if the instructions have changed, too")]
pub(crate) struct BisectOptions {
    /// The path of the function, or its name if that is unique
    #[arg(value_name = "FUNCTION")]
    function: String,
    /// A commit before the change and one after it, as in `v1.2..HEAD`
    #[arg(value_name = "GOOD..BAD")]
    range: String,
    /// The generator of the inputs: its path or name [default: the function's first one]
    #[arg(long, short, value_name = "NAME")]
    generator: Option<String>,
    /// Set a parameter of the generator to a value, a range, or several values separated by commas. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// Measure the time, even if the count has grown
    #[arg(long)]
    by_time: bool,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Searches, and prints the commit.
///
/// # Errors
/// If the range is wrong, if the function cannot be compared, or if both ends are alike.
pub(crate) fn run(mut options: BisectOptions) -> Result<()> {
    options.suites.has_one_unit = true;
    let current = options.suites.project()?;
    let (good, bad) = range_ends(&options.range)?;
    let names = [good, bad];
    let first = BaselineRevision::find(&current, good)?;
    let last = BaselineRevision::find(&current, bad)?;
    let is_current = current.commit.hash.as_deref() == Some(last.hash()) && !current.commit.dirty;
    let (project, suite_options, _lock) = match is_current {
        true => (current, options.suites.clone(), None),
        false => {
            let (project, suite_options, lock) = last.into_current(&current, &options.suites)?;
            (project, suite_options, Some(lock))
        }
    };
    let commits = Commits::since(first.hash(), &project)?;
    let first = BaselineRevision::find(&project, first.hash())?;
    let suites = project.open()?;
    let selected = named(&suites, &options.function)?;
    let counted = match options.by_time {
        true => None,
        false => {
            let target = target(&options, &suites, &selected);
            let ends = target.as_ref().map_err(|error| format!("{error:#}")).and_then(|target| {
                CountedEnds::count(&first, &project, &suite_options, target).map_err(|error| format!("{error:#}"))
            });
            match ends {
                Ok(ends) if ends.growth() >= SMALLEST_GROWTH => {
                    Some((ends.instructions, ends.search(&commits, names)?.0))
                }
                Ok(ends) => {
                    let growth = relative_change(ends.growth());
                    anstream::eprintln!(
                        "The number of wasm instructions does not explain it ({growth}), so the time is measured."
                    );
                    None
                }
                Err(reason) => {
                    anstream::eprintln!("The function can't be counted, so its time is measured: {reason}");
                    None
                }
            }
        }
    };
    let text = match counted {
        Some((instructions, found)) => {
            let why = is_current.then(|| why(&options.function, good));
            answer(&commits, found, &of_counts(&options.function, instructions), why)
        }
        None => {
            let timing = Timing {
                project: &project,
                options: &suite_options,
                suites: &suites,
                selected,
                generator: options.generator.as_deref(),
                set: &options.set,
            };
            let _turn = take_turn();
            let ends = TimedEnds::measure(timing, first, commits.count())?;
            let found = ends.search(&commits, names);
            answer(&commits, found, &of_time(&options.function, &ends, names), None)
        }
    };
    print(&text);
    Ok(())
}

fn target(options: &BisectOptions, suites: &[OpenedSuite], selected: &SelectedFunction<'_>) -> Result<Target> {
    Target::of(suites, selected, selected.request(options.generator.as_deref(), &options.set)?, false)
}

/// What was found, and why it is the commit.
fn answer(
    commits: &Commits<'_>,
    FoundCommits { before, after }: FoundCommits,
    reason: &str,
    why: Option<String>,
) -> String {
    let mut text = match after - before {
        1 => format!("{}\n", commits.name(after)),
        count => {
            let names: Vec<String> = (before + 1..=after).map(|index| format!("  {}\n", commits.name(index))).collect();
            format!("One of these {count} commits:\n{}", names.concat())
        }
    };
    text += reason;
    if let Some(why) = why {
        text += &format!("The call that causes it:\n  {why}\n");
    }
    text
}

fn of_counts(function: &str, instructions: [f64; 2]) -> String {
    let [before, after] = instructions.map(|instructions| count(instructions.round() as u64));
    let change = relative_change(instructions[1] / instructions[0] - 1.0);
    format!(
        "Since then, `{function}` executes {after} wasm instructions per call instead of {before} ({change}), with the largest inputs.\n"
    )
}

fn of_time(function: &str, ends: &TimedEnds<'_>, [good, bad]: [&str; 2]) -> String {
    let Interval { low, high } = ends.change.interval;
    let [change, low, high] = [ends.change.relative, low, high].map(relative_change);
    let at = match ends.x {
        AxisValue::Absent => String::new(),
        _ => format!(" with {} {}", ends.axis, axis_value(&ends.x)),
    };
    let confidence = percent(CONFIDENCE);
    format!(
        "Since then, the time of `{function}` is like that at {bad}: {change} ({low} to {high}) relative to {good}{at}.\nAt least {confidence} of such answers are right.\n"
    )
}

/// The command that finds the call.
fn why(function: &str, good: &str) -> String {
    let arguments = [function, "--baseline", good, "--bisect"].map(str::to_owned);
    AdvisedCommand::Pinpoint(&arguments).to_string()
}
