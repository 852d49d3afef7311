//! Notifies clients of the builds of suites that follow their sources.

use benchbook_host::api::{BuildProblem, BuildReport};
use tokio::sync::watch::{Receiver, Sender};

/// The state of the builds, which clients follow until the runner shuts down.
#[derive(Debug)]
pub struct BuildFeed {
    /// `None` once the runner is shutting down.
    report: Sender<Option<BuildReport>>,
}

impl BuildFeed {
    /// Reports that a build has started. Earlier problems remain until it ends.
    pub fn start(&self) {
        self.change(|report| report.building = true);
    }

    /// Reports that the build has ended. `is_replaced`: whether it has replaced suites.
    pub fn end(&self, is_replaced: bool, problems: Vec<BuildProblem>) {
        self.change(|report| {
            let revision = report.revision + u64::from(is_replaced);
            *report = BuildReport { revision, building: false, problems };
        });
    }

    /// Ends all streams, since the runner is shutting down.
    pub fn close(&self) {
        self.report.send_replace(None);
    }

    pub(crate) fn follow(&self) -> Receiver<Option<BuildReport>> {
        self.report.subscribe()
    }

    fn change(&self, change: impl FnOnce(&mut BuildReport)) {
        self.report.send_modify(|report| {
            if let Some(report) = report {
                change(report);
            }
        });
    }
}

impl Default for BuildFeed {
    /// Before the first build.
    fn default() -> Self {
        Self { report: Sender::new(Some(BuildReport::default())) }
    }
}
