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

impl Target {
    /// Which hosts a build for this target is for.
    pub(crate) fn hosts(self) -> &'static str {
        match self {
            Self::Native => "this machine",
            Self::Wasm => "browsers",
        }
    }
}
