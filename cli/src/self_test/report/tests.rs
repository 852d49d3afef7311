use std::fs;
use std::path::Path;

use benchbook_host::analyze::interval::Interval;
use benchbook_host::response::MachineWarning;
use benchbook_host::schema;
use serde_json::{Value, json};

use super::*;

const SCHEMA: &str = include_str!("../../../../docs/self-test.schema.json");

/// A report with each field: a machine on which one check fails.
fn example() -> SelfTestReport {
    let half_widths = [0.002, 0.003, 0.004];
    let test = SelfTest {
        equal: half_widths.map(|half| Interval { low: 1.0 - half, high: 1.0 + half }).into(),
        stolen: Some(0.034),
        ..SelfTest::default()
    };
    let machine = MachineClass {
        cpu: Some("AMD EPYC 9R14".to_owned()),
        settings: vec!["turbo on".to_owned()],
        system: Some("Linux 6".to_owned()),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        runner: None,
        compiler: None,
    };
    let warning =
        MachineWarning { message: "Turbo is on.".to_owned(), fix: Some("echo 0 | sudo tee boost".to_owned()) };
    let settings = vec![
        MachineSetting { name: "governor", value: None, warning: None },
        MachineSetting { name: "turbo", value: Some("on".to_owned()), warning: Some(warning) },
        MachineSetting { name: "swapped memory", value: Some("0 MiB".to_owned()), warning: None },
    ];
    let between_days = Some(ResolutionBetweenDays { difference: 0.021, occasions: 5 });
    let report = SelfTestReport::new(&test, machine, settings, between_days);
    SelfTestReport { resolution: Resolution { between_runs: Some(0.009), ..report.resolution }, ..report }
}

fn schema_errors(document: &Value) -> String {
    let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
    let validator = jsonschema::options().build(&schema).expect("it is a schema");
    validator.iter_errors(document).map(|error| format!("{}: {error}\n", error.instance_path())).collect()
}

#[test]
fn the_answer_is_followed_by_the_checks_and_the_settings() {
    let text = example().text();
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(
        parts[0],
        "Within a run: this machine resolves differences of 0.30%.\nBetween runs: 0.90%.\nBetween days: 2.1%, from 5 occasions."
    );
    assert!(parts[1].starts_with("1 of 6 checks failed: "), "{text}");
    assert!(parts[2].contains("\nFAILED other virtual machines: they took 3.4% of the processors' time\n"), "{text}");
    assert_eq!(parts[3], "Settings of this machine");
    assert_eq!(
        parts[4],
        "unknown governor: this machine doesn't have or show this setting\n\
         not ok  turbo: on\n        Turbo is on.\n        echo 0 | sudo tee boost\n\
         ok      swapped memory: 0 MiB"
    );
    assert!(parts[5].ends_with("\n  cargo benchbook self-test --tune\n"), "{text}");
}

#[test]
fn what_is_unknown_has_a_reason() {
    assert_eq!(
        Resolution::default().text(),
        "Within a run: unknown, since no comparison succeeded.\n\
         Between runs: unknown, since fewer than 3 runs were measured. Repeat the test with more --tries.\n\
         Between days: unknown. First measure something at three occasions, more than five minutes apart.\n"
    );
}

#[test]
fn a_machine_that_varies_wildly_has_a_factor() {
    let between_days = Some(ResolutionBetweenDays { difference: 15.61, occasions: 10 });
    let text = Resolution { between_days, ..Resolution::default() }.text();
    assert!(text.ends_with("Between days: only by a factor of 17, from 10 occasions.\n"), "{text}");
}

#[test]
fn a_report_is_passed_if_no_check_failed() {
    let example = example();
    assert!(!example.is_passed());
    let passed = SelfTestReport::new(&SelfTest::default(), example.machine, Vec::new(), None);
    assert!(passed.is_passed());
}

/// With `BENCHBOOK_BLESS`, the test writes the schema.
#[test]
fn the_published_schema_is_that_of_the_report() {
    let text = serde_json::to_string_pretty(&schema::document::<SelfTestReport>()).expect("JSON") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/self-test.schema.json");
        fs::write(path, text).expect("the folder is writable");
    } else {
        assert!(SCHEMA == text, "docs/self-test.schema.json differs from the types; BENCHBOOK_BLESS=1 writes it");
    }
}

#[test]
fn the_schema_describes_the_report_and_rejects_others() {
    let document: Value = serde_json::from_str(&example().json()).expect("it is JSON");
    assert_eq!(schema_errors(&document), "");
    for (pointer, value) in [
        ("/benchbook_self_test", json!(2)),
        ("/passed", json!("yes")),
        ("/resolution/within_run", json!("0.3%")),
        ("/settings/0/status", json!("fine")),
        ("/checks/0/result", json!(null)),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(pointer).expect("it has the field") = value;
        assert_ne!(schema_errors(&changed), "", "{pointer}");
    }
}
