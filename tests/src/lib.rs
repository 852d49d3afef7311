//! What the tests of whole programs have in common: the programs, and hosts that drive them.

pub mod browser;
pub mod native;
pub mod notebook;
pub mod requests;
pub mod server;
pub mod suites;
pub mod wasm;
pub mod weight;
