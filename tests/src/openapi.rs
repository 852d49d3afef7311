//! Answers held against the runner's OpenAPI document.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::api::ROOT;
use jsonschema::Validator;
use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

/// What is answered at an address that the document does not have, and to a method that it does not have there.
const ELSEWHERE: [(&str, &str); 2] = [("404", "UnknownAddress"), ("405", "OtherMethod")];

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

    /// Every route that it has, as `GET /catalog`, in order.
    pub fn routes(&self) -> BTreeSet<String> {
        self.operations().map(|(route, _)| route).collect()
    }

    /// Every answer that it promises and that was not seen yet, as `GET /catalog 200`, in order.
    pub fn unseen(&self) -> BTreeSet<String> {
        let statuses = |(route, operation): (String, &Value)| {
            let responses = operation["responses"].as_object().into_iter().flatten();
            responses.map(|(status, _)| format!("{route} {status}")).collect::<Vec<_>>()
        };
        self.operations().flat_map(statuses).filter(|answer| !self.seen.contains(answer)).collect()
    }

    /// Holds an answer of the runner, its headers too, against what is promised of it, and gives its text: `path` as the
    /// document writes it.
    ///
    /// # Errors
    /// Where it is not promised, or something else.
    pub async fn hold_answer(&mut self, method: &str, path: &str, answer: Response) -> Result<String> {
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let body = answer.text().await?;
        let kind = headers.get("content-type").map_or(Ok(""), |kind| kind.to_str())?;
        self.hold(method, path, status, kind, &body)?;
        let route = format!("{method} {path} {status}");
        self.hold_headers(method, path, status, &headers).with_context(|| format!("{route}: {body:.500}"))?;
        Ok(body)
    }

    /// Holds the body of an answer against what is promised of it: `path` as the document writes it, `body` of the content
    /// type `kind`; each line of a stream by itself.
    ///
    /// # Errors
    /// Where it is not promised, or something else.
    pub fn hold(&mut self, method: &str, path: &str, status: u16, kind: &str, body: &str) -> Result<()> {
        let route = format!("{method} {path} {status}");
        let answer =
            self.answer(method, path, status).with_context(|| format!("{route} is not promised: {body:.500}"))?;
        match answer["content"].as_object() {
            Some(content) => {
                let schema =
                    &content.get(kind).with_context(|| format!("{route} is not promised as {kind}"))?["schema"];
                let values: Vec<&str> = if kind == "application/json" { vec![body] } else { body.lines().collect() };
                for value in values {
                    self.hold_value(schema, &serde_json::from_str(value)?).with_context(|| route.clone())?;
                }
            }
            None => ensure!(body.is_empty(), "{route} promises no body: {body:.500}"),
        }
        self.seen.insert(route);
        Ok(())
    }

    /// Holds a value against one of the document's schemas.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn hold_schema(&self, name: &str, value: &Value) -> Result<()> {
        ensure!(self.document["components"]["schemas"][name].is_object(), "there is no schema {name}");
        self.hold_value(&json!({ "$ref": format!("#/components/schemas/{name}") }), value)
    }

    /// The names of a schema's properties.
    pub fn properties(&self, name: &str) -> BTreeSet<String> {
        let properties = self.document["components"]["schemas"][name]["properties"].as_object();
        properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect()
    }

    fn operations(&self) -> impl Iterator<Item = (String, &Value)> {
        let paths = self.document["paths"].as_object().into_iter().flatten();
        paths.flat_map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (format!("{} {path}", method.to_ascii_uppercase()), operation))
        })
    }

    fn answer(&self, method: &str, path: &str, status: u16) -> Result<&Value> {
        let status = status.to_string();
        let operation = &self.document["paths"][path][method.to_ascii_lowercase()];
        let answer = if operation.is_object() {
            &operation["responses"][&status]
        } else {
            let (_, name) =
                ELSEWHERE.iter().find(|(of, _)| *of == status).context("it is no answer of no operation")?;
            &self.document["components"]["responses"][name]
        };
        let answer = match answer["$ref"].as_str() {
            Some(place) => self.document.pointer(place.trim_start_matches('#')).context("it leads nowhere")?,
            None => answer,
        };
        ensure!(answer.is_object(), "the operation has no such status");
        Ok(answer)
    }

    fn hold_headers(&self, method: &str, path: &str, status: u16, headers: &HeaderMap) -> Result<()> {
        for (name, promised) in self.answer(method, path, status)?["headers"].as_object().into_iter().flatten() {
            let value = match headers.get(name) {
                Some(value) if promised["schema"]["type"] == "integer" => serde_json::from_str(value.to_str()?)?,
                Some(value) => json!(value.to_str()?),
                None if promised["required"] == true => bail!("it has no header {name}"),
                None => continue,
            };
            self.hold_value(&promised["schema"], &value).with_context(|| name.clone())?;
        }
        Ok(())
    }

    fn hold_value(&self, schema: &Value, value: &Value) -> Result<()> {
        let errors: Vec<String> = self
            .validator(schema)?
            .iter_errors(value)
            .map(|error| format!("{}: {error:.500}", error.instance_path()))
            .take(5)
            .collect();
        ensure!(errors.is_empty(), "{value:.500}: {errors:?}");
        Ok(())
    }

    fn validator(&self, schema: &Value) -> Result<Validator> {
        let mut root = schema.clone();
        root["components"] = json!({ "schemas": self.document["components"]["schemas"] });
        jsonschema::validator_for(&root).context("the schema is not valid")
    }
}

/// Every address under [`ROOT`] that a router has, as the document writes them, in order.
///
/// Axum gives no list of routes, so this reads what its `Debug` form says: that has those of nested and merged routers
/// too, whichever way their addresses were made, which no reading of the sources could tell. Were it written in another
/// way some day, none would be found, and a test would tell.
pub fn addresses(router: &axum::Router) -> BTreeSet<String> {
    let told = format!("{router:?}");
    // Behind them come those that answer where there is nothing.
    let routes = told.split("fallback_router: ").next().unwrap_or_default();
    // `RouteId(7): "/api/v1/catalog"`
    let address = |part: &str| {
        let (id, rest) = part.split_once("): \"")?;
        id.parse::<u32>().ok()?;
        let (address, _) = rest.split_once('"')?;
        // The root itself is there only to say that there is nothing.
        address.strip_prefix(ROOT).filter(|address| *address != "/").map(str::to_owned)
    };
    routes.split("RouteId(").filter_map(address).collect()
}
