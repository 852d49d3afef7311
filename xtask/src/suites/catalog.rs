//! What both faces of a suite say of themselves, and whether they say the same.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The version of the contract, as in `benchbook_contract::protocol`, which a test compares. Without that crate, editing it does
/// not rebuild the commands while they run.
pub(super) const PROTOCOL: u32 = 3;

/// The greeting, which a suite answers with its catalog.
pub(super) const DESCRIBE: &str = r#"{"type":"describe","protocol":3}"#;

/// The paths of what a suite holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Catalog {
    functions: BTreeSet<String>,
    generators: BTreeSet<String>,
}

impl Catalog {
    /// Finds the catalog among the messages that a suite sent.
    pub(super) fn from_answers<'a>(answers: impl Iterator<Item = &'a str>) -> Result<Self> {
        for answer in answers {
            let message: Value =
                serde_json::from_str(answer).with_context(|| format!("it answered what is no message: {answer}"))?;
            match message["type"].as_str() {
                Some("catalog") => return Self::from_suite(&message["suite"]),
                Some("failed") => bail!("it cannot describe itself: {}", message["reason"].as_str().unwrap_or(answer)),
                _ => {}
            }
        }
        bail!("it was asked for its catalog and sent none")
    }

    fn from_suite(suite: &Value) -> Result<Self> {
        let paths = |what: &str| -> Result<BTreeSet<String>> {
            let list = suite[what].as_array().with_context(|| format!("its catalog has no `{what}`"))?;
            list.iter()
                .map(|item| Ok(item["path"].as_str().with_context(|| format!("one of its {what} has no path"))?.into()))
                .collect()
        };
        Ok(Self { functions: paths("functions")?, generators: paths("generators")? })
    }
}

/// How many functions and generators a suite has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counts {
    functions: usize,
    generators: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = |count| if count == 1 { "" } else { "s" };
        let Self { functions, generators } = *self;
        write!(f, "{functions} function{}, {generators} generator{}", many(functions), many(generators))
    }
}

/// Why a function that is in the source can be absent from a suite.
const LOST: &str = "\
Each function registers itself with `inventory`, and the linker drops a registration from wasm when it sits in a
library crate and the build has no link-time optimisation. Build suites with `--profile suite` (lto = \"thin\" in the
workspace's Cargo.toml), and leave `lto` there.";

/// Makes sure that the faces hold the same, and something.
pub(super) fn compare(native: &Catalog, wasm: &Catalog) -> Result<Counts> {
    compare_paths("functions", &native.functions, &wasm.functions)?;
    compare_paths("generators", &native.generators, &wasm.generators)?;
    Ok(Counts { functions: native.functions.len(), generators: native.generators.len() })
}

fn compare_paths(what: &str, native: &BTreeSet<String>, wasm: &BTreeSet<String>) -> Result<()> {
    let only = |these: &BTreeSet<String>, those: &BTreeSet<String>| -> String {
        let paths: Vec<_> = these.difference(those).map(String::as_str).collect();
        if paths.is_empty() { "nothing".into() } else { paths.join(", ") }
    };
    ensure!(
        native == wasm,
        "the executable has {} {what} and the wasm module {}.\nOnly in the executable: {}\nOnly in the wasm module: {}\n{LOST}",
        native.len(),
        wasm.len(),
        only(native, wasm),
        only(wasm, native),
    );
    ensure!(!native.is_empty(), "no {what} are registered: does a module of the crate have one, and is it declared?");
    Ok(())
}

#[cfg(test)]
mod tests {
    use benchbook_contract::catalog::{Build, Function, Suite};
    use benchbook_contract::protocol::{self, HostMessage, SuiteMessage};

    use super::*;

    #[test]
    fn the_contract_is_the_crates() {
        assert_eq!(PROTOCOL, protocol::PROTOCOL);
        assert_eq!(serde_json::to_string(&HostMessage::Describe { protocol: PROTOCOL }).unwrap(), DESCRIBE);

        let text = String::new;
        let build = Build {
            rustc: text(),
            target: text(),
            opt_level: text(),
            debug_assertions: false,
            target_features: Vec::new(),
        };
        let function = Function {
            path: "a::f".to_owned(),
            signature: text(),
            docs: text(),
            file: text(),
            line: 1,
            generators: Vec::new(),
            native: false,
            alternatives: None,
        };
        let suite = Suite { name: text(), version: text(), build, functions: vec![function], generators: Vec::new() };
        let answer =
            serde_json::to_string(&SuiteMessage::Catalog { protocol: PROTOCOL, suite, unguarded: None }).unwrap();
        assert_eq!(Catalog::from_answers([answer.as_str()].into_iter()).unwrap(), catalog(&["a::f"], &[]));
    }

    fn catalog(functions: &[&str], generators: &[&str]) -> Catalog {
        let set = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        Catalog { functions: set(functions), generators: set(generators) }
    }

    #[test]
    fn the_catalog_is_found_among_the_answers() {
        let answers = [
            r#"{"type":"noted"}"#,
            r#"{"type":"catalog","protocol":3,"suite":{"functions":[{"path":"a::f"}],"generators":[{"path":"a::g"}]}}"#,
        ];
        assert_eq!(Catalog::from_answers(answers.into_iter()).unwrap(), catalog(&["a::f"], &["a::g"]));
    }

    #[test]
    fn other_answers_are_told() {
        for (answer, told) in [
            (r#"{"type":"failed","reason":"two functions are called `f`"}"#, "two functions are called `f`"),
            ("Usage: demo", "no message: Usage: demo"),
            (r#"{"type":"catalog","suite":{}}"#, "no `functions`"),
            (r#"{"type":"opened"}"#, "sent none"),
        ] {
            let error = Catalog::from_answers([answer].into_iter()).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn faces_that_hold_the_same_are_counted() {
        let both = catalog(&["f", "g"], &["keys"]);
        assert_eq!(compare(&both, &both).unwrap().to_string(), "2 functions, 1 generator");
    }

    #[test]
    fn what_wasm_lost_is_named_with_the_cause() {
        let native = catalog(&["f", "lib::g"], &["keys"]);
        for wasm in [catalog(&["f"], &["keys"]), catalog(&[], &[]), catalog(&["f", "lib::h"], &["keys"])] {
            let error = compare(&native, &wasm).unwrap_err().to_string();
            assert!(error.contains("lib::g") && error.contains("inventory"), "{error}");
        }
    }

    #[test]
    fn an_empty_suite_is_refused() {
        let error = compare(&Catalog::default(), &Catalog::default()).unwrap_err().to_string();
        assert!(error.contains("no functions are registered"), "{error}");
    }
}
