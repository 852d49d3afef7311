//! The suites that a runner measures. Those of a runner on a reference machine are fixed; `cargo benchbook` replaces them after each build.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::Bytes;
use benchbook_host::alternative::build_id;
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

/// The number of earlier builds of a suite that a runner keeps: enough to compare with the last few saves of a source file.
const RETAINED_BUILDS: usize = 4;

/// The suites at one time.
#[derive(Debug, Default)]
pub struct HostedSuites {
    /// The suites, in the order of the configuration.
    pub hosted: Vec<Arc<HostedSuite>>,
    /// Further suites of the page.
    pub of_page: Vec<PageSuite>,
    /// Earlier builds of the suites, which can still be measured; latest first.
    pub retained: Vec<Arc<HostedSuite>>,
    /// The commits that suites were built from, by the fingerprint of their module or executable, as far as they are known.
    pub commits: BTreeMap<String, String>,
}

/// The current suites.
#[derive(Debug, Default)]
pub struct SuiteTable(RwLock<Arc<HostedSuites>>);

impl HostedSuite {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.native.suite().name
    }

    /// The identifier of the build in requests.
    pub fn build_id(&self) -> &str {
        build_id(&self.entry.card.fingerprint)
    }
}

impl HostedSuites {
    /// The builds of a suite that can be measured: the current one, then the earlier ones, latest first.
    pub fn builds(&self, name: &str) -> impl Iterator<Item = &Arc<HostedSuite>> {
        self.hosted.iter().chain(&self.retained).filter(move |suite| suite.name() == name)
    }

    /// The entries of the catalog, with the builds that are kept.
    pub(crate) fn entries(&self) -> Vec<SuiteEntry> {
        let entry = |suite: &Arc<HostedSuite>| {
            let builds = self.retained.iter().filter(|build| build.name() == suite.name());
            let retained = builds.map(|build| build.build_id().to_owned()).collect();
            SuiteEntry { retained, ..suite.entry.clone() }
        };
        self.hosted.iter().map(entry).collect()
    }

    /// Keeps the builds of an older list that this one replaces, and those that it kept: the latest four of each suite. Each build
    /// is listed once: undoing a change leads back to its build.
    pub fn retain_from(&mut self, older: &Self) {
        for suite in older.hosted.iter().chain(&older.retained) {
            let is_listed = self.builds(suite.name()).any(|other| other.build_id() == suite.build_id());
            let retained = self.retained.iter().filter(|other| other.name() == suite.name()).count();
            if !is_listed && retained < RETAINED_BUILDS {
                self.retained.push(Arc::clone(suite));
            }
        }
    }

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
    /// The current suites. Measurements in progress keep theirs.
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
        table.replace(HostedSuites { hosted: suites.into_iter().map(Arc::new).collect(), ..HostedSuites::default() });
        table
    }
}
