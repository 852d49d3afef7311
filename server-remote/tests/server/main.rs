//! The server's library: its configuration, its store, and the routes that tests can request without a network.

mod access;
mod assembly;
mod config;
mod database;
mod encodings;
mod golden_files;
mod maintenance;
mod page;
mod retention;
mod routes;
mod schedules;
mod schemas;
mod service_files;
#[cfg(unix)]
mod signals;
mod store;
mod store_files;
mod tls;
