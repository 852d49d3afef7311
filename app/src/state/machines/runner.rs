//! The connection to a runner: a native measuring server on this or another machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use benchbook_contract::catalog::{Function, Suite};
use benchbook_host::alternative::build_id;
use benchbook_host::api::{BuildReport, SuiteEntry};
use benchbook_host::fingerprint::lists_all_of;
use benchbook_host::response::{CounterCard, Machine, MachineKind, SuiteCard};

use super::runner_builds::RunnerBuilds;
use crate::state::suites::loaded_suite::LoadedSuite;

/// The runner and its connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunnerState {
    /// Its endpoint; `None` without a runner.
    pub(crate) endpoint: Option<RunnerEndpoint>,
    /// The status of the connection.
    pub(crate) status: RunnerStatus,
    /// The name of its machine; empty until it responds.
    pub(crate) name: String,
    /// The hardware counters of its machine; absent until it responds, and if it does not report them.
    pub(crate) counters: Option<CounterCard>,
    /// The suites that it measures.
    suites: Vec<SuiteCard>,
    /// The earlier builds that it keeps, by the name of their suite; latest first.
    retained: BTreeMap<String, Vec<String>>,
    /// The names of the suites whose wasm instructions it can count.
    countable: BTreeSet<String>,
    /// The catalogs of the current and the kept builds, as far as this page has seen them.
    catalogs: Vec<BuildCatalog>,
    /// The number of running and waiting measurements.
    pub(crate) busy: u32,
    /// The number of immediate connection attempts: one whenever a runner is chosen, and one whenever the connection is
    /// lost during a measurement.
    pub(crate) attempts: u32,
}

/// The catalog of a build of the runner.
#[derive(Clone, Debug)]
struct BuildCatalog {
    build: String,
    suite: Rc<Suite>,
}

impl PartialEq for BuildCatalog {
    /// The build identifies its catalog.
    fn eq(&self, other: &Self) -> bool {
        self.build == other.build
    }
}

/// The address of a runner and its token.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunnerEndpoint {
    /// Its address, absolute or relative to the page, with a trailing slash.
    pub(crate) address: String,
    /// Its token; empty if it requires none.
    pub(crate) token: String,
}

/// The status of the connection to the runner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum RunnerStatus {
    /// It has not responded yet.
    #[default]
    Connecting,
    /// It responds.
    Ready,
    /// It does not respond at the moment; a sentence.
    Unreachable(String),
    /// It is unusable until the user follows the advice; a sentence.
    Rejected(String),
}

/// The reason why a request failed: a sentence that says how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RunnerError {
    /// It may disappear without intervention.
    Temporary(String),
    /// The runner responds, but has no room for the request.
    Busy(String),
    /// It requires the user's intervention.
    Permanent(String),
}

/// An event of the runner.
#[derive(Clone, Debug)]
pub(crate) enum RunnerAction {
    /// The site configuration or the user chose a runner.
    Chosen(Option<RunnerEndpoint>),
    /// It responded with its name, its hardware counters and its suites.
    Connected(String, Option<CounterCard>, Vec<SuiteCard>),
    /// It listed its suites.
    Listed(Vec<SuiteEntry>),
    /// It reported the state of its builds.
    Built(BuildReport),
    /// It reported the number of running and waiting measurements.
    Busy(u32),
    /// A request to it failed.
    Failed(RunnerError),
    /// The connection broke during a measurement: reconnects immediately.
    Lost,
}

impl RunnerEndpoint {
    /// The endpoint for an address as a user types it.
    pub(crate) fn new(address: &str, token: &str) -> Self {
        let address = address.trim();
        let slash = if address.ends_with('/') { "" } else { "/" };
        Self { address: format!("{address}{slash}"), token: token.trim().to_owned() }
    }

