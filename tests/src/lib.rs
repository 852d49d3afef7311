//! Shared code of the end-to-end tests: the programs under test, and the hosts that drive them.
//!
//! What returns a `Result` fails its test with the error, so comments only mention errors that a reader would not expect.

/// The examples of the guides, which use the names that users give to the crates.
#[cfg(doctest)]
#[doc = include_str!("../../docs/from-criterion.md")]
struct GuideFromCriterion;

#[cfg(doctest)]
#[doc = include_str!("../../docs/from-divan.md")]
struct GuideFromDivan;

pub mod accepted_history;
pub mod appearance;
pub mod axe;
pub mod browser;
pub mod checked_crate;
pub mod chromium;
pub mod ci_templates;
pub mod crashes;
pub mod criterion_crates;
pub mod debugger;
pub mod documentation;
pub mod fake_suite;
pub mod full_notebook;
pub mod fuzz;
pub mod hosted;
pub mod interference;
pub mod listener;
pub mod method;
pub mod metrics;
pub mod native;
pub mod notebook;
pub mod openapi;
pub mod other_browsers;
pub mod own_crate;
pub mod packages;
pub mod planted;
pub mod plot;
pub mod ready_runner;
pub mod reference_counts;
pub mod registry;
pub mod requests;
pub mod routes;
pub mod runner;
pub mod runner_site;
pub mod schemathesis;
pub mod scratch;
pub mod served;
pub mod server;
pub mod shared;
pub mod sites;
pub mod slowed_curve;
pub mod slower;
pub mod stored_sorts;
pub mod suites;
pub mod terminal;
pub mod wasm;
pub mod weight;
