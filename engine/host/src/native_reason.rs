//! Why a browser cannot measure a function.

use benchbook_contract::catalog::{Function, Generator, Mode};

/// Why a browser cannot measure a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeReason {
    /// Several threads call it at once.
    Threads,
    /// It is asynchronous: its executor blocks until its future is ready.
    Async,
    /// Its author declared it or its generator as native.
    Declared,
    /// It belongs to an earlier build.
    EarlierBuild,
}

impl NativeReason {
    /// The reason for a function with a generator; `None` if a browser can measure it.
    pub fn of(function: &Function, generator: &Generator) -> Option<Self> {
        let is_async = || function.signature.split("fn ").next().is_some_and(|before| before.contains("async"));
        match (function.native || generator.native, generator.mode) {
            (false, _) => None,
            (true, Mode::Contended) => Some(Self::Threads),
            (true, _) if is_async() => Some(Self::Async),
            (true, _) => Some(Self::Declared),
        }
    }

    /// The reason as a clause, such as “its author declared it native”.
    pub fn text(self) -> &'static str {
        match self {
            Self::Threads => "several threads call it at once, and a suite in a browser has a single thread",
            Self::Async => "it is asynchronous, and a browser cannot block until its future is ready",
            Self::Declared => "its author declared it native",
            Self::EarlierBuild => "the earlier build exists only on the runner",
        }
    }
}
