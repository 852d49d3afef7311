//! The runner as a program and as a library: its API, queue, limits, store and access control.
//!
//! One program: its tests wait more than they compute.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

mod api;
mod assembly;
mod cache;
mod counting;
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
#[cfg(target_os = "linux")]
mod misbehaving;
#[cfg(unix)]
mod notebooks;
#[cfg(unix)]
mod program;
mod queue;
mod queue_limits;
#[cfg(target_os = "linux")]
mod restart;
mod routes;
mod tls;
mod token;
#[cfg(target_os = "linux")]
mod uploads;

/// The token of the runners that require one.
const TOKEN: &str = "a-token-of-sufficient-length-0123";
