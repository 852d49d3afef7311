//! The state that all routes and the measurement thread share.

use std::sync::Arc;

use benchbook_host::response::MachineCard;

use crate::error::ApiError;
use crate::hub::{Hub, StreamLimits, Streams};
use crate::measure::assembly::Assembly;
use crate::measure::costs::Costs;
use crate::measure::planned_request::PlannedRequest;
use crate::measure::response_cache::ResponseCache;
use crate::measure::work::MeasurementWork;
use crate::metrics::{Metrics, MetricsReading};
use crate::queue::{CoreTurns, QueueBounds};
use crate::setup::Setup;
use crate::store::{Store, StoreError};
use crate::suites::uploads::UploadedBuilds;
use benchbook_accepted::machine;

/// The state of a running runner.
pub struct Runner {
    /// Machine, suites and limits.
    pub setup: Setup,
    /// The stored results.
    pub store: Arc<dyn Store>,
    /// Connects clients with the measurement thread.
    pub hub: Hub<MeasurementWork>,
    /// The open streams.
    pub streams: Arc<Streams>,
    /// The turns on the measuring core.
    pub core: Arc<CoreTurns>,
    /// What measurements cost.
    pub costs: Costs,
    /// Responses assembled from stored points.
    pub cache: ResponseCache,
    /// Metrics since startup.
    pub metrics: Metrics,
}

/// The maximum duration of requests at priority 1 that precede others, in expected milliseconds: first curves take less.
const QUICK_MS: u64 = 2_000;

impl Runner {
    /// A runner without clients.
    pub fn new(setup: Setup, store: Arc<dyn Store>, metrics: Metrics) -> Self {
        let limits = setup.limits;
        let bounds = QueueBounds {
            clients: limits.clients as usize,
            client_ms: 1_000 * u64::from(limits.queued_seconds),
            address_ms: 1_000 * u64::from(limits.queued_seconds_per_address),
            quick_ms: QUICK_MS,
        };
        let streams = StreamLimits {
            total: limits.streams,
            client: limits.streams_per_client,
            address: limits.streams_per_address,
        };
        Self {
            setup,
            store,
            hub: Hub::new(bounds),
            streams: Arc::new(Streams::new(streams)),
            core: Arc::default(),
            costs: Costs::default(),
            cache: ResponseCache::default(),
            metrics,
        }
    }

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
        Ok(done.map_err(|error| {
            let problem = format!("a query of the stored results panicked: {error}");
            StoreError::Database(format!("{problem}. Report this as a bug of benchbook-server."))
        })??)
    }

    /// The values that change without being counted.
    pub(crate) async fn read_metrics(&self) -> MetricsReading {
        let list = self.setup.suites.current();
        let of_suites = list.hosted.iter().map(|suite| suite.native.processes());
        let processes = of_suites.chain(self.setup.uploads.iter().map(UploadedBuilds::processes)).sum();
        // Without the size, all other metrics are still useful.
        let store_bytes = self.with_store(|store| store.bytes()).await.ok();
        MetricsReading { load: self.hub.load(), processes, store_bytes, unreadable_rows: self.store.unreadable_rows() }
    }

    /// The current card of the machine.
    pub(crate) fn machine_card(&self) -> MachineCard {
        let Setup { name, core, suites, protections, .. } = &self.setup;
        let counters = self.setup.counters();
        let clock = suites.current().hosted.first().map(|suite| suite.native.clock());
        MachineCard { clock, counters, protections: protections.clone(), ..machine::current_card(name, *core) }
    }
}
