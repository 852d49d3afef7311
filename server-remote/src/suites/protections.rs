//! Protects this machine from the suites: determines what the system supports.

use anyhow::{Context, Result, ensure};
use benchbook_host::child::{ChildSettings, EventSource, Reaper};
use benchbook_host::response::ProtectionStatus;
use benchbook_isolate::{Isolation, Launcher, Protection};

use crate::config::{ChildIsolation, Config, IsolationMode, SuiteFiles};
use crate::secrets;
use crate::suites::table::HostedSuite;

/// How the processes of suites are started, and which protections apply to them.
#[derive(Clone, Debug)]
pub(crate) struct Protections {
    launcher: Option<Launcher>,
    reaper: Option<Reaper>,
    isolation: Isolation,
    statuses: Vec<ProtectionStatus>,
}

impl Protections {
    /// Determines what the system supports, and logs what it does not.
    ///
    /// # Errors
    /// If the configuration requires isolation, and the system does not support all of it.
    pub(crate) fn determine(config: &ChildIsolation) -> Result<Self> {
        let reaper = Reaper::start()
            .inspect_err(|reason| tracing::warn!("processes of suites may survive if the runner is killed: {reason}"))
            .ok();
        let launcher = Launcher::own_program()
            .inspect_err(|reason| tracing::warn!("processes of suites run without limits: {reason}"))
            .ok();
        let (isolation, missing) = match (&launcher, config.mode) {
            (_, IsolationMode::None) => (Isolation::default(), without_all("disabled (`isolation`)")),
            (Some(launcher), _) => {
                let supported = launcher.supported(&requested(config));
                supported.context("failed to start suites; `children.user` requires that root starts the runner")?
            }
            (None, _) => (Isolation::default(), without_all("this system cannot start suites through a launcher")),
        };
        ensure!(
            config.user.is_none() || isolation.user.is_some(),
            "`children.user` has no effect with `isolation = \"none\"`, or on this system: remove one of the two"
        );
        if config.mode != IsolationMode::None {
            let texts: Vec<String> = missing.iter().map(|(missing, reason)| format!("{missing} ({reason})")).collect();
            ensure!(
                config.mode != IsolationMode::Required || missing.is_empty(),
                "isolation is required, but this system lacks {}; docs/runner.md explains how to provide it, or start with \
                 --isolation best",
                texts.join(", ")
            );
            texts.iter().for_each(|text| tracing::warn!("suites run without {text}"));
        }
        let status = |protection: Protection| {
            let reason = missing.iter().find(|(missing, _)| *missing == protection).map(|(_, reason)| reason.clone());
            ProtectionStatus { name: protection.name().to_owned(), active: reason.is_none(), reason }
        };
        let mut statuses: Vec<ProtectionStatus> = Protection::ALL.map(status).into();
        statuses.push(private_memory());
        Ok(Self { launcher, reaper, isolation, statuses })
    }

    /// All protections, and whether the limits apply to all suites.
    pub(crate) fn statuses_with_limits(&self, suites: &[HostedSuite]) -> Vec<ProtectionStatus> {
        let unenforced = suites.iter().flat_map(|suite| suite.native.unenforced()).next();
        let reason = match (&self.launcher, unenforced) {
            (None, _) => Some("this system cannot start suites through a launcher".to_owned()),
            (Some(_), violation) => violation.cloned(),
        };
        let limits = ProtectionStatus { name: "limits".to_owned(), active: reason.is_none(), reason };
        self.statuses.iter().cloned().chain([limits]).collect()
    }

    /// How the processes of a suite are started.
    pub(crate) fn settings(&self, config: &Config, suite: &SuiteFiles) -> ChildSettings {
        let may_start_processes = config.isolation.may_start_processes.contains(&suite.executable);
        ChildSettings {
            launcher: self.launcher.clone(),
            guard: config.children.guard(config.core),
            isolation: Isolation { may_start_processes, ..self.isolation.clone() },
            reaper: self.reaper.clone(),
            scratch: config.isolation.scratch.clone(),
            counted_events: EventSource::Hardware,
            environment: suite.environment.clone(),
            task: None,
        }
    }
}

/// Hides the memory of the runner.
fn private_memory() -> ProtectionStatus {
    let hidden = secrets::hide_memory();
    if let Err(reason) = &hidden {
        tracing::warn!("other processes of the runner's user can read its memory: {reason}");
    }
    let reason = hidden.err().map(|reason| reason.to_string());
    ProtectionStatus { name: "private_memory".to_owned(), active: reason.is_none(), reason }
}

/// The isolation of a suite that may not start processes.
fn requested(config: &ChildIsolation) -> Isolation {
    Isolation {
        readable: config.readable.clone(),
        scratch_bytes: config.scratch.is_none().then_some(config.scratch_bytes),
        user: config.user,
        ..Isolation::full()
    }
}

fn without_all(reason: &str) -> Vec<(Protection, String)> {
    Protection::ALL.map(|protection| (protection, reason.to_owned())).into()
}
