//! The catalogs of a suite's executable and of its wasm module, and their comparison.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The version of the contract; a test compares it with `benchbook_contract::protocol`. The commands do not depend on that crate,
/// so that they are not recompiled after each of its edits.
pub(crate) const PROTOCOL: u32 = 4;

/// The environment variable that a host sets for the processes of a suite.
pub(crate) const HOST_VARIABLE: &str = "BENCHBOOK_HOST";

/// The message that requests the catalog of a suite.
pub(crate) const DESCRIBE: &str = r#"{"type":"describe","protocol":4}"#;

/// The name of a suite, the paths of its functions and generators, and its notes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CatalogSummary {
    pub(crate) name: String,
    functions: BTreeSet<String>,
    generators: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
}

impl CatalogSummary {
    /// Finds the catalog in the messages that a suite has sent.
    pub(crate) fn from_messages<'a>(messages: impl Iterator<Item = &'a str>) -> Result<Self> {
        for text in messages {
            let message: Value =
                serde_json::from_str(text).with_context(|| format!("the suite sent an invalid message: {text}"))?;
            match message["type"].as_str() {
                Some("catalog") => return Self::from_suite(&message["suite"]),
                Some("failed") => {
                    bail!("the suite has no valid catalog: {}", message["reason"].as_str().unwrap_or(text))
                }
                _ => {}
            }
        }
        bail!("the suite sent no catalog")
    }

    fn from_suite(suite: &Value) -> Result<Self> {
        let paths = |kind: &str| -> Result<BTreeSet<String>> {
            let list = suite[kind].as_array().with_context(|| format!("the suite's catalog has no `{kind}`"))?;
            list.iter()
                .map(|item| Ok(item["path"].as_str().with_context(|| format!("one of the {kind} has no path"))?.into()))
                .collect()
        };
        let name = suite["name"].as_str().context("the suite's catalog has no `name`")?.to_owned();
        let notes = suite["notes"].as_array().into_iter().flatten().filter_map(|note| Some(note.as_str()?.to_owned()));
        Ok(Self { name, functions: paths("functions")?, generators: paths("generators")?, notes: notes.collect() })
    }
}

/// The numbers of a suite's functions and generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogCounts {
    functions: usize,
    generators: usize,
}

impl fmt::Display for CatalogCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count| if count == 1 { "" } else { "s" };
        let Self { functions, generators } = *self;
        write!(f, "{functions} function{}, {generators} generator{}", plural(functions), plural(generators))
    }
}

/// Why a function of the source code can be missing from a suite.
const MISSING: &str = "\
Each function registers itself with `inventory`. Without link-time optimisation, the linker drops the registrations of
library crates from wasm. Build suites with `--profile suite`, and leave lto = \"thin\" in that profile in the workspace's
Cargo.toml.";

/// Checks that both targets have the same functions and generators, at least one of each.
pub(crate) fn compare(native: &CatalogSummary, wasm: &CatalogSummary) -> Result<CatalogCounts> {
    compare_paths("functions", &native.functions, &wasm.functions)?;
    compare_paths("generators", &native.generators, &wasm.generators)?;
    count(native)
}

/// Counts the functions and generators, at least one of each.
pub(crate) fn count(catalog: &CatalogSummary) -> Result<CatalogCounts> {
    for (kind, paths) in [("functions", &catalog.functions), ("generators", &catalog.generators)] {
        ensure!(!paths.is_empty(), "no {kind} are registered: declare one in a module of the crate");
    }
    Ok(CatalogCounts { functions: catalog.functions.len(), generators: catalog.generators.len() })
}

fn compare_paths(kind: &str, native: &BTreeSet<String>, wasm: &BTreeSet<String>) -> Result<()> {
    let only = |these: &BTreeSet<String>, those: &BTreeSet<String>| -> String {
        let paths: Vec<_> = these.difference(those).map(String::as_str).collect();
        if paths.is_empty() { "nothing".into() } else { paths.join(", ") }
    };
    ensure!(
        native == wasm,
        "the executable has {} {kind}, the wasm module {}.\nOnly in the executable: {}\nOnly in the wasm module: {}\n{MISSING}",
        native.len(),
        wasm.len(),
        only(native, wasm),
        only(wasm, native),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use benchbook_contract::catalog::Suite;
    use benchbook_contract::environment;
    use benchbook_contract::protocol::{self, HostMessage, SuiteMessage};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_contract_equals_that_of_the_library() {
        assert_eq!((PROTOCOL, HOST_VARIABLE), (protocol::PROTOCOL, environment::HOST_VARIABLE));
        assert_eq!(serde_json::to_string(&HostMessage::describe(&[])).unwrap(), DESCRIBE);

        let suite: Suite = serde_json::from_value(json!({
            "name": "demo", "version": "0.1.0", "notes": ["without effect: sample_size"],
            "generators": [{"path": "a::g", "name": "", "docs": "", "mode": "fresh", "parameters": []}],
            "functions": [{"path": "a::f", "signature": "", "docs": "", "file": "", "line": 1, "generators": []}],
            "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
        }))
        .unwrap();
        let summary = CatalogSummary { notes: suite.notes.clone(), ..catalog(&["a::f"], &["a::g"]) };
        let message = serde_json::to_string(&SuiteMessage::Catalog { protocol: PROTOCOL, suite }).unwrap();
        let messages = [r#"{"type":"noted"}"#, message.as_str()];
        assert_eq!(CatalogSummary::from_messages(messages.into_iter()).unwrap(), summary);
    }

    fn catalog(functions: &[&str], generators: &[&str]) -> CatalogSummary {
        let set = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        CatalogSummary {
            name: "demo".to_owned(),
            functions: set(functions),
            generators: set(generators),
            notes: Vec::new(),
        }
    }

    #[test]
    fn explains_messages_without_a_catalog() {
        for (message, expected) in [
            (r#"{"type":"failed","reason":"two functions are called `f`"}"#, "two functions are called `f`"),
            ("Usage: demo", "invalid message: Usage: demo"),
            (r#"{"type":"catalog","suite":{}}"#, "no `name`"),
            (r#"{"type":"catalog","suite":{"name":"demo"}}"#, "no `functions`"),
            (r#"{"type":"opened"}"#, "sent no catalog"),
        ] {
            let error = CatalogSummary::from_messages([message].into_iter()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn counts_the_functions_of_equal_catalogs() {
        let both = catalog(&["f", "g"], &["keys"]);
        assert_eq!(compare(&both, &both).unwrap().to_string(), "2 functions, 1 generator");
    }

    #[test]
    fn names_the_functions_that_wasm_lacks_and_the_cause() {
        let native = catalog(&["f", "lib::g"], &["keys"]);
        for wasm in [catalog(&["f"], &["keys"]), catalog(&[], &[]), catalog(&["f", "lib::h"], &["keys"])] {
            let error = compare(&native, &wasm).unwrap_err().to_string();
            assert!(error.contains("lib::g") && error.contains("inventory"), "{error}");
        }
    }

    #[test]
    fn rejects_an_empty_suite() {
        let error = compare(&CatalogSummary::default(), &CatalogSummary::default()).unwrap_err().to_string();
        assert!(error.contains("no functions are registered"), "{error}");
    }
}
