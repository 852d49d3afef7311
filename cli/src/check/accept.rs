//! `cargo benchbook accept`: records the results of the last check as normal.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use benchbook_host::history::{Acceptance, AcceptedResult, Benchmark, CheckedResult, VERSION};

use super::folder::HistoryFolder;
use super::last_check::LastCheck;
use super::measured::git;
use crate::project::SuiteOptions;

/// Accept the results of the last check: later checks compare with them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook accept                          all results of the last check
  cargo benchbook accept sort --note \"stable now\"  only those of functions whose path contains \"sort\"")]
pub(crate) struct AcceptOptions {
    /// Only functions whose path contains one of these strings
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Why these results are normal
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    /// Your name [default: git's user.name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The folder of accepted results [default: benchbook/history in cargo's output folder]
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Accepts the results of the last check.
///
/// # Errors
/// If there are none, or if they cannot be written.
pub(crate) fn accept(options: &AcceptOptions) -> Result<()> {
    let project = options.suites.project()?;
    let matches = |result: &CheckedResult| {
        let Benchmark { suite, function, .. } = &result.benchmark;
        let path = format!("{suite}::{function}");
        options.filters.is_empty() || options.filters.iter().any(|filter| path.contains(filter))
    };
    let results: Vec<CheckedResult> = LastCheck::read(&project)?.results.into_iter().filter(matches).collect();
    ensure!(!results.is_empty(), "the last check has no result of {}", options.filters.join(", "));
    let accepted = Acceptance { by: options.by.clone().unwrap_or_else(user_name), note: options.note.clone() };
    let folder = HistoryFolder::of(&project, options.history.as_deref());
    for result in results {
        let Benchmark { function, metric, .. } = result.benchmark.clone();
        let path = folder.add(&AcceptedResult { benchbook_history: VERSION, accepted: accepted.clone(), result })?;
        println!("Accepted the {metric} of {function} in {}.", path.display());
    }
    Ok(())
}

/// The name of the person: git's, or else the system's.
fn user_name() -> String {
    let of_system = || ["USER", "USERNAME"].iter().find_map(|variable| env::var(variable).ok());
    git(&["config", "user.name"]).or_else(of_system).unwrap_or_default()
}
