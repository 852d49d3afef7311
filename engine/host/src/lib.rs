//! The host's side of Benchbook: it validates a request, decides what to measure next, analyses the samples, and builds
//! the response. The page and the runner share this code; only the transport differs.
//!
//! A request passes through `request` (validation against the catalog, into a plan), `axis` and `points` (axis values), `sample`
//! (what to measure next, and when it is enough), `analyze` (figures and their intervals) and `response`. `api` defines
//! the types of the runner's HTTP interface. `child` drives native suites.

pub mod alternative;
pub mod analyze;
#[cfg(feature = "files")]
pub mod api;
pub mod axis;
#[cfg(not(target_family = "wasm"))]
pub mod child;
pub mod compare;
pub mod fingerprint;
#[cfg(feature = "files")]
pub mod history;
pub mod messages;
pub mod metric;
pub mod native_reason;
pub mod points;
pub mod quality;
pub mod refinement;
pub mod repeatability;
pub mod request;
pub mod response;
mod rounded;
pub mod sample;
#[cfg(feature = "schema")]
pub mod schema;
pub mod self_test;
pub mod time_text;
pub mod units;
