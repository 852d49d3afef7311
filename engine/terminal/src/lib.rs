//! Measures native suites from a terminal: for `cargo benchbook measure`, and for bench targets that `cargo bench` starts.

#![cfg(not(target_family = "wasm"))]

pub mod bench_target;
pub mod child_settings;
pub mod machine_history;
pub mod measurement;
pub mod output;
pub mod report;
mod text_plot;
