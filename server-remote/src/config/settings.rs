//! The validated configuration.

use std::net::SocketAddr;
use std::path::PathBuf;

use benchbook_host::quality::Qualities;

use super::access::{AccessPolicy, Origin};
use crate::store::Retention;
use benchbook_accepted::HistoryFolder;
use benchbook_host::api::Token;

use super::child_isolation::ChildIsolation;
use super::clear::ClearMode;
use super::database_command::DatabaseCommand;
use super::files::SuiteFiles;
use super::numbers::{ChildLimits, Limits};
use super::profile_command::ProfileCommand;
use super::setup_command::SetupCommand;

/// What the command line requests.
#[derive(Clone, Debug, PartialEq)]
pub enum Invocation {
    /// Serve clients.
    Serve(Box<Config>),
    /// Work on the database.
    Maintain(Maintenance),
    /// Profile a function.
    Profile(Profiling),
    /// Write the files of a systemd service.
    SetUp(SetupCommand),
}

/// A function to profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profiling {
    /// The function and its arguments.
    pub command: ProfileCommand,
    /// The core to use; absent if the kernel chooses.
    pub core: Option<u32>,
}

/// A command with its database.
#[derive(Clone, Debug, PartialEq)]
pub struct Maintenance {
    /// The command.
    pub command: DatabaseCommand,
    /// The file of the results.
    pub database: PathBuf,
    /// The log's format and level.
    pub log: LogConfig,
}

/// The configuration of a runner.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The address to listen on. Port 0 selects any free port.
    pub address: SocketAddr,
    /// Absent for plain HTTP.
    pub tls: Option<TlsFiles>,
    /// The suites, in the order given.
    pub suites: Vec<SuiteFiles>,
    /// Whether the suites follow their sources: a program that contains the runner builds and replaces them.
    pub follows_sources: bool,
    /// The folder of the built page; absent for the page inside this program.
    pub page: Option<PathBuf>,
    /// The folder of notebook files; absent if the runner offers none.
    pub notebooks: Option<PathBuf>,
    /// The folder of accepted results; absent if the runner stores none.
    pub history: Option<HistoryFolder>,
    /// The folder of uploaded builds; absent if the runner accepts none. If present, clients need a token, and child processes are isolated.
    pub uploads: Option<PathBuf>,
    /// The file of the results. Its folder may not exist yet.
    pub database: PathBuf,
    /// Limits on the stored results, applied at startup and daily.
    pub retention: Retention,
    /// Whether and how to delete all stored results at startup.
    pub clear: Option<ClearMode>,
    /// The display name of this machine.
    pub name: String,
    /// The meaning of each priority.
    pub qualities: Qualities,
    /// The core that child processes are pinned to; absent if the kernel chooses.
    pub core: Option<u32>,
    /// Limits on requests.
    pub limits: Limits,
    /// Limits on each child process.
    pub children: ChildLimits,
    /// What child processes may see and do.
    pub isolation: ChildIsolation,
    /// Other origins whose pages may use the runner.
    pub origins: Vec<Origin>,
    /// Accepted host names in addition to the address, in lower case.
    pub hosts: Vec<String>,
    /// The token for the API; absent if the runner listens on a loopback address and requires none.
    pub token: Option<Token>,
    /// Whether the token was generated for this start, and must be printed.
    pub is_token_generated: bool,
    /// The log's format and level.
    pub log: LogConfig,
}

/// The files for TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate chain, PEM.
    pub certificate: PathBuf,
    /// The private key, PEM.
    pub key: PathBuf,
}

/// The log's format and level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// The format of a line.
    pub format: LogFormat,
    /// The lowest level that is logged.
    pub level: tracing::Level,
}

/// The format of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Plain text.
    Text,
    /// A JSON object.
    Json,
}

impl Config {
    /// Warnings for the administrator: the problem, then the fix.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.suites.is_empty() && !self.follows_sources {
            warnings.push("No suite is configured, so nothing can be measured. Add one with --suite PATH.".to_owned());
        }
        if !self.address.ip().is_loopback() && self.tls.is_none() {
            warnings.push(format!(
                "Other machines reach {} without TLS, so the token and the results can be intercepted. Add \
                 --tls-certificate and --tls-key, or listen on 127.0.0.1 behind a TLS proxy.",
                self.address,
            ));
        }
        if self.token.is_none() && !self.hosts.is_empty() {
            let warning = "The runner accepts the configured host names without a token, so every client that reaches it under \
                           one of them can measure. Add --token-file.";
            warnings.push(warning.to_owned());
        }
        warnings
    }

    /// The access policy of a runner that listens on `address`.
    pub fn access_policy(&self, address: SocketAddr) -> AccessPolicy {
        AccessPolicy {
            address,
            tls: self.tls.is_some(),
            hosts: self.hosts.clone(),
            origins: self.origins.clone(),
            token: self.token.clone(),
        }
    }
}
