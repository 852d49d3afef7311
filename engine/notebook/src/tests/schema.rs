//! Tests of the published JSON Schema, docs/notebook.schema.json.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::files::example_json;
use super::strategies::notebook;
use crate::file::{VERSION, write};

const SCHEMA: &str = include_str!("../../../../docs/notebook.schema.json");

/// The description of the runner's API, whose responses have the same results.
const OPENAPI: &str = include_str!("../../../../server-remote/src/http/routes/openapi.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("it is JSON")
}

fn validator() -> Validator {
    jsonschema::options().build(&schema()).expect("it is a schema")
}

/// The errors of a document, one per line; empty if it is valid.
fn errors(validator: &Validator, document: &Value) -> String {
    let errors = validator.iter_errors(document).map(|error| format!("{}: {error}\n", error.instance_path()));
    errors.collect()
}

#[test]
fn describes_the_version_that_is_written() {
    assert_eq!(schema()["properties"]["benchbook"]["const"], VERSION);
    assert_eq!(errors(&validator(), &example_json()), "");
}

#[test]
fn rejects_other_documents() {
    let validator = validator();
    let changed = |pointer: &str, value: Value| {
        let mut changed = example_json();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        changed
    };
    let table = [
        json!({}),
        changed("/benchbook", json!(2)),
        changed("/cells/0", json!({ "id": "a" })),
        changed("/cells/0", json!({ "id": "a b", "text": "" })),
        changed("/cells/1/measurement/setup/functions", json!([])),
        changed("/cells/1/measurement/results/0/curves", json!([])),
        changed("/cells/1/measurement/results/0/curves/0/points/0", json!({ "x": 10 })),
        changed("/cells/1/measurement/results/0/setup/machine", json!("fast")),
    ];
    for document in table {
        assert_ne!(errors(&validator, &document), "", "{document}");
    }
}

/// Definitions of types that the API has, too, are those of the API. With `BENCHBOOK_BLESS`, the test writes them. The others are written by hand:
/// readers of notebooks accept more than the types, such as names of later versions.
#[test]
fn shares_its_definitions_with_the_api() {
    let openapi: Value =
        serde_json::from_str(&OPENAPI.replace("#/components/schemas/", "#/$defs/")).expect("it is JSON");
    let of_api = openapi["components"]["schemas"].as_object().expect("the API has schemas");
    let mut schema = schema();
    let own = schema["$defs"].as_object_mut().expect("the schema has definitions");
    own.retain(|name, _| !of_api.contains_key(name));
    let mut pending = references(&json!(own));
    while let Some(name) = pending.pop() {
        if !own.contains_key(&name) {
            let definition = of_api.get(&name).unwrap_or_else(|| panic!("no definition of {name}")).clone();
            pending.extend(references(&definition));
            own.insert(name, definition);
        }
    }
    assert!(own.len() > 30, "{:?}", own.keys());
    let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/notebook.schema.json"), text)
            .expect("the folder is writable");
    } else {
        assert!(SCHEMA == text, "docs/notebook.schema.json differs from the API; BENCHBOOK_BLESS=1 writes it");
    }
}

/// The names of the definitions that a schema refers to.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::String(text) => text.strip_prefix("#/$defs/").map(str::to_owned).into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(fields) => fields.values().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_written_notebook_is_valid(notebook in notebook()) {
        let document: Value = serde_json::from_str(&write(&notebook)).expect("it is JSON");
        prop_assert_eq!(errors(&validator(), &document), "");
    }
}
