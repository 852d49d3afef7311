//! JSON Schemas derived from our types. Tests compare the published documents with them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

/// A generator of the schemas of what is written. `definitions`: the path of those of other types in the document, such as `/$defs`.
pub fn generator(definitions: &str) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.meta_schema = None;
    settings.definitions_path = definitions.to_owned().into();
    settings.into_generator()
}

/// The schema of a type's serialized form, with its `$defs`.
pub fn document<T: JsonSchema>() -> Value {
    let mut generator = generator("/$defs");
    let mut schema = T::json_schema(&mut generator).to_value();
    remove_absent_null(&mut schema);
    simplify(&mut schema);
    schema["$defs"] = definitions(&mut generator, &[]);
    schema
}

/// The schemas of the types that a generator has referred to, by name. Fields that may be absent are never null, except in the types `with_null`.
pub fn definitions(generator: &mut SchemaGenerator, with_null: &[&str]) -> Value {
    let definition = |(name, mut schema): (String, Value)| {
        if !with_null.contains(&name.as_str()) {
            remove_absent_null(&mut schema);
        }
        simplify(&mut schema);
        (name, schema)
    };
    generator.take_definitions(true).into_iter().map(definition).collect()
}

fn remove_absent_null(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(remove_absent_null),
        Value::Object(fields) => {
            let required = fields.get("required").cloned().unwrap_or_default();
            let is_required = |name: &String| required.as_array().is_some_and(|names| names.contains(&json!(name)));
            if let Some(Value::Object(properties)) = fields.get_mut("properties") {
                for (_, schema) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
                    remove_null(schema);
                }
            }
            fields.values_mut().for_each(remove_absent_null);
        }
        _ => {}
    }
}

/// Removes all formats but `binary`, and what only rustdoc understands.
pub fn simplify(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format.is_string() && format != "binary") {
                fields.remove("format");
            }
            if let Some(Value::String(description)) = fields.get_mut("description") {
                *description = without_links(description);
            }
            fields.values_mut().for_each(simplify);
        }
        _ => {}
    }
}

/// Removes null from the types of a schema. Returns whether it was one of them.
pub fn remove_null(schema: &mut Value) -> bool {
    let Some(fields) = schema.as_object_mut() else { return false };
    let mut is_removed = false;
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        let count = types.len();
        types.retain(|kind| kind != "null");
        is_removed |= types.len() < count;
        if let [only] = &types[..] {
            fields["type"] = only.clone();
        }
    }
    if let Some(Value::Array(variants)) = fields.get_mut("anyOf") {
        let count = variants.len();
        variants.retain(|variant| variant["type"] != "null");
        is_removed |= variants.len() < count;
        if let [Value::Object(only)] = &variants[..] {
            let only = only.clone();
            fields.remove("anyOf");
            fields.extend(only);
        }
    }
    is_removed
}

/// A doc comment without the links and line ends of its source: ``[`Self::low`](…)`` becomes `` `low` ``.
fn without_links(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
    let text = paragraphs.join("\n\n");
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("[`") {
        let Some(end) = rest[start..].find("`]") else { break };
        let name = &rest[start + 2..start + end];
        let name = name.strip_prefix("Self::").unwrap_or(name);
        plain += &format!("{}`{name}`", &rest[..start]);
        rest = &rest[start + end + 2..];
        if let Some(link) = rest.strip_prefix('(').and_then(|link| link.find(')')) {
            rest = &rest[link + 2..];
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_removed_wherever_it_is() {
        for (schema, expected) in [
            (json!({ "type": ["string", "null"] }), Some(json!({ "type": "string" }))),
            (json!({ "type": ["number", "string", "null"] }), Some(json!({ "type": ["number", "string"] }))),
            (json!({ "anyOf": [{ "$ref": "#/a" }, { "type": "null" }] }), Some(json!({ "$ref": "#/a" }))),
            (json!({ "type": "string" }), None),
            (json!({ "anyOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }] }), None),
        ] {
            let mut without = schema.clone();
            assert_eq!(remove_null(&mut without), expected.is_some(), "{schema}");
            assert_eq!(without, expected.unwrap_or(schema));
        }
    }

    #[test]
    fn links_are_removed() {
        assert_eq!(
            without_links("At most [`MAX`];\nsee [`f`](crate::f) and\n[`Self::low`].\n\nMore."),
            "At most `MAX`; see `f` and `low`.\n\nMore."
        );
    }
}
