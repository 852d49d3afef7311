//! The notes of a report about its baseline.

use super::example::report_with;
use crate::check::measure::MeasuredBaseline;

#[test]
fn a_note_names_removed_functions() {
    let removed = vec!["parsing::old".to_owned(), "parsing::older".to_owned()];
    let report = report_with(Some(MeasuredBaseline {
        name: "main (77c0a41f)".to_owned(),
        commit: "77c0a41f77c0a41f".to_owned(),
        removed,
        warning: None,
    }));
    let expected = "Only main (77c0a41f) contains parsing::old, parsing::older.";
    for text in [report.text(), report.markdown().replace('\\', ""), report.html()] {
        let text = text.replace('\u{202f}', " ");
        assert!(text.contains(" main (77c0a41f): ") && text.contains(expected), "{text}");
        assert!(!text.contains("cargo benchbook accept"), "{text}");
    }
}
