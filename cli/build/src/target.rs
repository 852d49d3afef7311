//! The platforms of suites.

use clap::ValueEnum;

/// The target triple of the page and of the suites' modules.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The platform that a suite is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// The executable
    Native,
    /// WebAssembly in Chromium
    Wasm,
}
