//! The suites that a runner measures. Those of a server are fixed; `cargo benchbook` replaces them after each build.

use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Bytes;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;

/// A suite that the runner can measure.
#[derive(Debug)]
pub struct HostedSuite {
    /// The suite's executable.
    pub native: NativeSuite,
    /// The suite's entry in the catalog.
    pub entry: SuiteEntry,
    /// The suite's wasm build; absent if there is none.
    pub wasm: Option<Bytes>,
}

/// The wasm build of a suite that has no executable: the page measures it, the runner does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSuite {
    /// The suite's name.
    pub name: String,
    /// The wasm build.
    pub wasm: Bytes,
}

/// The suites at one time.
#[derive(Debug, Default)]
pub struct HostedSuites {
    /// The suites, in the order of the configuration.
    pub hosted: Vec<Arc<HostedSuite>>,
    /// Further suites of the page.
    pub of_page: Vec<PageSuite>,
}

/// The current suites.
#[derive(Debug, Default)]
pub struct SuiteTable(RwLock<Arc<HostedSuites>>);

impl HostedSuite {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.native.suite().name
    }
}

impl HostedSuites {
    /// Whether both lists contain the same builds.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same_hosted = self.hosted.len() == other.hosted.len()
            && self.hosted.iter().zip(&other.hosted).all(|(one, other)| Arc::ptr_eq(one, other));
        same_hosted && self.of_page == other.of_page
    }

    /// The addresses of all wasm builds, relative to the page, and their bytes.
    pub(crate) fn modules(&self) -> Vec<(String, Bytes)> {
        let hosted = self.hosted.iter().filter_map(|suite| Some((suite.entry.wasm.clone()?, suite.wasm.clone()?)));
        let of_page = self.of_page.iter().map(|suite| (module_address(&suite.name), suite.wasm.clone()));
        hosted.chain(of_page).collect()
    }
}

/// The address of a suite's wasm build, relative to the page.
pub(crate) fn module_address(name: &str) -> String {
    format!("suites/{name}.wasm")
}

impl SuiteTable {
    /// The current suites. Measurements in progress retain theirs.
    pub fn current(&self) -> Arc<HostedSuites> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the suites.
    pub fn replace(&self, list: HostedSuites) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(list);
    }

    /// The suite with this name.
    pub fn named(&self, name: &str) -> Option<Arc<HostedSuite>> {
        self.current().hosted.iter().find(|suite| suite.name() == name).cloned()
    }
}

impl From<Vec<HostedSuite>> for SuiteTable {
    fn from(suites: Vec<HostedSuite>) -> Self {
        let table = Self::default();
        table.replace(HostedSuites { hosted: suites.into_iter().map(Arc::new).collect(), of_page: Vec::new() });
        table
    }
}
