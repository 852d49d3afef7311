//! A suite that is ready to be measured.

use benchbook_contract::catalog::{Function, Suite};
use benchbook_host::alternative::Alternative;
use benchbook_host::api::SuiteEntry;
use benchbook_host::response::{ClockCard, SuiteCard};

/// Identifies a suite. Names are ambiguous: two files may contain suites of the same name. The list of functions has this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SuiteId {
    /// A suite that the user opened, by a number that this tab assigns to each opened binary.
    Own(u32),
    /// A suite of the site configuration, by its index.
    Site(usize),
    /// A suite without a wasm build, by its index in the runner's catalog.
    Native(usize),
    /// The suite of the self-test, which is not in the site configuration.
    SelfTest,
}

impl SuiteId {
    /// Whether only the runner lists it.
    pub(crate) fn is_native_only(self) -> bool {
        matches!(self, Self::Native(_))
    }

    /// Whether the user opened it.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

/// Identifies a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionId {
    /// The suite.
    pub(crate) suite: SuiteId,
    /// The path.
    pub(crate) path: String,
}

/// A suite that is ready to be measured.
#[derive(Clone, Debug)]
pub(crate) struct LoadedSuite {
    /// Its identifier.
    pub(crate) id: SuiteId,
    /// Its catalog.
    pub(crate) suite: Suite,
    /// Its version, build and fingerprint.
    pub(crate) card: SuiteCard,
    /// The clock of its worker; `None` if only the runner can measure it.
    pub(crate) clock: Option<ClockCard>,
}

impl LoadedSuite {
    /// The function with this path, or the one in an earlier build that a text such as `sort@77c0a41f0b12` names. Only the runner that
    /// keeps the build can measure it, and knows whether it still does.
    pub(crate) fn function(&self, text: &str) -> Option<Function> {
        let Alternative { path, build } = Alternative::parse(text);
        let function = self.suite.function(path)?.clone();
        let is_native = function.native || build.is_some();
        Some(Function { path: text.to_owned(), native: is_native, ..function })
    }

    /// A suite of a runner that has no wasm build: all of its functions are native. `index`: its index in the runner's catalog.
    pub(crate) fn native_only(index: usize, entry: SuiteEntry) -> Self {
        let SuiteEntry { mut suite, card, .. } = entry;
        suite.functions.iter_mut().for_each(|function| function.native = true);
        Self { id: SuiteId::Native(index), suite, card, clock: None }
    }
}

impl PartialEq for LoadedSuite {
    /// Identifier and binary identify a suite; comparing its catalog is unnecessary.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.card.fingerprint == other.card.fingerprint
    }
}
