//! The forms of the report. `BENCHBOOK_BLESS=1 cargo test -p cargo-benchbook` rewrites `golden/`.

use std::fs;
use std::path::Path;

use super::example::report;

#[test]
fn each_form_equals_its_golden_file() {
    let report = report();
    for (name, text) in [
        ("report.txt", report.text()),
        ("report.md", report.markdown()),
        ("report.json", report.json()),
        ("report.xml", report.junit(false)),
        ("report-strict.xml", report.junit(true)),
        ("report.html", report.html()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check/report/tests/golden").join(name);
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&path, &text).expect("the golden folder is writable");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert!(text == expected, "the report differs from {}:\n{text}", path.display());
    }
}
