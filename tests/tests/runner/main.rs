//! The runner as a program and as a library: its API, queue, limits, store and access control.
//!
//! One program: its tests wait more than they compute.

mod api;
mod cache;
mod cancel;
mod document;
mod fairness;
mod fresh;
mod generated_requests;
mod head;
mod history;
mod limits;
mod metrics;
mod misbehaving;
mod notebooks;
mod partial;
mod program;
mod queue;
mod restart;
mod timeouts;
mod tls;
mod token;
mod uploads;
