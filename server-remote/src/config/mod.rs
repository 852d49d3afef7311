//! The configuration: from the command line, the environment and a file, in this order of precedence.
//!
//! All three are read in the same way, so that what is wrong anywhere is told with its place, its value and what is
//! allowed, all of it at once. Whoever holds a [`Config`] need not look again at what is in it.

mod arguments;
mod configure;
mod file;
mod files;
mod forget;
mod keys;
mod limits;
mod network;
mod places;
mod problem;
mod qualities;
mod read;
mod surroundings;
mod values;

use std::net::SocketAddr;
use std::path::PathBuf;

use benchbook_host::quality::Qualities;

use crate::access::{Origin, Token};

pub use forget::{Forget, ask_to_forget};
pub use limits::{ChildLimits, Limits};
pub use places::Place;
pub use problem::{ConfigProblem, ReadError};
pub use surroundings::Surroundings;

/// All that a runner is told at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// Absent: plain HTTP.
    pub tls: Option<TlsFiles>,
    /// The suites that it measures, in the order told.
    pub suites: Vec<SuiteFiles>,
    /// The folder of the built notebook; absent: it serves none.
    pub page: Option<PathBuf>,
    /// The file of its results. Its folder may be missing still.
    pub database: PathBuf,
    /// Whether stored results are to be forgotten at the start.
    pub forget: Option<Forget>,
    /// What people call this machine.
    pub name: String,
    /// What each priority means.
    pub qualities: Qualities,
    /// The core that children are pinned to; absent: wherever the kernel puts them.
    pub core: Option<u32>,
    /// What clients may ask for.
    pub limits: Limits,
    /// What each child process may use.
    pub children: ChildLimits,
    /// Pages of these may use it from elsewhere.
    pub origins: Vec<Origin>,
    /// Host names that it answers to, beside its address; in small letters.
    pub hosts: Vec<String>,
    /// Absent: everybody who reaches it may use it, which only this machine's users can.
    pub token: Option<Token>,
    /// Whether the token was made right now, and so must be told to the person at the terminal: nobody else knows it.
    pub token_is_new: bool,
    /// What is logged and how.
    pub log: Log,
}

/// Where the certificate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and those that vouch for it, PEM.
    pub certificate: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
}

/// A native suite and what the page gets of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFiles {
    /// What is measured.
    pub executable: PathBuf,
    /// Its wasm twin, the file of the same stem beside it; absent where there is none.
    pub wasm: Option<PathBuf>,
}

/// What is logged and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    /// Lines for people or for machines.
    pub format: LogFormat,
    /// The least that is logged.
    pub level: tracing::Level,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line for people.
    Text,
    /// A JSON object a line.
    Json,
}

impl Config {
    /// What the person who starts it should know, each with what to do.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.suites.is_empty() {
            warnings.push("no suite is given, so nothing can be measured: name one with --suite PATH".to_owned());
        }
        if !self.address.ip().is_loopback() && self.tls.is_none() {
            warnings.push(format!(
                "{} is reached from other machines without TLS: token and results can be read on the way. Give \
                 --tls-certificate and --tls-key, or listen at 127.0.0.1 behind a proxy that has TLS",
                self.address,
            ));
        }
        warnings
    }
}
