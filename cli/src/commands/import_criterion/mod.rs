//! `cargo benchbook import-criterion`: the saved results of criterion as accepted results.

mod benchmark;
mod saved;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use benchbook_accepted::machine::current_card;
use benchbook_contract::catalog::Suite;
use benchbook_host::history::{Acceptance, AcceptedResult, BuildOrigin, CheckedResult, MachineClass, VERSION};
use benchbook_terminal::measurement::host_name;

use self::benchmark::ImportedBenchmark;
use self::saved::{SavedResults, SavedRun};
use crate::accepted::location::LocationOptions;
use crate::accepted::person::PersonOption;
use crate::project::suite_options::SuiteOptions;

/// Import the saved results of criterion as accepted results, which `history` and the page show as earlier series
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook import-criterion                          the results in cargo's output folder
  cargo benchbook import-criterion ../old/target/criterion  those of another folder
  cargo benchbook history                                   print them")]
pub(crate) struct ImportOptions {
    /// The folder with criterion's results [default: criterion in cargo's output folder]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    person: PersonOption,
    #[command(flatten)]
    location: LocationOptions,
    #[command(flatten)]
    suites: SuiteOptions,
}

/// Imports the results that are not accepted yet. Those of functions that the suites have now, too, become series of these functions.
///
/// # Errors
/// If the folder has no results, if no suite can be built, or if the results cannot be written.
pub(crate) fn run(options: &ImportOptions) -> Result<()> {
    let project = options.suites.project()?;
    let by = options.person.name(&project)?;
    let folder = options.folder.clone().unwrap_or_else(|| project.output.with_file_name("criterion"));
    let saved = SavedResults::read(&folder)?;
    for problem in &saved.problems {
        anstream::eprintln!("warning: {problem}");
    }
    ensure!(
        !saved.runs.is_empty(),
        "{} contains no criterion results. Pass their folder, such as target/criterion",
        folder.display()
    );
    let location = options.location.location(&project)?;
    let opened = project.open()?;
    let suites: Vec<&Suite> = opened.iter().map(|opened| opened.suite.suite()).collect();
    let known: Vec<String> = location.read()?.results().map(AcceptedResult::id).collect();
    let machine = MachineClass::of(&current_card(&host_name(), None), &benchbook_build::host()?, false);
    let (mut imported, mut repeated, mut unknown) = (0, 0, Vec::new());
    for run in saved.runs {
        let benchmark = ImportedBenchmark::of(&run, &suites);
        let is_unknown = !benchmark.is_known;
        let accepted = accepted(&run, benchmark, &by, machine.clone());
        let function = &accepted.result.benchmark.function;
        if let Err(problem) = accepted.check() {
            anstream::eprintln!("warning: `{function}` was not imported: {problem}");
            continue;
        }
        if is_unknown && !unknown.contains(function) {
            unknown.push(function.clone());
        }
        if known.contains(&accepted.id()) {
            repeated += 1;
        } else {
            location.add(&accepted)?;
            imported += 1;
        }
    }
    let others = if repeated > 0 { format!(" {repeated} were imported before.") } else { String::new() };
    println!("Imported {imported} criterion results into {location}.{others}");
    if !unknown.is_empty() {
        println!("The suites lack these functions, so they belong to a suite `criterion`: {}.", unknown.join(", "));
    }
    Ok(())
}

/// The accepted result of a run.
fn accepted(run: &SavedRun, imported: ImportedBenchmark, by: &str, machine: MachineClass) -> AcceptedResult {
    // Criterion stores neither.
    let build = BuildOrigin { fingerprint: String::new(), commit: None, dirty: false, compiler: "unknown".to_owned() };
    let ImportedBenchmark { benchmark, points, .. } = imported;
    AcceptedResult {
        benchbook_history: VERSION,
        accepted: Acceptance {
            by: by.to_owned(),
            note: format!("imported from criterion (saved as `{}`)", run.baseline),
        },
        result: CheckedResult { benchmark, machine, build, measured: run.saved, points },
    }
}
