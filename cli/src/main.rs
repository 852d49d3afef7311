//! `cargo benchbook`: measures the functions of a crate from its own folder.

mod accepted;
#[cfg(test)]
mod advice_tests;
mod advised_command;
mod arguments;
mod check;
mod commands;
mod output;
mod project;
mod question;
mod runner;
mod self_test;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use benchbook_contract::environment::HOST_VARIABLE;
use benchbook_count::count_if_requested;
use benchbook_host::child::run_helper_if_requested;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::advised_command::GivenOption;

/// The tool is also the suite of its self-test.
#[global_allocator]
static ALLOCATOR: ladder::SuiteAllocator = ladder::SuiteAllocator::system();

/// Measure functions of your crate: curves over input sizes, fair comparisons, and reliable confidence intervals.
#[derive(Parser)]
#[command(name = "cargo-benchbook", bin_name = "cargo benchbook", version, after_help = AFTER_HELP)]
struct BenchbookTool {
    #[command(subcommand)]
    command: Option<ToolCommand>,
    /// Without a subcommand, the notebook is opened, with these options.
    #[command(flatten)]
    serve: commands::serve::ServeArguments,
    #[command(flatten)]
    color: colorchoice_clap::Color,
}

const AFTER_HELP: &str = "\
Examples:
  cargo benchbook init                                    add a suite to this crate
  cargo benchbook                                         open the notebook on this crate's functions
  cargo benchbook list                                    the functions of this crate's suites
  cargo benchbook measure sort                            measure the functions whose path contains \"sort\"
  cargo benchbook measure --compare sort_stable,sort_unstable --range size=1k..1M
  cargo benchbook check                                   fail if a function has become slower than in its accepted results

Exit status: 0 on success, 1 if something failed, 2 if the command line cannot be parsed. `check` has others: see its help.";

#[derive(Subcommand)]
enum ToolCommand {
    Init(commands::init::InitOptions),
    New(commands::init::NewOptions),
    Serve(commands::serve::ServeArguments),
    List(commands::list::ListOptions),
    Describe(commands::describe::DescribeOptions),
    Measure(Box<commands::measure::MeasureOptions>),
    Profile(Box<commands::profile::ProfileOptions>),
    Assembly(commands::assembly::AssemblyOptions),
    Pinpoint(Box<commands::pinpoint::PinpointOptions>),
    Check(Box<commands::check::CheckOptions>),
    Accept(commands::accept::AcceptOptions),
    History(commands::history::HistoryOptions),
    Compare(commands::compare::CompareOptions),
    Backfill(commands::backfill::BackfillOptions),
    Bisect(Box<commands::pinpoint::bisect::BisectOptions>),
    ImportCriterion(commands::import_criterion::ImportOptions),
    Build(commands::site::SiteOptions),
    Publish(commands::publish::PublishOptions),
    Doc(commands::doc::DocOptions),
    SelfTest(commands::self_test::SelfTestOptions),
    Completions(commands::completions::CompletionsOptions),
}

