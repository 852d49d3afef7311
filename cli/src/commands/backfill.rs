//! `cargo benchbook backfill`: the history of commits that were never checked.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use benchbook_host::history::{Acceptance, AcceptedResult, CheckedResult};

use crate::accepted::location::LocationOptions;
use crate::accepted::person::PersonOption;
use crate::advised_command::AdvisedCommand;
use crate::arguments::{self, SetArgument};
use crate::check::measure::{BaselineRevision, BuildCounter, Measurements, ThisMachine, take_turn};
use crate::check::plan::{self, CheckPlan, CheckSettings, ComparisonRule};
use crate::commands::accept::record;
use crate::project::Project;
use crate::project::benchbook_toml::{BenchbookToml, CheckMode};
use crate::project::commit::{commits_between, git, range_ends};
use crate::project::suite_options::SuiteOptions;

/// The digits of a commit in a message.
const SHOWN_DIGITS: usize = 8;

/// Measure earlier commits, and accept their results, so that the history begins before today
///
/// The commits are measured one after the other, the oldest first, each with its own suite. Commits of which there are results already are skipped, so an interrupted
/// command continues where it stopped. All results are of one day: later checks need results of a second one before a change of a time counts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook backfill v1.2..HEAD                every commit since v1.2, and v1.2 itself
  cargo benchbook backfill v1.2..HEAD --steps 10     ten of them, as far apart as possible
  cargo benchbook backfill main~20..main sort        the functions whose path contains \"sort\"")]
pub(crate) struct BackfillOptions {
    /// The first and the last commit, as in `v1.2..HEAD`; both are measured
    #[arg(value_name = "FIRST..LAST")]
    range: String,
    /// Groups of benchbook.toml, or parts of the paths of functions
    #[arg(value_name = "GROUP|FILTER")]
    names: Vec<String>,
    /// Measure only so many of the commits, as far apart as possible
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..))]
    steps: Option<u32>,
    /// Set a parameter of the generators to a value or a range. Repeat the option for others
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<SetArgument>,
    /// What to measure [default: steady]
    #[arg(long, value_enum)]
    mode: Option<CheckMode>,
    /// The number of processes that measure each function: the independent samples [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=100))]
    samples: Option<u32>,
    /// Measure each point for at most this time, all processes together [default: 3s]
    #[arg(long, value_name = "TIME", value_parser = arguments::time)]
    time_out: Option<Duration>,
    /// Why these results are normal
    #[arg(long, value_name = "TEXT", default_value = "backfill")]
    note: String,
    #[command(flatten)]
    person: PersonOption,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Measures the commits.
///
/// # Errors
/// If the range is wrong, or if none of its commits could be measured.
pub(crate) fn run(mut options: BackfillOptions) -> Result<()> {
    // As checks are built.
    options.suites.has_one_unit = true;
    let project = options.suites.project()?;
    let location = options.location.location(&project)?;
    let groups = BenchbookToml::in_folders(project.settings_folders())?;
    let accepted = Acceptance { by: options.person.name(&project)?, note: options.note.clone() };
    let (first, last) = range_ends(&options.range)?;
    let hash = |name: &str| Ok::<_, anyhow::Error>(BaselineRevision::find(&project, name)?.hash().to_owned());
    let commits = commits_between(&project.root, &hash(first)?, &hash(last)?)?;
    let chosen = spread(&commits, options.steps.map_or(commits.len(), |steps| steps as usize));
    let _turn = take_turn();
    let mut measured = 0;
    for (number, commit) in (1..).zip(&chosen) {
        let subject = git(&project.root, &["show", "--no-patch", "--format=%s", commit]).unwrap_or_default();
        let name = format!("{} {subject}", &commit[..SHOWN_DIGITS.min(commit.len())]);
        anstream::eprintln!("{name}, commit {number} of {}", chosen.len());
        let known: Vec<AcceptedResult> = location.read()?.results().cloned().collect();
        match results(&options, &project, &groups, commit, &known).and_then(|results| {
            let is_new = !results.is_empty();
            record(results, &accepted, &location, false).map(|()| is_new)
        }) {
            Ok(is_new) => {
                measured += 1;
                if !is_new {
                    anstream::eprintln!("its results are in the history already");
                }
            }
            Err(error) => anstream::eprintln!("skipped: {error:#}"),
        }
    }
    ensure!(measured > 0, "none of the commits could be measured");
    println!(
        "The history has results of {measured} of {} commits. To print it:\n  {}",
        chosen.len(),
        AdvisedCommand::History
    );
    Ok(())
}

/// Measures a commit with its own suites. Returns the results that are not known yet.
fn results(
    options: &BackfillOptions,
    project: &Project,
    groups: &BenchbookToml,
    commit: &str,
    known: &[AcceptedResult],
) -> Result<Vec<CheckedResult>> {
    let (of_commit, _lock) = BaselineRevision::find(project, commit)?.project(project, &options.suites)?;
    let suites = of_commit.open()?;
    let settings = CheckSettings {
        set: options.set.clone(),
        samples: options.samples,
        time_out: options.time_out,
        warm_up: None,
        multiplier: 1,
        precision: None,
        mode: options.mode,
        minimum_effect: None,
        is_paired: false,
        commit: of_commit.commit.clone(),
    };
    let mut checks = plan::checks(&suites, &options.names, groups, &settings)?;
    let is_known = |function: &str| {
        let of_commit =
            known.iter().filter(|one| one.result.build.commit.as_deref() == Some(commit) && !one.result.build.dirty);
        of_commit.map(|one| one.result.benchmark.function.as_str()).any(|known| known == function)
    };
    checks.retain(|check| !is_known(&check.function()));
    let plan = CheckPlan { checks, re_measure: 0, rule: ComparisonRule::default(), least_confidence: None };
    let counter = BuildCounter::new(of_commit.clone());
    let mut machine = ThisMachine { suites: &suites, counter: &counter };
    let measured = Measurements::take(&plan, &mut machine, &|_| {});
    measured.failures.iter().for_each(|failure| anstream::eprintln!("failed: {failure}"));
    let results = measured.acceptable();
    if results.is_empty() && !plan.checks.is_empty() {
        bail!("no function could be measured");
    }
    Ok(results)
}

/// So many of the commits, as far apart as possible, with both ends.
fn spread(commits: &[String], count: usize) -> Vec<String> {
    let last = commits.len() - 1;
    let count = count.clamp(1, commits.len());
    let indices: BTreeSet<usize> = (0..count).map(|number| number * last / (count - 1).max(1)).collect();
    indices.into_iter().map(|index| commits[index].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_commits_contain_both_ends_and_are_spread_evenly() {
        let commits: Vec<String> = (0..11).map(|number| number.to_string()).collect();
        assert_eq!(spread(&commits, 3), ["0", "5", "10"]);
        assert_eq!(spread(&commits, 2), ["0", "10"]);
        assert_eq!(spread(&commits, 11), commits);
        assert_eq!(spread(&commits, 99), commits);
        assert_eq!(spread(&commits[..1], 1), ["0"]);
        for count in 2..=11 {
            assert_eq!(spread(&commits, count).len(), count);
        }
    }
}
