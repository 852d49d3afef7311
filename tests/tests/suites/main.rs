//! Suites on both targets, as shipped and as fixtures. One program, so that it is linked once, and its tests keep all cores busy.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

mod assembly;
mod bench_target;
mod contract;
mod counts;
mod criterion_benches;
mod declarations;
mod demo;
mod divan_benches;
mod fuzz_protocol;
mod fuzz_requests;
mod library;
mod minimum_rust;
mod misbehaving;
// Tests start in alphabetical order. These take longest, so they should not start last.
mod native_only;
mod pinpoint;
mod profiling;
mod scratch;
mod shipped;
mod target;
mod wasm_counts;
mod weight;
