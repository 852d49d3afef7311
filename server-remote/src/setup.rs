//! The properties of a runner: its machine, its suites and its limits.

use std::sync::Arc;

use benchbook_host::quality::Qualities;
use benchbook_host::response::{CounterCard, Machine, MachineKind, ProtectionStatus};

use crate::config::Limits;
use crate::history::RunnerHistory;
use crate::notebooks::NotebookFolder;
use crate::suites::build_feed::BuildFeed;
use crate::suites::table::{HostedSuite, SuiteTable};
use crate::suites::uploads::UploadedBuilds;

/// The properties of a runner. All but the suites are fixed at startup. By default, it has no suites.
#[derive(Debug, Default)]
pub struct Setup {
    /// The display name of the machine.
    pub name: String,
    /// Its processor and the measuring core.
    pub processor: Option<String>,
    /// Identifies the machine: results with equal identities come from the same one.
    pub identity: String,
    /// The measuring core; absent if the kernel chooses.
    pub core: Option<u32>,
    /// The suites.
    pub suites: SuiteTable,
    /// Notifies clients of builds; absent if the suites are fixed.
    pub builds: Option<BuildFeed>,
    /// The builds that clients have uploaded; absent if the runner accepts none.
    pub uploads: Option<UploadedBuilds>,
    /// The folder of notebooks; absent if the runner offers none.
    pub notebooks: Option<NotebookFolder>,
    /// The accepted results; absent if the runner stores none.
    pub history: Option<RunnerHistory>,
    /// What protects this machine from the suites.
    pub protections: Vec<ProtectionStatus>,
    /// The meaning of each priority.
    pub qualities: Qualities,
    /// Limits on requests.
    pub limits: Limits,
}

impl Setup {
    /// The build with this fingerprint: of a suite, an earlier one of it, or an uploaded one.
    pub fn build(&self, fingerprint: &str) -> Option<Arc<HostedSuite>> {
        let list = self.suites.current();
        let mut hosted = list.hosted.iter().chain(&list.retained);
        let hosted = hosted.find(|suite| suite.entry.card.fingerprint == fingerprint).cloned();
        hosted.or_else(|| self.uploads.as_ref()?.find(fingerprint))
    }

    /// The hardware counters, as the first suite found them: all suites are started in the same way. Absent without suites.
    pub fn counters(&self) -> Option<CounterCard> {
        self.suites.current().hosted.first().map(|suite| CounterCard::new(suite.native.counters()))
    }

    /// The machine as it appears in responses, with the suite's clock card.
    pub fn machine(&self, suite: &HostedSuite) -> Machine {
        Machine {
            kind: MachineKind::Native,
            name: self.name.clone(),
            id: None,
            processor: self.processor.clone(),
            clock: suite.native.clock(),
        }
    }
}
