//! The runner as a program and as a library: its API, queue, limits, store and access control.
//!
//! One program: its tests wait more than they compute.

mod api;
mod cache;
mod document;
// The recording file system wraps SQLite's one for Unix.
#[cfg(unix)]
mod durability;
mod fairness;
mod fresh;
mod generated_requests;
mod head;
mod history;
mod limits;
mod metrics;
mod misbehaving;
mod notebooks;
mod program;
mod queue;
mod queue_limits;
mod restart;
mod routes;
mod tls;
mod token;
mod uploads;
