//! The runner's routes without a network or a measuring thread.

use std::sync::Arc;

use axum::Router;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;
use benchbook_server::config::Limits;
use benchbook_server::metrics::Metrics;
use benchbook_server::runner::Runner;
use benchbook_server::setup::Setup;
use benchbook_server::suite_table::HostedSuite;
use benchbook_store_support::MemoryStore;

/// The routes of a runner with this suite, an empty store, and limits that no test reaches.
pub fn routes(native: NativeSuite) -> Router {
    let entry =
        SuiteEntry { suite: native.suite().clone(), card: native.card().clone(), wasm: None, retained: Vec::new() };
    let setup = Setup {
        name: "bench-01".to_owned(),
        identity: "bench-01, a processor, a kernel".to_owned(),
        suites: vec![HostedSuite { native, entry, wasm: None }].into(),
        limits: Limits {
            streams: 100_000,
            streams_per_address: 100_000,
            clients: 100_000,
            queued_seconds: 1_000_000,
            queued_seconds_per_address: 1_000_000,
            ..Limits::default()
        },
        ..Setup::default()
    };
    let runner = Runner::new(setup, Arc::new(MemoryStore::default()), Metrics::default());
    benchbook_server::routes::app(Arc::new(runner), Arc::default())
}
