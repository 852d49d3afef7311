//! The runner's routes without a network or a measuring thread.

use std::sync::Arc;

use axum::Router;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;
use benchbook_server::config::Limits;
use benchbook_server::measure::runner::Runner;
use benchbook_server::metrics::Metrics;
use benchbook_server::setup::Setup;
use benchbook_server::suites::code::SuiteCode;
use benchbook_server::suites::table::HostedSuite;
use benchbook_store_support::MemoryStore;

/// A runner with this suite, and limits that no test reaches.
pub fn setup(native: NativeSuite) -> Setup {
    let entry = SuiteEntry {
        suite: native.suite().clone(),
        card: native.card().clone(),
        wasm: None,
        can_count: false,
        retained: Vec::new(),
    };
    Setup {
        name: "bench-01".to_owned(),
        identity: "bench-01, a processor, a kernel".to_owned(),
        suites: vec![HostedSuite { native, entry, wasm: None, code: SuiteCode::default() }].into(),
        limits: Limits {
            streams: 100_000,
            streams_per_address: 100_000,
            clients: 100_000,
            queued_seconds: 1_000_000,
            queued_seconds_per_address: 1_000_000,
            ..Limits::default()
        },
        ..Setup::default()
    }
}

/// The routes of a runner with an empty store.
pub fn routes(setup: Setup) -> Router {
    let runner = Runner::new(setup, Arc::new(MemoryStore::default()), Metrics::default());
    benchbook_server::http::routes::app(Arc::new(runner), Arc::default())
}
