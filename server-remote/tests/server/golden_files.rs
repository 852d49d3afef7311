//! Golden files. `BENCHBOOK_BLESS=1 cargo test -p benchbook-server` rewrites `golden/`.

use std::fs;
use std::path::Path;

/// Compares with a file of `golden/`.
///
/// # Panics
/// If they differ.
pub fn assert_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, actual).expect("a writable file");
    }
    let expected = fs::read_to_string(&path).expect("the golden file exists");
    assert!(expected == actual, "{name} differs; the new text is\n{actual}");
}
