//! The suites of an article.

use std::collections::BTreeMap;

/// The suites that an article contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArticleSuites {
    /// Their addresses, relative to the page.
    pub(crate) addresses: Vec<String>,
    /// The addresses of their sources, by the name of the suite, if the site names them.
    pub(crate) sources: BTreeMap<String, String>,
    /// The commits of the site's suites, by their fingerprint.
    pub(crate) commits: BTreeMap<String, String>,
}
