//! Answers held against the runner's OpenAPI document.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use jsonschema::Validator;
use serde_json::{Value, json};

/// The document, and which of its answers were seen.
pub struct Document {
    document: Value,
    seen: BTreeSet<String>,
}

impl Document {
    /// The text of a document.
    ///
    /// # Errors
    /// Where it is no JSON.
    pub fn read(text: &str) -> Result<Self> {
        Ok(Self { document: serde_json::from_str(text)?, seen: BTreeSet::new() })
    }

    /// Every answer that it promises, as `GET /catalog 200`, in order.
    pub fn promised(&self) -> BTreeSet<String> {
        let mut promised = BTreeSet::new();
        for (path, methods) in self.document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                for (status, _) in operation["responses"].as_object().into_iter().flatten() {
                    promised.insert(name(method, path, status));
                }
            }
        }
        promised
    }

    /// Those that were seen so far.
    pub fn seen(&self) -> &BTreeSet<String> {
        &self.seen
    }

    /// Holds an answer against what is promised of it: `path` as the document writes it, `body` of the content type `kind`;
    /// each line of a stream by itself.
    ///
    /// # Errors
    /// Where it is not promised, or something else.
    pub fn hold(&mut self, method: &str, path: &str, status: u16, kind: &str, body: &str) -> Result<()> {
        let status = status.to_string();
        let answer = &self.document["paths"][path][method.to_ascii_lowercase()]["responses"][&status];
        ensure!(answer.is_object(), "{} is not promised: {body}", name(method, path, &status));
        if let Some(content) = answer["content"].as_object() {
            let schema = &content.get(kind).with_context(|| format!("{kind} is not promised of {path}"))?["schema"];
            let validator = self.validator(schema)?;
            let values: Vec<&str> = if kind == "application/json" { vec![body] } else { body.lines().collect() };
            for value in values {
                let value: Value = serde_json::from_str(value)?;
                let errors: Vec<String> = validator
                    .iter_errors(&value)
                    .map(|error| format!("{}: {error}", error.instance_path()))
                    .take(5)
                    .collect();
                ensure!(errors.is_empty(), "{} answers {value:.500}: {errors:?}", name(method, path, &status));
            }
        }
        self.seen.insert(name(method, path, &status));
        Ok(())
    }

    fn validator(&self, schema: &Value) -> Result<Validator> {
        let mut root = schema.clone();
        root["components"] = json!({ "schemas": self.document["components"]["schemas"] });
        jsonschema::validator_for(&root).context("the schema is not valid")
    }
}

fn name(method: &str, path: &str, status: &str) -> String {
    format!("{} {path} {status}", method.to_ascii_uppercase())
}
