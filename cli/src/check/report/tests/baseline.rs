//! The notes of a report about its baseline.

use super::example::report_with;
use crate::check::measure::{ChangedInputs, MeasuredBaseline};

#[test]
fn a_note_names_functions_of_which_only_accepted_results_exist() {
    let report = report_with(None).with_removed(vec!["parsing::old".to_owned()]);
    let expected = "There are accepted results of parsing::old, but no such functions any more.";
    for text in [report.text(), report.markdown().replace('\\', ""), report.html()] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn notes_name_removed_functions_and_changed_inputs() {
    let removed = vec!["parsing::old".to_owned(), "parsing::older".to_owned()];
    let report = report_with(Some(MeasuredBaseline {
        name: "main (77c0a41f)".to_owned(),
        commit: "77c0a41f77c0a41f".to_owned(),
        removed,
        suites: vec!["The suite `parsing` has changed since main (77c0a41f).".to_owned()],
        inputs: vec![ChangedInputs {
            function: "parsing::parse".to_owned(),
            parameter: "format".to_owned(),
            added: vec!["Toml".to_owned(), "Yaml".to_owned()],
            removed: vec!["Ini".to_owned()],
        }],
        warning: None,
    }));
    let inputs = ["format Toml, Yaml: new, so they are not compared.", "format Ini: only main (77c0a41f) has it."];
    let expected = "Only main (77c0a41f) contains parsing::old, parsing::older.";
    for text in [report.text(), report.markdown().replace('\\', ""), report.html()] {
        let text = text.replace('\u{202f}', " ");
        assert!(text.contains(" main (77c0a41f): ") && text.contains(expected), "{text}");
        assert!(inputs.iter().all(|inputs| text.contains(&format!("parsing::parse, {inputs}"))), "{text}");
        assert!(!text.contains("cargo benchbook accept"), "{text}");
    }
}
