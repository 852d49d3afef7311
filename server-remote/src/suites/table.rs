//! The suites that a runner measures. Those of a runner on a reference machine are fixed; `cargo benchbook` replaces them after each build.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context, Result};
use axum::body::Bytes;
use benchbook_host::alternative::build_id;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;
use benchbook_instrument::COUNTING_MODULE;

use super::code::SuiteCode;

/// A suite that the runner can measure.
#[derive(Debug)]
pub struct HostedSuite {
    /// The suite's executable.
    pub native: NativeSuite,
    /// The suite's entry in the catalog.
    pub entry: SuiteEntry,
    /// The suite's wasm build; absent if there is none.
    pub wasm: Option<SuiteModules>,
    /// The machine code of its functions.
    pub code: SuiteCode,
}

/// The wasm build of a suite that has no executable: the page measures it, the runner does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSuite {
    /// The suite's name.
    pub name: String,
    /// The wasm build.
    pub wasm: SuiteModules,
}

/// The wasm build of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteModules {
    /// The module that the page times.
    timed: Bytes,
    /// The counting module; absent if there is no such file next to the timed module.
    counting: Option<Bytes>,
}

impl SuiteModules {
    /// Reads the module at this path, and the one that counts if it is next to it.
    ///
    /// # Errors
    /// If one exists and cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let read = |path: &Path| fs::read(path).with_context(|| format!("failed to read {}", path.display()));
        let counting = path.with_extension(COUNTING_MODULE);
        let counting = counting.exists().then(|| read(&counting)).transpose()?;
        Ok(Self { timed: read(path)?.into(), counting: counting.map(Bytes::from) })
    }
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
    /// The suite's counting module, if there is one.
    pub fn counting_module(&self) -> Option<&Bytes> {
        self.wasm.as_ref()?.counting.as_ref()
    }

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

    /// The addresses of the modules that the page times, relative to the page.
    pub(crate) fn modules(&self) -> Vec<String> {
        self.wasm_builds().map(|(name, _)| module_address(name)).collect()
    }

    /// All modules, by their addresses relative to the page.
    pub(crate) fn module_files(&self) -> impl Iterator<Item = (String, Bytes)> {
        self.wasm_builds().flat_map(|(name, SuiteModules { timed, counting })| {
            let counting =
                counting.iter().map(move |counting| (format!("suites/{name}.{COUNTING_MODULE}"), counting.clone()));
            std::iter::once((module_address(name), timed.clone())).chain(counting)
        })
    }

    fn wasm_builds(&self) -> impl Iterator<Item = (&str, &SuiteModules)> {
        let hosted = self.hosted.iter().filter_map(|suite| Some((suite.name(), suite.wasm.as_ref()?)));
        hosted.chain(self.of_page.iter().map(|suite| (suite.name.as_str(), &suite.wasm)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_counts_is_a_file_of_the_page_but_no_suite() {
        let folder = tempfile::tempdir().unwrap();
        let of_page = ["sorts", "maps"].map(|name| {
            let module = folder.path().join(format!("{name}.wasm"));
            fs::write(&module, name).unwrap();
            if name == "maps" {
                fs::write(folder.path().join("maps.counted.wasm"), "counts").unwrap();
            }
            PageSuite { name: name.to_owned(), wasm: SuiteModules::read(&module).unwrap() }
        });
        let suites = HostedSuites { of_page: of_page.to_vec(), ..HostedSuites::default() };
        assert_eq!(suites.modules(), ["suites/sorts.wasm", "suites/maps.wasm"]);
        let files: Vec<(String, Bytes)> = suites.module_files().collect();
        let expected = [("sorts.wasm", "sorts"), ("maps.wasm", "maps"), ("maps.counted.wasm", "counts")];
        assert_eq!(files, expected.map(|(name, bytes)| (format!("suites/{name}"), Bytes::from(bytes))));
    }
}
