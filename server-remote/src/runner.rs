//! What a running runner has, shared by all that answer.

use std::sync::Arc;

use axum::body::Bytes;
use benchbook_host::api::{MachineCard, SuiteEntry};
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Qualities;
use benchbook_host::response::{Machine, MachineKind};
use tokio::sync::Semaphore;

use crate::answer::Assembly;
use crate::ask::Ask;
use crate::config::Limits;
use crate::counted::Counted;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::kept::Kept;
use crate::machine;
use crate::store::{Store, StoreError};

/// All that answers and measures.
pub struct Runner {
    /// What people call its machine.
    pub name: String,
    /// What makes results be of the same machine.
    pub identity: String,
    /// The core that measures; absent: whichever the system gives.
    pub core: Option<u32>,
    /// Its suites, in the order of its configuration.
    pub suites: Vec<Offered>,
    /// What each priority means.
    pub qualities: Qualities,
    /// How much it takes.
    pub limits: Limits,
    /// Where results are.
    pub store: Arc<dyn Store>,
    /// Where those who ask and the one that measures meet.
    pub hub: Hub<Ask>,
    /// Streams that may still be opened.
    pub streams: Arc<Semaphore>,
    /// Answers that were found, as they were given.
    pub kept: Kept,
    /// What happened so far.
    pub counted: Counted,
}

/// A suite that can be measured.
#[derive(Debug)]
pub struct Offered {
    /// Its executable.
    pub native: NativeSuite,
    /// What clients are told of it.
    pub offer: SuiteEntry,
    /// Its wasm twin, where there is one.
    pub wasm: Option<Bytes>,
}

impl Offered {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.native.suite().name
    }
}

impl Runner {
    /// The whole answer where it is stored, at the highest priority for which it is, with what would have been asked for
    /// that.
    pub(crate) async fn find(self: &Arc<Self>, ask: &Ask) -> Result<Option<(Ask, Assembly)>, ApiError> {
        let (runner, ask) = (Arc::clone(self), ask.clone());
        let find = move |store: &dyn Store| {
            for better in ask.and_better(&runner) {
                let found = store.find(&better.question)?;
                if found.len() == better.question.xs.len() {
                    let assembly = Assembly::new(&runner, &better, found);
                    return Ok(Some((better, assembly)));
                }
            }
            Ok(None)
        };
        self.with_store(find).await
    }

    /// Does something with the store, off the threads that answer everyone.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&*store)).await;
        Ok(done.map_err(|error| StoreError::Database(format!("it broke off: {error}")))??)
    }

    /// The machine's card as it is now.
    pub(crate) fn machine_card(&self) -> MachineCard {
        let clock = self.suites.first().map(|offered| offered.native.clock());
        MachineCard { clock, ..machine::here(&self.name, self.core) }
    }

    /// What a response says of where a suite was measured.
    pub(crate) fn machine_of(&self, offered: &Offered) -> Machine {
        Machine { kind: MachineKind::Native, name: self.name.clone(), clock: offered.native.clock() }
    }
}
