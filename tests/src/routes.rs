//! The runner's routes without a network, and with nobody who measures.

use std::sync::Arc;

use axum::Router;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::Qualities;
use benchbook_server::config::Limits;
use benchbook_server::counted::Counted;
use benchbook_server::hub::Hub;
use benchbook_server::kept::Kept;
use benchbook_server::queue::Bounds;
use benchbook_server::runner::{Offered, Runner};
use benchbook_server::store::MemoryStore;
use tokio::sync::Semaphore;

/// The routes of a runner that has this suite, nothing stored, and room for many.
pub fn routes(native: NativeSuite) -> Router {
    let offer = SuiteEntry { suite: native.suite().clone(), card: native.card().clone(), wasm: None };
    let runner = Runner {
        name: "bench-01".to_owned(),
        identity: "bench-01, a processor, a kernel".to_owned(),
        core: None,
        suites: vec![Offered { native, offer, wasm: None }],
        qualities: Qualities::default(),
        limits: Limits { streams: 100_000, clients: 100_000, queued_seconds: 1_000_000, ..Limits::default() },
        store: Arc::new(MemoryStore::default()),
        hub: Hub::new(Bounds { clients: 100_000, client_ms: 1_000_000_000 }),
        streams: Arc::new(Semaphore::new(100_000)),
        kept: Kept::default(),
        counted: Counted::default(),
    };
    benchbook_server::routes::app(Arc::new(runner), None)
}
