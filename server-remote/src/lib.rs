//! The runner: measures suites natively on a reference machine, for many people at once.
//!
//! It spawns suite executables and never runs a measured function in its own process.

pub mod access;
pub mod answer;
pub mod ask;
pub mod config;
pub mod connections;
pub mod counted;
pub mod error;
pub mod hub;
pub mod kept;
pub mod log;
pub mod machine;
pub mod measuring;
pub mod queue;
pub mod routes;
pub mod runner;
pub mod service;
pub mod signals;
pub mod store;
pub mod tls;
