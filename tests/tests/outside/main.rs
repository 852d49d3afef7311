//! `cargo benchbook` in crates outside of this workspace, and the page in other browsers than Chromium.
//!
//! One program, so that compilers, browsers and measurements use all cores. The nightly tests also install our packages and compile crates of
//! others.

mod articles;
mod builds;
mod cases;
mod checkout_suite;
mod checks;
mod command_line;
mod documentation;
mod other_browsers;
mod other_harnesses;
mod packages;
mod real_crates;
mod self_test;
mod served;
mod slower_functions;
mod tool_bad_input;
mod tutorial;
mod unedited_benches;