    /// The URL of a path in its API.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}api/v1/{path}", self.address)
    }

    /// Whether its address has another origin than the page, whose origin this is.
    fn is_other_host(&self, origin: &str) -> bool {
        self.address.contains("://") && !self.address.starts_with(&format!("{origin}/"))
    }

    /// The error for a response's status and message, for a page from `origin`; see `static/runner_request.js`.
    pub(crate) fn error(&self, origin: &str, status: i32, message: &str) -> RunnerError {
        let address = &self.address;
        let is_local =
            ["http://localhost", "http://127.", "http://[::1]"].iter().any(|start| address.starts_with(start));
        let is_mixed_content = origin.starts_with("https:") && address.starts_with("http:") && !is_local;
        match status {
            _ if is_mixed_content => RunnerError::Permanent(format!(
                "An https page cannot access {address} over http. Give the runner a certificate, or open its own page."
            )),
            -1 if self.is_other_host(origin) => RunnerError::Permanent(
                "The browser blocks access to your local network. Allow it in the settings of this site.".to_owned(),
            ),
            ..=0 if self.is_other_host(origin) => RunnerError::Temporary(format!(
                "{address} does not respond. Start the runner, and list {origin} in its `origins`."
            )),
            ..=0 => RunnerError::Temporary("The runner does not respond. Start it, or choose another one.".to_owned()),
            401 => {
                RunnerError::Permanent("The runner requires a token. Use the one that it prints at startup.".to_owned())
            }
            // A runner's own rejection always has a message.
            200 | 404 if message.is_empty() => RunnerError::Permanent(format!(
                "There is no runner at {address}, or its version does not match this page. Check the address, or update the runner."
            )),
            429 => RunnerError::Busy(format!("The runner is busy. {message}").trim_end().to_owned()),
            400..=428 => RunnerError::Permanent(format!("The runner rejected the request: {message}")),
            _ => RunnerError::Temporary(format!("The runner failed: {message}")),
        }
    }
}

impl RunnerError {
    /// The sentence.
    pub(crate) fn message(&self) -> &str {
        let (Self::Temporary(message) | Self::Busy(message) | Self::Permanent(message)) = self;
        message
    }
}

impl RunnerState {
    /// Checks that it measures this suite, with the same version, and a catalog that is the same or has more functions.
    ///
    /// # Errors
    /// The difference and how to fix it.
    fn check_suite(&self, loaded: &LoadedSuite) -> Result<(), String> {
        let (name, card) = (&loaded.suite.name, &loaded.card);
        match self.suites.iter().find(|suite| suite.name == *name) {
            None => {
                Err(format!("The runner lacks the suite {name}. Start it with --suite and the suite's executable."))
            }
            Some(suite) if suite.version == card.version && suite.catalog_hash == card.catalog_hash => Ok(()),
            Some(_) if self.whole_catalog(&loaded.suite).is_some() => Ok(()),
            Some(suite) => Err(format!(
                "The runner's build of {name} (version {}) differs from this page's (version {}). Build both from the same sources.",
                suite.version, card.version
            )),
        }
    }

    /// The runner's current catalog of a suite, if it lists everything that the page's does: a module leaves out what panics in a browser.
    fn whole_catalog(&self, suite: &Suite) -> Option<&Suite> {
        let card = self.suites.iter().find(|card| card.name == suite.name)?;
        self.catalog_of(build_id(&card.fingerprint)).filter(|whole| lists_all_of(whole, suite))
    }

    /// Adds the functions that only the runner lists to a suite of the page.
    pub(crate) fn complete(&self, loaded: &mut Rc<LoadedSuite>) {
        let Some(whole) = self.whole_catalog(&loaded.suite) else { return };
        let is_new = |function: &&Function| loaded.suite.function(&function.path).is_none();
        let new: Vec<Function> = whole
            .functions
            .iter()
            .filter(is_new)
            .map(|function| Function { native: true, ..function.clone() })
            .collect();
        if !new.is_empty() {
            let suite = &mut Rc::make_mut(loaded).suite;
            suite.functions.extend(new);
            suite.functions.sort_by(|one, other| one.path.cmp(&other.path));
            suite.generators.clone_from(&whole.generators);
        }
    }

    /// The build of this suite that it measures; `None` if it cannot measure the suite at the moment.
    pub(crate) fn card_for(&self, loaded: &LoadedSuite) -> Option<&SuiteCard> {
        self.endpoint_for(loaded)?;
        self.suites.iter().find(|suite| suite.name == loaded.suite.name)
    }

    /// The endpoint for measuring this suite; `None` if that is impossible at the moment.
    pub(crate) fn endpoint_for(&self, loaded: &LoadedSuite) -> Option<&RunnerEndpoint> {
        self.endpoint.as_ref().filter(|_| self.status == RunnerStatus::Ready && self.check_suite(loaded).is_ok())
    }

