//! Tests of the published JSON Schema, docs/check.schema.json.

use benchbook_host::schema;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::example::report;
use crate::check::report::CheckReport;

const SCHEMA: &str = include_str!("../../../../../docs/check.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("it is JSON")
}

fn document() -> Value {
    serde_json::from_str(&report().json()).expect("it is JSON")
}

/// The errors of a document, one per line; empty if it is valid.
fn errors(validator: &Validator, document: &Value) -> String {
    let errors = validator.iter_errors(document).map(|error| format!("{}: {error}\n", error.instance_path()));
    errors.collect()
}

/// With `BENCHBOOK_BLESS`, the test writes the schema.
#[test]
fn the_published_schema_is_that_of_the_report() {
    let text = serde_json::to_string_pretty(&schema::document::<CheckReport>()).expect("JSON") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/check.schema.json"), text)
            .expect("the folder is writable");
    } else {
        assert!(SCHEMA == text, "docs/check.schema.json differs from the types; BENCHBOOK_BLESS=1 writes it");
    }
}

#[test]
fn describes_every_field() {
    let mut schema = schema();
    // The published schema permits additional fields, so that later reports conform to it.
    schema["additionalProperties"] = json!(false);
    for name in ["ReportedPoint", "ReportedChange", "BuildOrigin", "MachineClass"] {
        schema["$defs"][name]["additionalProperties"] = json!(false);
    }
    assert_eq!(errors(&jsonschema::options().build(&schema).expect("it is a schema"), &document()), "");
}

#[test]
fn rejects_other_documents() {
    let validator = jsonschema::options().build(&schema()).expect("it is a schema");
    let changed = |pointer: &str, value: Value| {
        let mut changed = document();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        changed
    };
    let mut renamed = document();
    let point = renamed["points"][0].as_object_mut().expect("a point is an object");
    let mean = point.remove("mean").expect("a point has a mean");
    point.insert("median".to_owned(), mean);
    let mut without_change = document();
    without_change["points"][0].as_object_mut().expect("a point is an object").remove("change");
    let table = [
        json!({}),
        renamed,
        without_change,
        changed("/benchbook_check", json!(2)),
        changed("/points/0/finding", json!("worse")),
        changed("/points/0/change/low", json!("1%")),
        changed("/points/0/metric", json!("memory")),
        changed("/points/0/arguments/size", json!({ "from": 1 })),
        changed("/points/0/build/dirty", json!("no")),
        changed("/failures", json!("none")),
    ];
    for document in table {
        assert_ne!(errors(&validator, &document), "", "{document}");
    }
}
