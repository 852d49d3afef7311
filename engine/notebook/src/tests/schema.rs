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

/// Both documents describe the same types, so a change of one must change the other.
#[test]
fn shares_its_definitions_with_the_api() {
    let openapi: Value = serde_json::from_str(OPENAPI).expect("it is JSON");
    let of_api = openapi["components"]["schemas"].as_object().expect("the API has schemas");
    let schema = schema();
    let own = schema["$defs"].as_object().expect("the schema has definitions");
    let shared: Vec<&String> = own.keys().filter(|name| of_api.contains_key(*name)).collect();
    assert!(shared.len() > 15, "{shared:?}");
    for name in shared {
        let expected = of_api[name].to_string().replace("#/components/schemas/", "#/$defs/");
        assert_eq!(own[name].to_string(), expected, "{name}: copy the definition of the API");
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
