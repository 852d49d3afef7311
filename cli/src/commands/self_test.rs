//! `cargo benchbook self-test`: what this machine can resolve, and the settings that affect it.

use std::process::ExitCode;

use anyhow::Result;
use benchbook_accepted::machine::{current_card, current_settings};
use benchbook_host::history::MachineClass;
use benchbook_host::self_test::steps::TRIES;
use benchbook_terminal::machine_history::StoredHistory;
use benchbook_terminal::measurement::host_name;

use crate::output::print;
use crate::self_test::measure::{open_suite, self_test};
use crate::self_test::report::{ResolutionBetweenDays, SelfTestReport};
use crate::self_test::tuning::TunableMachine;

/// The most comparisons of equal functions: three hours.
const MAX_TRIES: i64 = 10_000;

/// Test what this machine can resolve, and list its settings
///
/// Measures equal functions, functions that do nothing, and functions with known ratios, which the tool contains. Prints the smallest
/// differences that can be told from chance, the checks with advice, and the settings that affect measurements. Takes about half a minute.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo benchbook self-test              test this machine at this moment
  cargo benchbook self-test --tries 100  with more comparisons of equal functions; each takes a second
  cargo benchbook self-test --tune       set the governor and turbo for measurements, until the next reboot
  cargo benchbook self-test --undo       restore the former settings

Exit status: 0 on success, 1 if a check of the measurements failed or a setting could not be changed. Settings fail no check.")]
pub(crate) struct SelfTestOptions {
    /// The number of comparisons of equal functions
    #[arg(long, value_name = "NUMBER", default_value_t = TRIES, value_parser = clap::value_parser!(u32).range(1..=MAX_TRIES))]
    tries: u32,
    /// Print the result as JSON; docs/self-test.schema.json describes it
    #[arg(long)]
    json: bool,
    /// Change the settings that need no reboot instead of measuring: the governor `performance`, and no turbo
    #[arg(long, conflicts_with_all = ["tries", "json"])]
    tune: bool,
    /// Restore the settings that --tune has changed
    #[arg(long, conflicts_with_all = ["tries", "json", "tune"])]
    undo: bool,
}

/// Tests this machine, or changes its settings.
///
/// # Errors
/// If the test cannot start, or a setting cannot be changed.
pub(crate) fn run(options: &SelfTestOptions) -> Result<ExitCode> {
    match options {
        SelfTestOptions { tune: true, .. } => tune(&TunableMachine::this()).map(|()| ExitCode::SUCCESS),
        SelfTestOptions { undo: true, .. } => undo(&TunableMachine::this()).map(|()| ExitCode::SUCCESS),
        SelfTestOptions { tries, json, .. } => test(*tries, *json),
    }
}

fn test(tries: u32, json: bool) -> Result<ExitCode> {
    // Before the test, which is a load itself.
    let card = current_card(&host_name(), None);
    let settings = current_settings(&card);
    let suite = open_suite()?;
    let test = self_test(&suite, tries)?;
    let machine = MachineClass::of(&card, &suite.card().build.target, false);
    let spread = StoredHistory::read(&host_name()).spread();
    let between_days = spread.and_then(|spread| {
        Some(ResolutionBetweenDays { difference: spread.smallest_difference()?, occasions: spread.occasions })
    });
    let report = SelfTestReport::new(&test, machine, settings, between_days);
    print(&if json { report.json() } else { report.text() });
    Ok(if report.is_passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tune(machine: &TunableMachine) -> Result<()> {
    for setting in machine.missing() {
        println!("This machine doesn't have a {setting}, or doesn't show it.");
    }
    let changes = machine.tune()?;
    if changes.is_empty() {
        println!("There is nothing to change.");
    } else {
        print!("{}", changes.text());
        println!("To restore the former settings: cargo benchbook self-test --undo");
    }
    changes.check()
}

fn undo(machine: &TunableMachine) -> Result<()> {
    let changes = machine.undo()?;
    if changes.is_empty() {
        println!("There is nothing to restore: --tune has changed no setting since this machine started.");
    } else {
        print!("{}", changes.text());
    }
    changes.check()
}
