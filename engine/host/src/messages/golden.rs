//! Golden files of sentences, for tests.

use std::fs;
use std::path::Path;

use crate::units::SPACE;

/// Compares sentences, one per line, with a file in `golden/`, in which spaces are plain. `BENCHBOOK_BLESS=1` rewrites it.
#[track_caller]
pub(crate) fn assert_golden(file: &str, sentences: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/messages/golden").join(file);
    let found = sentences.join("\n").replace(SPACE, " ") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, &found).expect("the folder is writable");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "{file}");
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{file}");
}
