//! What the tests of whole programs have in common: the programs, and hosts that drive them.

pub mod axe;
pub mod browser;
pub mod chromium;
pub mod conditions;
pub mod debugger;
pub mod disturb;
pub mod figures;
pub mod focus;
pub mod fuzz;
pub mod liar;
pub mod listener;
pub mod looks;
pub mod method;
pub mod native;
pub mod notebook;
pub mod openapi;
pub mod plot;
pub mod ready;
pub mod requests;
pub mod runner;
pub mod runner_site;
pub mod server;
pub mod sites;
pub mod suites;
pub mod wasm;
pub mod weight;
