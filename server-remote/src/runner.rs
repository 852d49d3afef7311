//! The state that all routes and the measurement thread share.

use std::sync::Arc;

use benchbook_host::api::MachineCard;
use tokio::sync::Semaphore;

use crate::assembly::Assembly;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::machine;
use crate::metrics::{Metrics, MetricsReading};
use crate::planned_request::PlannedRequest;
use crate::response_cache::ResponseCache;
use crate::setup::Setup;
use crate::store::{Store, StoreError};

/// The state of a running runner.
pub struct Runner {
    /// Machine, suites and limits.
    pub setup: Setup,
    /// The stored results.
    pub store: Arc<dyn Store>,
    /// Connects clients with the measurement thread.
    pub hub: Hub<PlannedRequest>,
    /// One permit for each stream that may still be opened.
    pub streams: Arc<Semaphore>,
    /// Responses assembled from stored points.
    pub cache: ResponseCache,
    /// Metrics since startup.
    pub metrics: Metrics,
}

impl Runner {
    /// Finds the highest priority, from the requested one up, whose points are all stored. Returns the request at that
    /// priority and the stored response; absent if there is no such priority.
    pub(crate) async fn find_stored(
        self: &Arc<Self>,
        request: &PlannedRequest,
    ) -> Result<Option<(PlannedRequest, Assembly)>, ApiError> {
        let (runner, request) = (Arc::clone(self), request.clone());
        let find = move |store: &dyn Store| {
            for better in request.with_higher_priorities(&runner.setup) {
                let found = store.find(&better.query)?;
                if found.len() == better.query.xs.len() {
                    let assembly = Assembly::new(&runner.setup, &better, found);
                    return Ok(Some((better, assembly)));
                }
            }
            Ok(None)
        };
        self.with_store(find).await
    }

    /// Runs `work` on a blocking thread, since the store waits for the disk.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&*store)).await;
        Ok(done.map_err(|error| StoreError::Database(format!("the query panicked: {error}")))??)
    }

    /// The values that change without being counted.
    pub(crate) async fn read_metrics(&self) -> MetricsReading {
        let processes = self.setup.suites.iter().map(|suite| suite.native.processes()).sum();
        // Without the size, all other metrics are still useful.
        let store_bytes = self.with_store(|store| store.bytes()).await.ok();
        MetricsReading { load: self.hub.load(), processes, store_bytes }
    }

    /// The current card of the machine.
    pub(crate) fn machine_card(&self) -> MachineCard {
        let Setup { name, core, suites, .. } = &self.setup;
        let clock = suites.first().map(|suite| suite.native.clock());
        MachineCard { clock, ..machine::current_card(name, *core) }
    }
}
