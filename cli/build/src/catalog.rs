//! The catalogs of a suite's executable and of its wasm module, and their comparison.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::suite_target::SuiteHarness;

/// The version of the contract; a test compares it with `benchbook_contract::protocol`. The commands do not depend on that crate,
/// so that they are not recompiled after each of its edits.
pub(crate) const PROTOCOL: u32 = 4;

/// The environment variable that a host sets for the processes of a suite.
pub(crate) const HOST_VARIABLE: &str = "BENCHBOOK_HOST";

/// The name of a suite, the paths of its functions and generators, and its notes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CatalogSummary {
    pub(crate) name: String,
    functions: BTreeSet<String>,
    /// Functions with each of their generators.
    bindings: Vec<[String; 2]>,
    generators: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
    /// Whether it is without parts of the program that ended an instance.
    is_partial: bool,
}

impl CatalogSummary {
    /// Requests the catalog. `instance` sends a message to a new instance of the suite, and returns all replies and how it ended. An
    /// instance that ends in a part of the program is followed by one that leaves out that part.
    pub(crate) fn request(mut instance: impl FnMut(&str) -> Result<(Vec<String>, Result<()>)>) -> Result<Self> {
        let mut without: Vec<Value> = Vec::new();
        loop {
            let (replies, ended) = instance(&describe(&without))?;
            match Self::from_replies(&replies, ended)? {
                Ok(catalog) => return Ok(Self { is_partial: !without.is_empty(), ..catalog }),
                Err(failed) => {
                    let is_new = without.iter().all(|known| known["part"] != failed["part"]);
                    let can_repeat = failed["part"].is_string() && is_new;
                    ensure!(can_repeat, "the suite has no valid catalog: {}", failed["reason"].as_str().unwrap_or(""));
                    without.push(failed);
                }
            }
        }
    }

    /// The catalog among the replies of an instance, or the report that it failed.
    fn from_replies(replies: &[String], ended: Result<()>) -> Result<Result<Self, Value>> {
        for text in replies {
            let reply: Value =
                serde_json::from_str(text).with_context(|| format!("the suite sent an invalid message: {text}"))?;
            match reply["type"].as_str() {
                Some("catalog") => return Self::from_suite(&reply["suite"]).map(Ok),
                Some("failed") => return Ok(Err(reply)),
                _ => {}
            }
        }
        ended?;
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
        let (functions, generators, notes) = (paths("functions")?, paths("generators")?, notes.collect());
        let bindings = suite["functions"].as_array().into_iter().flatten().flat_map(|function| {
            let generators = function["generators"].as_array().into_iter().flatten();
            generators
                .filter_map(|generator| Some([function["path"].as_str()?, generator.as_str()?].map(str::to_owned)))
        });
        Ok(Self { name, functions, bindings: bindings.collect(), generators, notes, is_partial: false })
    }

    /// The paths of functions with those of each of their generators.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.bindings.iter().map(|[function, generator]| (function.as_str(), generator.as_str()))
    }
}

