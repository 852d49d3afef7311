//! Native suites: their processes, limits and isolation, what the host counts in them, and the values that it measures.
//!
//! One program, since each takes seconds to link.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

mod build_comparison;
mod children;
#[cfg(target_os = "linux")]
mod events;
mod first_calls;
#[cfg(target_os = "linux")]
mod floods;
#[cfg(target_os = "linux")]
mod guarded;
#[cfg(target_os = "linux")]
mod interrupted;
#[cfg(target_os = "linux")]
mod isolated;
mod ladder;
mod method;
mod processes;
mod self_test;

use tokio::sync::Mutex;

/// The turn of tests whose times others would distort.
static MEASURING: Mutex<()> = Mutex::const_new(());

/// The turn of tests whose suites start processes that outlive a call: some tests count them.
static OUTLIVING: Mutex<()> = Mutex::const_new(());
