//! The forms of the report. `BENCHBOOK_BLESS=1 cargo test -p cargo-benchbook` rewrites `golden/`.

use std::fs;
use std::path::Path;

use super::example::report;

#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check/report/tests/golden").join(name);
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        fs::write(&path, text).expect("the golden folder is writable");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "the report differs from {}:\n{text}", path.display());
}

#[test]
fn text() {
    golden("report.txt", &report().text());
}

#[test]
fn markdown() {
    golden("report.md", &report().markdown());
}

#[test]
fn json() {
    golden("report.json", &report().json());
}

#[test]
fn junit() {
    golden("report.xml", &report().junit(false));
    golden("report-strict.xml", &report().junit(true));
}

#[test]
fn html() {
    golden("report.html", &report().html());
}
