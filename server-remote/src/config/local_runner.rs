//! The configuration of a runner inside another program.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use benchbook_host::quality::Qualities;
use tracing::Level;

use super::child_isolation::{ChildIsolation, IsolationMode};
use super::environment::Environment;
use super::numbers::{ChildLimits, Limits};
use super::settings::{Config, LogConfig, LogFormat};
use crate::store::Retention;
use benchbook_accepted::HistoryFolder;

/// A runner for the browsers of this machine, in the program that also builds the suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRunner {
    /// The port on the loopback address. 0 selects any free port.
    pub port: u16,
    /// The file of the results. Its folder may not exist yet.
    pub database: PathBuf,
    /// The folder of accepted results.
    pub history: HistoryFolder,
    /// The folder of a built page; absent for the page inside this program.
    pub page: Option<PathBuf>,
}

impl LocalRunner {
    /// The complete configuration: no suites yet, no isolation, since the suites are this user's own, and otherwise the defaults.
    pub fn config(self, environment: &Environment) -> Config {
        Config {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)),
            tls: None,
            suites: Vec::new(),
            follows_sources: true,
            page: self.page,
            notebooks: None,
            history: Some(self.history),
            uploads: None,
            database: self.database,
            retention: Retention::default(),
            clear: None,
            name: environment.default_name(),
            qualities: Qualities::default(),
            core: environment.measuring_core(),
            limits: Limits::default(),
            children: ChildLimits::default(),
            isolation: ChildIsolation { mode: IsolationMode::None, ..ChildIsolation::default() },
            origins: Vec::new(),
            hosts: Vec::new(),
            token: None,
            is_token_generated: false,
            log: LogConfig { format: LogFormat::Text, level: Level::WARN },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_reaches_it() {
        let history = HistoryFolder { path: PathBuf::from("history"), is_chosen: false };
        let runner = LocalRunner { port: 4040, database: PathBuf::from("results.sqlite"), history, page: None };
        let config = runner.config(&Environment::detect());
        assert!(config.address.ip().is_loopback() && config.address.port() == 4040, "{}", config.address);
    }
}