/// The message that requests the catalog of a suite without the parts in these reports.
fn describe(without: &[Value]) -> String {
    let mut message = json!({"type": "describe", "protocol": PROTOCOL});
    if !without.is_empty() {
        message["without"] = without
            .iter()
            .map(|failed| json!({"part": failed["part"], "reason": failed["reason"], "place": failed["place"]}))
            .collect();
    }
    message.to_string()
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

/// Checks that both targets have the same functions and generators, at least one of each. Returns what the module leaves out, and why;
/// `None` if it is complete. A bench of another harness may have fewer in a module: criterion's are found by running the program, which may
/// ask for special instructions.
pub(crate) fn compare(native: &CatalogSummary, wasm: &CatalogSummary, harness: SuiteHarness) -> Result<Option<String>> {
    count(native)?;
    let left_out = || {
        let notes = wasm.notes.iter().filter(|note| !native.notes.contains(note));
        let mut lines: Vec<String> = notes.cloned().collect();
        if !wasm.is_partial {
            lines.push(format!("Missing there: {}", difference(&native.functions, &wasm.functions)));
        }
        lines.join("\n")
    };
    let is_part = wasm.functions.is_subset(&native.functions) && wasm.generators.is_subset(&native.generators);
    if is_part && (wasm.is_partial || harness == SuiteHarness::Other) {
        ensure!(!wasm.functions.is_empty(), "none of its functions can be listed there\n{}", left_out());
        return Ok((wasm.functions != native.functions).then(left_out));
    }
    compare_paths("functions", &native.functions, &wasm.functions)?;
    compare_paths("generators", &native.generators, &wasm.generators)?;
    Ok(None)
}

/// Counts the functions and generators, at least one of each.
pub(crate) fn count(catalog: &CatalogSummary) -> Result<CatalogCounts> {
    for (kind, paths) in [("functions", &catalog.functions), ("generators", &catalog.generators)] {
        ensure!(!paths.is_empty(), "no {kind} are registered: declare one in a module of the crate");
    }
    Ok(CatalogCounts { functions: catalog.functions.len(), generators: catalog.generators.len() })
}

fn compare_paths(kind: &str, native: &BTreeSet<String>, wasm: &BTreeSet<String>) -> Result<()> {
    ensure!(
        native == wasm,
        "the executable has {} {kind}, the wasm module {}.\nOnly in the executable: {}\nOnly in the wasm module: {}\n{MISSING}",
        native.len(),
        wasm.len(),
        difference(native, wasm),
        difference(wasm, native),
    );
    Ok(())
}

fn difference(these: &BTreeSet<String>, those: &BTreeSet<String>) -> String {
    let paths: Vec<_> = these.difference(those).map(String::as_str).collect();
    if paths.is_empty() { "nothing".into() } else { paths.join(", ") }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use benchbook_contract::catalog::Suite;
    use benchbook_contract::environment;
    use benchbook_contract::protocol::{self, FailedPart, HostMessage, RequestFailure, SuiteMessage};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_contract_equals_that_of_the_library() {
        assert_eq!((PROTOCOL, HOST_VARIABLE), (protocol::PROTOCOL, environment::HOST_VARIABLE));
        let parts = [FailedPart { part: "corpus".to_owned(), reason: "no file".to_owned(), location: None }];
        for without in [&[], &parts[..]] {
            let reports: Vec<Value> = without.iter().map(|part| serde_json::to_value(part).unwrap()).collect();
            let sent: HostMessage = serde_json::from_str(&describe(&reports)).unwrap();
            assert_eq!(sent, HostMessage::describe(without));
        }

        let suite: Suite = serde_json::from_value(json!({
            "name": "demo", "version": "0.1.0", "notes": ["without effect: sample_size"],
            "generators": [{"path": "a::g", "name": "", "docs": "", "mode": "fresh", "parameters": []}],
            "functions": [{"path": "a::f", "signature": "", "docs": "", "file": "", "line": 1, "generators": []}],
            "build": {"rustc": "", "target": "", "opt_level": "3", "debug_assertions": false, "target_features": []},
        }))
        .unwrap();
        let summary = CatalogSummary { notes: suite.notes.clone(), ..catalog(&["a::f"], &["a::g"]) };
        let message = serde_json::to_string(&SuiteMessage::Catalog { protocol: PROTOCOL, suite }).unwrap();
        let replies = || Ok((vec![r#"{"type":"noted"}"#.to_owned(), message.clone()], Ok(())));
        assert_eq!(CatalogSummary::request(|_| replies()).unwrap(), summary);

        let failed = |part: &str| {
            let (reason, part) = ("no file".to_owned(), Some(part.to_owned()));
            let failed = RequestFailure { reason, part, ..RequestFailure::default() };
            // A panic ends the instance, after it has reported it.
            Ok((vec![serde_json::to_string(&SuiteMessage::Failed(failed)).unwrap()], Err(anyhow!("a trap"))))
        };
        let mut instances = 0;
        let partial = CatalogSummary::request(|sent| {
            instances += 1;
            let names = ["corpus", "threads"].map(|part| sent.contains(part));
            match names {
                [false, _] => failed("corpus"),
                [true, false] => failed("threads"),
                [true, true] => replies(),
            }
        });
        assert_eq!((partial.unwrap(), instances), (CatalogSummary { is_partial: true, ..summary }, 3));
        let error = CatalogSummary::request(|_| failed("corpus")).unwrap_err().to_string();
        assert!(error.contains("no file"), "{error}");
        let noted = |_: &str| Ok((vec![r#"{"type":"noted"}"#.to_owned()], Err(anyhow!("a trap"))));
        assert_eq!(CatalogSummary::request(noted).unwrap_err().to_string(), "a trap");
    }

    fn catalog(functions: &[&str], generators: &[&str]) -> CatalogSummary {
        let set = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        CatalogSummary {
            name: "demo".to_owned(),
            functions: set(functions),
            generators: set(generators),
            ..CatalogSummary::default()
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
            let error = CatalogSummary::request(|_| Ok((vec![message.to_owned()], Ok(())))).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn counts_the_functions_of_equal_catalogs() {
        let both = catalog(&["f", "g"], &["keys"]);
        assert_eq!(count(&both).unwrap().to_string(), "2 functions, 1 generator");
        assert_eq!(compare(&both, &both, SuiteHarness::Benchbook).unwrap(), None);
    }

    #[test]
    fn a_module_may_lack_what_cannot_be_listed_there() {
        let native = CatalogSummary { notes: vec!["ignored: plots".to_owned()], ..catalog(&["f", "g"], &["keys"]) };
        let partial = |functions: &[&str]| {
            let notes = vec!["ignored: plots".to_owned(), "`corpus` is omitted".to_owned()];
            CatalogSummary { notes, is_partial: true, ..catalog(functions, &["keys"]) }
        };
        assert_eq!(
            compare(&native, &partial(&["f"]), SuiteHarness::Benchbook).unwrap().as_deref(),
            Some("`corpus` is omitted")
        );
        assert_eq!(
            compare(&native, &partial(&["f", "g"]), SuiteHarness::Benchbook).unwrap(),
            None,
            "the executable lacks them, too"
        );
        let error = compare(&native, &partial(&[]), SuiteHarness::Benchbook).unwrap_err().to_string();
        assert!(error.contains("none of its functions") && error.contains("`corpus` is omitted"), "{error}");
        assert!(compare(&native, &partial(&["f", "h"]), SuiteHarness::Benchbook).is_err());
    }

    #[test]
    fn names_the_functions_that_wasm_lacks_and_the_cause() {
        let native = catalog(&["f", "lib::g"], &["keys"]);
        for wasm in [catalog(&["f"], &["keys"]), catalog(&[], &[]), catalog(&["f", "lib::h"], &["keys"])] {
            let error = compare(&native, &wasm, SuiteHarness::Benchbook).unwrap_err().to_string();
            assert!(error.contains("lib::g") && error.contains("inventory"), "{error}");
        }
    }

    #[test]
    fn a_bench_of_another_harness_may_list_fewer_functions_for_wasm() {
        let native = catalog(&["f", "simd"], &["keys"]);
        let left_out = |wasm: &CatalogSummary| compare(&native, wasm, SuiteHarness::Other);
        let fewer = left_out(&catalog(&["f"], &["keys"])).unwrap();
        assert_eq!(fewer.as_deref(), Some("Missing there: simd"));
        assert!(left_out(&catalog(&[], &["keys"])).unwrap_err().to_string().contains("none of its functions"));
        assert!(left_out(&catalog(&["f", "other"], &["keys"])).is_err());
    }

    #[test]
    fn rejects_an_empty_suite() {
        let error = compare(&CatalogSummary::default(), &CatalogSummary::default(), SuiteHarness::Other)
            .unwrap_err()
            .to_string();
        assert!(error.contains("no functions are registered"), "{error}");
    }
}
