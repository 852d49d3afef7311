//! Fingerprints: which catalog and which binary, exactly.

use sha2::{Digest, Sha256};

use crate::response::SuiteCard;
use benchbook_contract::catalog::{Function, Suite};

/// SHA-256 of a binary, in hexadecimal.
pub fn fingerprint(binary: &[u8]) -> String {
    hexadecimal(&Sha256::digest(binary))
}

/// SHA-256 of a catalog in hexadecimal: names, version, signatures, docs and parameters. Build, files and lines are
/// left out, since they differ between the twins of a suite.
pub fn catalog_hash(suite: &Suite) -> String {
    let placeless = |function: &Function| Function { file: String::new(), line: 0, ..function.clone() };
    let functions: Vec<Function> = suite.functions.iter().map(placeless).collect();
    let described = (&suite.name, &suite.version, functions, &suite.generators);
    let text = serde_json::to_string(&described).expect("catalogs have a JSON form");
    hexadecimal(&Sha256::digest(text))
}

impl SuiteCard {
    /// The card of a suite, from what it says of itself and from the [`fingerprint`] of its binary.
    pub fn new(suite: &Suite, fingerprint: String) -> Self {
        Self {
            name: suite.name.clone(),
            version: suite.version.clone(),
            build: suite.build.clone(),
            catalog_hash: catalog_hash(suite),
            fingerprint,
        }
    }
}

/// Bytes as fingerprints are written.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