fn main() -> ExitCode {
    // The tool starts itself again as a reaper, which kills the processes of a suite if the tool is killed.
    if run_helper_if_requested() {
        return ExitCode::SUCCESS;
    }
    // It also executes the counting modules of suites.
    if count_if_requested() {
        return ExitCode::SUCCESS;
    }
    // It is also the suite that its self-test measures.
    if env::var_os(HOST_VARIABLE).is_some() {
        ladder::serve_host();
        return ExitCode::SUCCESS;
    }
    if let Some(status) = commands::doc::run_as_compiler_if_requested() {
        return status;
    }
    let (cli, given) = match parse(env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => return usage_status(&error, &without_subcommand_name(env::args_os())),
    };
    advised_command::set_given(given);
    cli.color.write_global();
    let command = cli.command.unwrap_or(ToolCommand::Serve(cli.serve));
    match run(command) {
        Ok(status) => status,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: ToolCommand) -> Result<ExitCode> {
    match command {
        ToolCommand::Init(options) => commands::init::init(&options),
        ToolCommand::New(options) => commands::init::new(&options),
        ToolCommand::Serve(options) => commands::serve::run(&options),
        ToolCommand::List(options) => commands::list::run(&options),
        ToolCommand::Describe(options) => commands::describe::run(&options),
        ToolCommand::Measure(options) => commands::measure::run(&options),
        ToolCommand::Profile(options) => commands::profile::run(&options),
        ToolCommand::Assembly(options) => commands::assembly::run(options),
        ToolCommand::Pinpoint(options) => commands::pinpoint::run(*options),
        ToolCommand::Check(options) => return Ok(commands::check::run(*options)),
        ToolCommand::Accept(options) => commands::accept::run(&options),
        ToolCommand::History(options) => commands::history::run(&options),
        ToolCommand::Compare(options) => commands::compare::run(&options),
        ToolCommand::Backfill(options) => commands::backfill::run(options),
        ToolCommand::Bisect(options) => commands::pinpoint::bisect::run(*options),
        ToolCommand::ImportCriterion(options) => commands::import_criterion::run(&options),
        ToolCommand::Build(options) => commands::site::run(&options),
        ToolCommand::Publish(options) => commands::publish::run(&options),
        ToolCommand::Doc(options) => commands::doc::run(&options),
        ToolCommand::SelfTest(options) => return commands::self_test::run(&options),
        ToolCommand::Completions(options) => commands::completions::run(&options, BenchbookTool::command()),
    }
    .map(|()| ExitCode::SUCCESS)
}

/// Prints why the command line cannot be parsed, or the help. Checks have an exit status of their own for it, which differs from that of
/// a regression.
fn usage_status(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    // If it cannot be printed, the exit status still reports it.
    let _ = error.print();
    match error.exit_code() {
        2 if is_check(arguments) => ExitCode::from(commands::check::USAGE),
        status => ExitCode::from(u8::try_from(status).unwrap_or(u8::MAX)),
    }
}

/// Whether the subcommand is `check`. Only `--color` may precede it.
fn is_check(arguments: &[OsString]) -> bool {
    let mut arguments =
        arguments.iter().skip(1).skip_while(|argument| argument.to_string_lossy().starts_with("--color="));
    match arguments.next() {
        Some(argument) if argument == "--color" => arguments.nth(1).is_some_and(|subcommand| subcommand == "check"),
        subcommand => subcommand.is_some_and(|subcommand| subcommand == "check"),
    }
}

/// Parses the command line, and lists the given options. Options of the notebook before a subcommand would have no effect, so they are rejected.
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<(BenchbookTool, Vec<GivenOption>), clap::Error> {
    let mut command = BenchbookTool::command();
    let matches = command.try_get_matches_from_mut(without_subcommand_name(arguments))?;
    if let Some(subcommand) = matches.subcommand_name() {
        let of_notebook = commands::serve::ServeArguments::augment_args(Command::new("serve"));
        let is_given =
            |argument: &&Arg| matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
        if let Some(argument) = of_notebook.get_arguments().find(is_given) {
            let message = format!(
                "write the option after the subcommand: cargo benchbook {subcommand} --{}",
                argument.get_long().unwrap_or_default()
            );
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
    }
    let given = advised_command::given_options(&command, &matches);
    BenchbookTool::from_arg_matches(&matches).map(|tool| (tool, given))
}

/// Removes the name of the subcommand, which cargo inserts as the first argument.
fn without_subcommand_name(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == "benchbook") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        BenchbookTool::command().debug_assert();
    }

    #[test]
    fn the_help_of_each_subcommand_has_examples() {
        for command in BenchbookTool::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let line = format!("  cargo benchbook {}", command.get_name());
            assert!(help.contains(&line), "{}: {help}", command.get_name());
        }
    }

    #[test]
    fn options_before_a_subcommand_are_rejected() {
        let of = |arguments: &str| {
            parse(arguments.split(' ').map(OsString::from)).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(of("cargo-benchbook benchbook --package sorting"), Ok(()));
        assert_eq!(of("cargo-benchbook benchbook list --package sorting"), Ok(()));
        assert_eq!(of("cargo-benchbook --color never list"), Ok(()));
        let error = of("cargo-benchbook benchbook -p sorting list").expect_err("it has no effect");
        let expected = "error: write the option after the subcommand: cargo benchbook list --package";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn only_checks_have_another_status_for_wrong_command_lines() {
        let of = |arguments: &str| is_check(&arguments.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(
            ["cargo-benchbook check -x", "cargo-benchbook --color never check", "cargo-benchbook --color=never check"]
                .into_iter()
                .all(of)
        );
        assert!(
            ["cargo-benchbook measure check", "cargo-benchbook", "cargo-benchbook --color check list"]
                .into_iter()
                .all(|line| !of(line))
        );
    }

    #[test]
    fn cargo_inserts_the_name_of_the_subcommand() {
        let of = |arguments: &[&str]| without_subcommand_name(arguments.iter().map(OsString::from));
        assert_eq!(of(&["cargo-benchbook", "benchbook", "list"]), ["cargo-benchbook", "list"]);
        assert_eq!(of(&["cargo-benchbook", "list", "benchbook"]), ["cargo-benchbook", "list", "benchbook"]);
    }
}
