//! Fingerprints of catalogs and binaries.

use sha2::{Digest, Sha256};

use crate::response::SuiteCard;
use benchbook_contract::catalog::{Function, Suite};

/// SHA-256 of a binary, in hexadecimal.
pub fn fingerprint(binary: &[u8]) -> String {
    hexadecimal(&Sha256::digest(binary))
}

/// SHA-256 of a catalog in hexadecimal: names, version, signatures, docs and parameters. Build, files, lines and the source of
/// functions are excluded, since they may differ between the wasm and the native build of a suite.
pub fn catalog_hash(suite: &Suite) -> String {
    let functions: Vec<Function> = suite.functions.iter().map(without_source).collect();
    let described = (&suite.name, &suite.version, functions, &suite.generators);
    let text = serde_json::to_string(&described).expect("catalogs serialize to JSON");
    hexadecimal(&Sha256::digest(text))
}

/// Whether a catalog of the same version lists everything that `part` lists, in the sense of [`catalog_hash`]. A browser may leave out
/// functions, or measure only some natively.
pub fn lists_all_of(whole: &Suite, part: &Suite) -> bool {
    let described = |function: &Function| Function { native: false, ..without_source(function) };
    let has = |function: &Function| {
        whole.function(&function.path).is_some_and(|other| described(other) == described(function))
    };
    (&whole.name, &whole.version) == (&part.name, &part.version)
        && part.functions.iter().all(has)
        && part.generators.iter().all(|generator| whole.generators.contains(generator))
}

fn without_source(function: &Function) -> Function {
    Function { source: String::new(), file: String::new(), line: 0, ..function.clone() }
}

impl SuiteCard {
    /// The card of a suite, from its own description and the [`fingerprint`] of its binary.
    pub fn new(suite: &Suite, fingerprint: String) -> Self {
        Self {
            name: suite.name.clone(),
            version: suite.version.clone(),
            build: suite.build.clone(),
            catalog_hash: catalog_hash(suite),
            fingerprint,
            commit: None,
        }
    }
}

/// Bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
