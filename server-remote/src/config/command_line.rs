//! The command line.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::clear::ClearMode;
use super::database_command::DatabaseCommand;
use super::keys::PORT;
use super::profile_command::ProfileCommand;
use super::setup_command::SetupCommand;

/// Measures Benchbook suites natively on this machine, for many clients, and serves the notebook
#[derive(Debug, Parser)]
#[command(name = "benchbook-server", version, after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    command: Option<OtherCommand>,
    /// The native executables of suites. The wasm build of a suite is the file with the same stem next to it
    #[arg(long = "suite", value_name = "PATH", num_args = 1..)]
    suites: Vec<String>,
    /// The folder of a built page [default: the page inside this program]
    #[arg(long, value_name = "DIR")]
    page: Option<String>,
    /// A folder of notebook files (*.benchbook.json), such as a git checkout, which clients can open but not change
    #[arg(long, value_name = "DIR")]
    notebooks: Option<String>,
    /// A folder of accepted results (`cargo benchbook accept`), which clients can read and add to
    #[arg(long, value_name = "DIR")]
    history: Option<String>,
    /// A folder for builds that clients upload, so that `cargo benchbook check --runner` measures them here. Requires a token and
    /// `--isolation required`
    #[arg(long, value_name = "DIR")]
    uploads: Option<String>,
    /// Read further settings from a TOML file
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<String>,
    /// The address to listen on [default: 127.0.0.1:4040]
    #[arg(long, value_name = "IP[:PORT]")]
    address: Option<String>,
    /// The port of the address; 0 selects any free port
    #[arg(long)]
    port: Option<String>,
    /// The certificate chain, PEM
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<String>,
    /// The certificate's private key, PEM
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// The database of results [default: in this user's data folder]
    #[arg(long, value_name = "FILE", global = true)]
    database: Option<String>,
    /// Delete all stored results, after a confirmation
    #[arg(long)]
    empty: bool,
    /// Delete them without a confirmation
    #[arg(long, requires = "empty")]
    yes: bool,
    /// The display name of this machine [default: its host name]
    #[arg(long)]
    name: Option<String>,
    /// The core to measure on, or `none` [default: an isolated one, or the last of several]
    #[arg(long)]
    core: Option<String>,
    /// Whether suites are isolated from this machine: `required`, `best` or `none` [default: best]
    #[arg(long, value_name = "MODE")]
    isolation: Option<String>,
    /// Origins whose pages may use the runner, such as https://bench.example.org
    #[arg(long = "origin", value_name = "ORIGIN", num_args = 1..)]
    origins: Vec<String>,
    /// Host names that the runner accepts in addition to its address
    #[arg(long = "host", value_name = "NAME", num_args = 1..)]
    hosts: Vec<String>,
    /// A file with the token that clients must send [default: none on loopback, otherwise generated]
    #[arg(long, value_name = "FILE")]
    token_file: Option<String>,
    /// `text` or `json`, on standard error [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// `error`, `warn`, `info`, `debug` or `trace` [default: info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
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
BENCHBOOK_CONFIG is the path of the file, and BENCHBOOK_PORT the port. Only qualities need the file:

  address = \"0.0.0.0:4040\"
  suites = [\"suites/demo\"]             # relative to the file
  page = \"page\"                        # instead of the page inside this program
  notebooks = \"notebooks\"
  history = \"history\"                  # accepted results
  uploads = \"uploads\"                  # builds of clients; requires a token and isolation
  database = \"/var/lib/benchbook/results.sqlite\"
  name = \"reference-01\"
  core = 3                             # or \"none\"
  isolation = \"required\"               # or \"best\" (the default), or \"none\"
  origins = [\"https://bench.example.org\"]
  hosts = [\"reference-01.example.org\"]
  token_file = \"token\"                 # or token = \"…\"

  [tls]
  certificate = \"chain.pem\"
  key = \"key.pem\"

  [limits]                             # on clients; these are the defaults
  clients = 2000
  queued_seconds = 3600                # per client
  queued_seconds_per_address = 36000
  body_bytes = 262144
  points = 4100                        # per request: axis values times functions
  point_seconds = 60
  streams = 4000
  streams_per_client = 500
  streams_per_address = 2000
  patience_seconds = 60
  uploads = 16                         # uploaded builds
  upload_bytes = 134217728             # of an executable
  uploads_bytes = 536870912            # of all executables, on disk and in memory

  [children]                           # per child process
  memory_bytes = 4294967296
  cpu_seconds = 3600
  open_files = 256
  file_bytes = 1073741824
  processes = 4096                     # of this user in total
  readable = [\"data\"]                  # for isolated suites; none by default
  scratch = \"disk\"                     # for scratch folders; in memory by default, of this size:
  scratch_bytes = 1073741824
  may_start_processes = [\"suites/demo\"] # none by default
  user = \"daemon\"                      # requires root; by default, the runner's user

  [retention]                          # absent by default: all results are stored forever
  days = 365                           # at startup and daily; the newest result of each point remains
  max_bytes = 2000000000

  [log]
  format = \"text\"
  level = \"info\"

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

/// Parses a command line, which starts with the program's name.
pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLineValues, clap::Error> {
    let given = CommandLine::try_parse_from(arguments)?;
    let values = [
        ("page", "--page", given.page),
        ("notebooks", "--notebooks", given.notebooks),
        ("history", "--history", given.history),
        ("uploads", "--uploads", given.uploads),
        ("address", "--address", given.address),
        (PORT, "--port", given.port),
        ("tls.certificate", "--tls-certificate", given.tls_certificate),
        ("tls.key", "--tls-key", given.tls_key),
        ("database", "--database", given.database),
        ("name", "--name", given.name),
        ("core", "--core", given.core),
        ("isolation", "--isolation", given.isolation),
        ("token_file", "--token-file", given.token_file),
        ("log.format", "--log-format", given.log_format),
        ("log.level", "--log-level", given.log_level),
    ];
    let lists =
        [("suites", "--suite", given.suites), ("origins", "--origin", given.origins), ("hosts", "--host", given.hosts)];
    Ok(CommandLineValues {
        command: given.command,
        config: given.config,
        clear: given.empty.then_some(if given.yes { ClearMode::Immediate } else { ClearMode::Confirm }),
        values: values.into_iter().filter_map(|(key, option, value)| Some((key, option, value?))).collect(),
        lists: lists.into_iter().filter(|(_, _, list)| !list.is_empty()).collect(),
    })
}
