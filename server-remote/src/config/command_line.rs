//! The command line.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::clear::ClearMode;
use super::database_command::DatabaseCommand;
use super::keys::PORT;
use super::profile_command::ProfileCommand;
use super::setup_command::SetupCommand;
use super::table::{example_file, settings};

/// Measures Benchbook suites natively on this machine, for many clients, and serves the notebook
#[derive(Debug, Parser)]
#[command(name = "benchbook-server", version, args_conflicts_with_subcommands = true)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    command: Option<OtherCommand>,
    /// Read further settings from a TOML file
    #[arg(long, display_order = 900, value_name = "FILE", global = true)]
    config: Option<String>,
    /// The port of the address; 0 selects any free port
    #[arg(long, display_order = 900)]
    port: Option<String>,
    /// Delete all stored results, after a confirmation
    #[arg(long, display_order = 900)]
    empty: bool,
    /// Delete them without a confirmation
    #[arg(long, display_order = 900, requires = "empty")]
    yes: bool,
}

/// A command that does not serve clients.
#[derive(Debug, Subcommand)]
pub(super) enum OtherCommand {
    #[command(flatten)]
    Database(DatabaseCommand),
    Profile(ProfileCommand),
    Setup(SetupCommand),
}

const AFTER_HELP: &str = "\
Examples:
  benchbook-server --suite target/suites/demo
  benchbook-server --suite a/target/suite/ours b/target/suite/theirs --port 9000
  benchbook-server --config /etc/benchbook.toml --log-format json
  benchbook-server --suite demo --address 0.0.0.0 --host reference-01.example.org \\
      --tls-certificate chain.pem --tls-key key.pem
  benchbook-server --suite demo --notebooks ../our-notebooks
  benchbook-server --suite demo --empty --yes
  benchbook-server backup results.bak
  benchbook-server largest 812 --time 1ms
  benchbook-server profile target/suites/demo sorting::sort_unstable size=1000
  benchbook-server setup --host reference-01.example.org --suite target/suites/demo

Options override environment variables, and both override the file. Each key of the file has a variable: BENCHBOOK_CORE for
core, BENCHBOOK_TLS_KEY for tls.key, BENCHBOOK_LIMITS_CLIENTS for limits.clients; lists are separated by commas.
BENCHBOOK_CONFIG is the path of the file, and BENCHBOOK_PORT the port. In the file, paths are relative to it. Only qualities need the file:
";

/// The only setting that is a table of its own.
const QUALITIES_EXAMPLE: &str = "\
[[qualities]]                        # four times, priority 1 first, as in notebook.json
points = 5
precision = 0.2
point_ms = 60
warm_up = { at_least = 5, at_most = 500, ms = 20 }
samples = { at_least = 5, at_most = 5000 }
processes = 1";

/// The values of the command line, by key of the file.
pub(super) struct CommandLineValues {
    /// Absent if the runner is to serve clients.
    pub(super) command: Option<OtherCommand>,
    /// The configuration file.
    pub(super) config: Option<String>,
    pub(super) clear: Option<ClearMode>,
    /// Key, option and value of each given option.
    pub(super) values: Vec<(&'static str, &'static str, String)>,
    /// Key, option and values of each given list.
    pub(super) lists: Vec<(&'static str, &'static str, Vec<String>)>,
}

/// The command line with an option for each setting that has one.
fn command() -> Command {
    let example: String =
        [example_file().as_str(), "\n", QUALITIES_EXAMPLE].concat().lines().map(|line| format!("\n  {line}")).collect();
    let command = CommandLine::command().after_help(format!("{AFTER_HELP}{}", example.replace("\n  \n", "\n\n")));
    let options = settings().filter_map(|setting| Some((setting, setting.option?)));
    options.fold(command, |command, (setting, (option, value))| {
        let argument = Arg::new(setting.key).long(option.trim_start_matches('-')).value_name(value).help(setting.about);
        let argument = match setting.is_list {
            true => argument.num_args(1..).action(ArgAction::Append),
            // The commands for the database have it, too.
            false => argument.global(setting.key == "database"),
        };
        command.arg(argument)
    })
}

/// Parses a command line, which starts with the program's name.
pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLineValues, clap::Error> {
    let matches = command().try_get_matches_from(arguments)?;
    let given = CommandLine::from_arg_matches(&matches)?;
    let mut values: Vec<_> = given.port.into_iter().map(|port| (PORT, "--port", port)).collect();
    let mut lists = Vec::new();
    for setting in settings() {
        let Some((option, _)) = setting.option else { continue };
        let Some(texts) = matches.get_many::<String>(setting.key) else { continue };
        let mut texts = texts.cloned();
        match setting.is_list {
            true => lists.push((setting.key, option, texts.collect())),
            false => values.extend(texts.next().map(|text| (setting.key, option, text))),
        }
    }
    Ok(CommandLineValues {
        command: given.command,
        config: given.config,
        clear: given.empty.then_some(if given.yes { ClearMode::Immediate } else { ClearMode::Confirm }),
        values,
        lists,
    })
}
