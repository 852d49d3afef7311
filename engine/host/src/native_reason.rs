//! Functions that only a native runner can measure.

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
            Self::Threads => "several threads call it at once, but a suite in a browser has only one",
            Self::Async => "it is asynchronous, and a browser cannot block until its future is ready",
            Self::Declared => "its author declared it native",
            Self::EarlierBuild => "the earlier build exists only on the runner",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_reason_follows_from_the_catalog() {
        let reason = |signature: &str, mode: Mode, is_native: bool| {
            let function = json!({
                "path": "f", "signature": signature, "docs": "", "file": "", "line": 1, "generators": [], "native": is_native
            });
            let generator = json!({"path": "g", "name": "", "docs": "", "mode": mode, "parameters": []});
            let function = serde_json::from_value(function).expect("a function");
            let generator = serde_json::from_value(generator).expect("a generator");
            NativeReason::of(&function, &generator)
        };
        assert_eq!(reason("fn f(text: &str)", Mode::Shared, false), None);
        assert_eq!(reason("fn f(async_fn: &str)", Mode::Shared, true), Some(NativeReason::Declared));
        assert_eq!(reason("async fn f()", Mode::Shared, true), Some(NativeReason::Async));
        assert_eq!(reason("fn f(lock: &Lock)", Mode::Contended, true), Some(NativeReason::Threads));
    }
}
