//! The runner: measures suites natively on a reference machine, for many clients.
//!
//! It spawns suite executables and never runs a measured function in its own process.

pub mod config;
mod error;
pub mod history;
pub mod http;
pub mod hub;
pub mod logging;
pub mod maintenance;
pub mod measure;
pub mod metrics;
pub mod notebooks;
pub mod profile;
pub mod queue;
pub mod secrets;
pub mod service;
pub mod setup;
pub mod store;
pub mod suites;
