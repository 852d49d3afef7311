//! The runner: measures suites natively on a reference machine, for many clients.
//!
//! It spawns suite executables and never runs a measured function in its own process.

pub mod access;
pub mod assembly;
pub mod assets;
pub mod build_feed;
pub mod config;
pub mod connections;
pub mod core_turns;
pub mod costs;
mod daily;
mod error;
pub mod history;
pub mod hub;
mod largest;
pub mod logging;
pub mod maintenance;
pub mod measurement_thread;
pub mod measurement_work;
pub mod metrics;
pub mod notebooks;
pub mod planned_request;
pub mod process;
pub mod profile;
mod protections;
pub mod queue;
pub mod response_cache;
pub mod routes;
pub mod runner;
pub mod secrets;
pub mod service;
pub mod service_files;
pub mod setup;
pub mod signals;
pub mod store;
pub mod streams;
pub mod suite_table;
pub mod suite_updates;
mod suites;
pub mod tls;
pub mod uploads;
