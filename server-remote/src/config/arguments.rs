//! The command line.

use std::ffi::OsString;

use clap::Parser;

/// Measures Benchbook suites natively on this machine, for many people at once, and serves the notebook to them
#[derive(Debug, Parser)]
#[command(name = "benchbook-server", version, after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The native executable of a suite; its wasm twin is the file of the same stem beside it. Several may follow
    #[arg(long = "suite", value_name = "PATH", num_args = 1..)]
    suites: Vec<String>,
    /// The folder of the built notebook
    #[arg(long, value_name = "DIR")]
    page: Option<String>,
    /// Read the rest from a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Where to listen [default: 127.0.0.1:4040]
    #[arg(long, value_name = "IP[:PORT]")]
    address: Option<String>,
    /// The port of the address; 0 is any that is free
    #[arg(long)]
    port: Option<String>,
    /// The certificate and those that vouch for it, PEM
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<String>,
    /// The certificate's private key, PEM
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// Where results are kept [default: in this user's data folder]
    #[arg(long, value_name = "FILE")]
    database: Option<String>,
    /// Forget all stored results, after asking
    #[arg(long)]
    empty: bool,
    /// Forget them without asking
    #[arg(long, requires = "empty")]
    yes: bool,
    /// What people call this machine [default: its host name]
    #[arg(long)]
    name: Option<String>,
    /// The core to measure on, or `none` [default: an isolated one, or the last of several]
    #[arg(long)]
    core: Option<String>,
    /// A page of this origin may use the runner, such as https://bench.example.org. Several may follow
    #[arg(long = "origin", value_name = "ORIGIN", num_args = 1..)]
    origins: Vec<String>,
    /// A name that the runner is reached by, beside its address. Several may follow
    #[arg(long = "host", value_name = "NAME", num_args = 1..)]
    hosts: Vec<String>,
    /// A file with the token that clients must show [default: made at start where others reach the address]
    #[arg(long, value_name = "FILE")]
    token_file: Option<String>,
    /// `text` or `json`, on standard error [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// `error`, `warn`, `info`, `debug` or `trace` [default: info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  benchbook-server --suite target/suites/demo --page dist
  benchbook-server --suite a/target/suite/ours b/target/suite/theirs --port 9000
  benchbook-server --config /etc/benchbook.toml --log-format json
  benchbook-server --suite demo --address 0.0.0.0 --host reference-01.example.org \\
      --tls-certificate chain.pem --tls-key key.pem
  benchbook-server --suite demo --empty --yes

What the command line leaves out is looked for in the environment, and then in the file. Each key of the file is also a
variable: core is BENCHBOOK_CORE, tls.key is BENCHBOOK_TLS_KEY, limits.clients is BENCHBOOK_LIMITS_CLIENTS; lists are parted
by commas. BENCHBOOK_CONFIG names the file, and BENCHBOOK_PORT the port. Only qualities need the file:

  address = \"0.0.0.0:4040\"
  suites = [\"suites/demo\"]             # relative to the file
  page = \"page\"
  database = \"/var/lib/benchbook/results.sqlite\"
  name = \"reference-01\"
  core = 3                             # or \"none\"
  origins = [\"https://bench.example.org\"]
  hosts = [\"reference-01.example.org\"]
  token_file = \"token\"                 # or token = \"…\"

  [tls]
  certificate = \"chain.pem\"
  key = \"key.pem\"

  [limits]                             # of clients; here are the defaults
  clients = 2000
  queued_seconds = 3600                # of each
  body_bytes = 262144
  points = 4100                        # of a request: axis values times functions
  streams = 4000
  patience_seconds = 60

  [children]                           # of each process that measures
  memory_bytes = 4294967296
  cpu_seconds = 3600
  open_files = 256
  file_bytes = 1073741824
  processes = 4096                     # of this user altogether

  [log]
  format = \"text\"
  level = \"info\"

  [[qualities]]                        # four times, priority 1 first, as in notebook.json
  points = 5
  precision = 0.2
  point_ms = 40
  warm_up = { at_least = 5, at_most = 500, ms = 20 }
  samples = { at_least = 5, at_most = 5000 }
  processes = 1";

/// What the command line gives, by key of the file.
pub(super) struct Told {
    /// The file to read.
    pub(super) config: Option<String>,
    /// To forget all results, and whether without asking.
    pub(super) empty: bool,
    pub(super) yes: bool,
    /// Key, option and value.
    pub(super) values: Vec<(&'static str, &'static str, String)>,
    /// Key, option and values of those that were given.
    pub(super) lists: Vec<(&'static str, &'static str, Vec<String>)>,
}

/// Reads a command line, the program's name first.
pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Told, clap::Error> {
    let told = Arguments::try_parse_from(arguments)?;
    let values = [
        ("page", "--page", told.page),
        ("address", "--address", told.address),
        (super::keys::PORT, "--port", told.port),
        ("tls.certificate", "--tls-certificate", told.tls_certificate),
        ("tls.key", "--tls-key", told.tls_key),
        ("database", "--database", told.database),
        ("name", "--name", told.name),
        ("core", "--core", told.core),
        ("token_file", "--token-file", told.token_file),
        ("log.format", "--log-format", told.log_format),
        ("log.level", "--log-level", told.log_level),
    ];
    let lists =
        [("suites", "--suite", told.suites), ("origins", "--origin", told.origins), ("hosts", "--host", told.hosts)];
    Ok(Told {
        config: told.config,
        empty: told.empty,
        yes: told.yes,
        values: values.into_iter().filter_map(|(key, option, value)| Some((key, option, value?))).collect(),
        lists: lists.into_iter().filter(|(_, _, list)| !list.is_empty()).collect(),
    })
}
