//! Golden files. `BENCHBOOK_BLESS=1 cargo test -p benchbook-server` writes `golden/` anew.

use std::fs;
use std::path::Path;

/// Compares with a file of `golden/`.
///
/// # Panics
/// Where it differs.
pub fn assert_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, actual).expect("it can be written");
    }
    let expected = fs::read_to_string(&path).expect("it is there");
    assert!(expected == actual, "{name} differs; it would be\n{actual}");
}