    /// The reason why it cannot measure this suite, as a sentence; `None` if it can, is connecting, or does not exist.
    pub(crate) fn problem(&self, loaded: &LoadedSuite) -> Option<String> {
        self.endpoint.as_ref()?;
        match &self.status {
            RunnerStatus::Connecting => None,
            RunnerStatus::Ready => self.check_suite(loaded).err(),
            RunnerStatus::Unreachable(message) | RunnerStatus::Rejected(message) => Some(message.clone()),
        }
    }

    /// Its machine before it reports its clock, with the clock of `here` instead.
    pub(crate) fn machine(&self, here: Machine) -> Machine {
        Machine { kind: MachineKind::Native, name: self.name.clone(), id: None, processor: None, ..here }
    }

    /// The latest earlier build of this suite that it can measure together with the current one.
    pub(crate) fn earlier_build(&self, loaded: &LoadedSuite) -> Option<&str> {
        self.retained_builds(loaded)?.first().map(String::as_str)
    }

    /// The earlier builds of this suite that it keeps, latest first; `None` if it cannot measure the suite at the moment.
    pub(crate) fn retained_builds(&self, loaded: &LoadedSuite) -> Option<&[String]> {
        self.endpoint_for(loaded)?;
        Some(self.retained.get(&loaded.suite.name).map_or(&[], Vec::as_slice))
    }

    /// The builds of this suite that it can measure together; `None` if it cannot measure the suite at the moment.
    pub(crate) fn builds(&self, loaded: &LoadedSuite) -> Option<RunnerBuilds> {
        Some(RunnerBuilds::new(&self.card_for(loaded)?.fingerprint, self.retained_builds(loaded)?))
    }

    /// The catalog of a build; `None` if the runner has replaced the build before this page was opened.
    pub(crate) fn catalog_of(&self, build: &str) -> Option<&Suite> {
        self.catalogs.iter().find(|catalog| catalog.build == build).map(|catalog| &*catalog.suite)
    }

    /// Whether it can measure this suite at the moment, and count its wasm instructions.
    pub(crate) fn can_count(&self, loaded: &LoadedSuite) -> bool {
        self.endpoint_for(loaded).is_some() && self.countable.contains(&loaded.suite.name)
    }

    /// Records what the runner lists: the builds that it keeps, the catalogs of the current ones, and whose wasm instructions it can count.
    pub(crate) fn set_listed(&mut self, entries: &[SuiteEntry]) {
        let countable = entries.iter().filter(|entry| entry.can_count);
        self.countable = countable.map(|entry| entry.suite.name.clone()).collect();
        let retained = entries.iter().map(|entry| (entry.suite.name.clone(), entry.retained.clone()));
        self.retained = retained.collect();
        let is_retained = |build: &String| self.retained.values().flatten().any(|retained| retained == build);
        self.catalogs.retain(|catalog| is_retained(&catalog.build));
        self.catalogs.extend(entries.iter().map(|entry| BuildCatalog {
            build: build_id(&entry.card.fingerprint).to_owned(),
            suite: Rc::new(entry.suite.clone()),
        }));
    }

    pub(crate) fn apply(&mut self, action: RunnerAction) {
        match action {
            RunnerAction::Chosen(endpoint) => {
                *self = Self { endpoint, attempts: self.attempts + 1, ..Self::default() };
            }
            RunnerAction::Connected(name, counters, suites) => {
                (self.status, self.name) = (RunnerStatus::Ready, name);
                (self.counters, self.suites) = (counters, suites);
            }
            // The page takes care of these.
            RunnerAction::Listed(_) | RunnerAction::Built(_) => {}
            RunnerAction::Busy(busy) => self.busy = busy,
            RunnerAction::Failed(RunnerError::Busy(_)) if self.status == RunnerStatus::Ready => {}
            RunnerAction::Failed(RunnerError::Temporary(message) | RunnerError::Busy(message)) => {
                self.status = RunnerStatus::Unreachable(message);
            }
            RunnerAction::Failed(RunnerError::Permanent(message)) => self.status = RunnerStatus::Rejected(message),
            RunnerAction::Lost => {
                self.status = RunnerStatus::Connecting;
                self.attempts += 1;
            }
        }
    }
}
