//! Why a module cannot be counted.

use thiserror::Error;

/// The reason why a module was not instrumented, and what to do.
#[derive(Debug, Error)]
pub enum InstrumentError {
    /// Not a core module, damaged, or built with a feature that is not counted, such as threads.
    #[error(
        "can't count this module: {0}. Build it for wasm32-unknown-unknown; of wasm's features after version 2.0, only tail \
         calls and extended constant expressions can be counted"
    )]
    Module(#[from] wasmparser::Error),

    /// An export has a name that the counters need.
    #[error("this module already has an export `{0}`. Pass the module as the compiler wrote it, without counters")]
    ExportExists(String),

    /// More counters than engines allow globals.
    #[error(
        "this module needs {0} counters, but engines allow 1 000 000 globals. Build it with optimisation, or split it"
    )]
    TooManyCounters(usize),

    /// There is no place for contexts.
    #[error("this module has no memory, where calls could be counted. Build it as a suite")]
    NoMemory,

    /// There is no clock.
    #[error("this module has no clock, so its calls can't be timed. Build it as a suite")]
    NoClock,

    /// Damaged debug information.
    #[error(
        "this module's debug information is damaged: {0}. Build it again, or with `debug = false` for counts without lines"
    )]
    DebugInformation(#[from] gimli::Error),

    /// The parts of a valid module could not be written again.
    #[error("this module is valid, but could not be written again: {0} (this is a bug)")]
    Encoding(#[from] wasm_encoder::reencode::Error),
}
