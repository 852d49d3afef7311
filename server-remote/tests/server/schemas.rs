//! The published schemas of the tool's output are parts of the runner's OpenAPI document, which describes the same types.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchbook_contract::parameter::Argument;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::quality::{Priority, Qualities, Quality};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
const COMPONENTS: &str = "#/components/schemas/";

/// The schema of a list of a component, with the components that it refers to.
fn list_of(component: &str, title: &str, description: &str) -> Value {
    // Not at compile time: another test of this package may just have written it.
    let document = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/routes/openapi.json"));
    let document: Value = serde_json::from_slice(&document.expect("the document is readable")).expect("it is JSON");
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

/// The values of a table that a schema accepts but a hand-written `Deserialize` does not, or the other way round.
fn disagreements<T: DeserializeOwned>(component: &str, accepted: &[Value], rejected: &[Value]) -> Vec<String> {
    let mut schema = list_of(component, "", "");
    schema["type"] = json!("array");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let table = accepted.iter().map(|value| (value, true)).chain(rejected.iter().map(|value| (value, false)));
    let outcomes = table.map(|(value, expected)| {
        let (of_schema, of_type) = (validator.is_valid(&json!([value])), T::deserialize(value).is_ok());
        (of_schema != expected || of_type != expected)
            .then(|| format!("{component} {value}: expected {expected}, schema {of_schema}, type {of_type}"))
    });
    outcomes.flatten().collect()
}

#[test]
fn hand_written_readers_accept_what_their_schemas_do() {
    let range = |low: Value, high: Value| json!({ "low": low, "high": high });
    let arguments = [json!(1), json!(-2.5), json!(""), range(json!(1), json!(2)), json!([1, "a"]), json!(["a"])];
    let no_arguments = [
        json!(null),
        json!(true),
        json!({}),
        json!({ "low": 1 }),
        range(json!("1"), json!(2)),
        json!({ "low": 1, "high": 2, "step": 1 }),
        json!([[1]]),
        json!([null]),
    ];
    let priorities = [json!(1), json!(4), json!(2.0)];
    let no_priorities = [json!(0), json!(5), json!(1.5), json!(-1), json!("1"), json!(null)];
    let stabilities = [json!("settled"), json!("not_settled"), json!("unknown"), json!(true), json!(false)];
    let no_stabilities = [json!("Settled"), json!(""), json!(1), json!(null)];
    let quality = |pointer: &str, value: Value| {
        let mut quality = json!(Qualities::default().of(Priority::FIRST));
        let (parent, field) = pointer.rsplit_once('/').expect("it has a parent");
        quality.pointer_mut(parent).expect("it exists")[field] = value;
        quality
    };
    let qualities = [
        quality("/points", json!(2)),
        quality("/points", json!(1_025)),
        quality("/precision", json!(1)),
        quality("/point_ms", json!(3_600_000)),
        quality("/samples/at_most", json!(100_000)),
        quality("/processes", json!(100)),
        quality("/timeout_ms", json!(0.5)),
    ];
    let no_qualities = [
        json!([]),
        quality("/points", json!(1)),
        quality("/points", json!(1_026)),
        quality("/points", json!(2.5)),
        quality("/precision", json!(0)),
        quality("/precision", json!(1.1)),
        quality("/point_ms", json!(0)),
        quality("/point_ms", json!(3_600_001)),
        quality("/warm_up/ms", json!(0)),
        quality("/warm_up/more", json!(0)),
        quality("/samples/at_most", json!(0)),
        quality("/samples/at_most", json!(100_001)),
        quality("/samples/at_least", json!(100_001)),
        quality("/processes", json!(0)),
        quality("/processes", json!(101)),
        quality("/timeout_ms", json!(0)),
        quality("/more", json!(0)),
    ];
    let found = [
        disagreements::<Argument>("Argument", &arguments, &no_arguments),
        disagreements::<Priority>("Priority", &priorities, &no_priorities),
        disagreements::<Stability>("Stability", &stabilities, &no_stabilities),
        disagreements::<Quality>("Quality", &qualities, &no_qualities),
    ];
    assert_eq!(found.concat(), [""; 0]);
}
