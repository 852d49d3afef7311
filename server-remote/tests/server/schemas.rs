//! The published schemas of the tool's output are parts of the runner's OpenAPI document, which describes the same types.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
const COMPONENTS: &str = "#/components/schemas/";

/// The schema of a list of a component, with the components that it refers to.
fn list_of(component: &str, title: &str, description: &str) -> Value {
    let document: Value = serde_json::from_str(include_str!("../../src/http/routes/openapi.json")).expect("it is JSON");
    let mut definitions = BTreeMap::new();
    let mut pending = vec![component.to_owned()];
    while let Some(name) = pending.pop() {
        let mut schema = document["components"]["schemas"][&name].clone();
        assert!(schema.is_object(), "no component {name}");
        let others = redirect(&mut schema);
        if definitions.insert(name, schema).is_none() {
            pending.extend(others);
        }
    }
    json!({
        "$schema": DRAFT, "title": title, "description": description, "type": "array",
        "items": { "$ref": format!("#/$defs/{component}") }, "$defs": definitions
    })
}

/// Changes references to components into those to definitions. Returns their names.
fn redirect(schema: &mut Value) -> Vec<String> {
    match schema {
        Value::String(text) => {
            let name = text.strip_prefix(COMPONENTS).map(str::to_owned);
            if let Some(name) = &name {
                *text = format!("#/$defs/{name}");
            }
            name.into_iter().collect()
        }
        Value::Array(items) => items.iter_mut().flat_map(redirect).collect(),
        Value::Object(fields) => fields.values_mut().flat_map(redirect).collect(),
        _ => Vec::new(),
    }
}

/// With `BENCHBOOK_BLESS`, the test writes the files.
#[test]
fn the_published_schemas_are_parts_of_the_openapi_document() {
    let later = "A later version may have additional fields.";
    for (file, component, title, description) in [
        (
            "list",
            "Suite",
            "Benchbook list",
            format!(
                "What `cargo benchbook list --json` prints: suites with the listed functions and their generators. {later}"
            ),
        ),
        (
            "measure",
            "Response",
            "Benchbook measure",
            format!("What `cargo benchbook measure --json` prints: a response for each measurement. {later}"),
        ),
        (
            "history",
            "AcceptedResult",
            "Benchbook history",
            format!(
                "What `cargo benchbook history --json` prints: the accepted results, oldest first for each function. {later}"
            ),
        ),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/{file}.schema.json"));
        let schema = serde_json::to_string_pretty(&list_of(component, title, &description)).expect("JSON") + "\n";
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&path, &schema).expect("the folder is writable");
        }
        let published = fs::read_to_string(&path).unwrap_or_default();
        assert!(published == schema, "{} differs; BENCHBOOK_BLESS=1 writes it", path.display());
    }
}
