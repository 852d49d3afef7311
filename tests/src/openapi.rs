//! Checks responses against the runner's OpenAPI document.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::api::ROOT;
use jsonschema::Validator;
use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

/// The shared responses for unknown addresses and for methods that an address does not support.
const UNROUTED: [(&str, &str); 2] = [("404", "UnknownAddress"), ("405", "OtherMethod")];

/// The document, and the documented responses that a test has received so far.
pub struct Document {
    document: Value,
    seen: BTreeSet<String>,
}

impl Document {
    /// Parses a document.
    pub fn read(text: &str) -> Result<Self> {
        Ok(Self { document: serde_json::from_str(text)?, seen: BTreeSet::new() })
    }

    /// All routes of the document, such as `GET /catalog`.
    pub fn routes(&self) -> BTreeSet<String> {
        self.operations().map(|(route, _)| route).collect()
    }

    /// The documented responses that no test has received yet, such as `GET /catalog 200`.
    pub fn unseen(&self) -> BTreeSet<String> {
        let statuses = |(route, operation): (String, &Value)| {
            let responses = operation["responses"].as_object().into_iter().flatten();
            responses.map(|(status, _)| format!("{route} {status}")).collect::<Vec<_>>()
        };
        self.operations().flat_map(statuses).filter(|response| !self.seen.contains(response)).collect()
    }

    /// Checks a response, including its headers, and returns its body. `path` is written as in the document.
    pub async fn check_response(&mut self, method: &str, path: &str, response: Response) -> Result<String> {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.text().await?;
        let kind = headers.get("content-type").map_or(Ok(""), |kind| kind.to_str())?;
        self.check_body(method, path, status, kind, &body)?;
        let route = format!("{method} {path} {status}");
        self.check_headers(method, path, status, &headers).with_context(|| format!("{route}: {body:.500}"))?;
        Ok(body)
    }

    /// Checks a response's body of content type `kind`; of a stream, each line. `path` is written as in the document.
    pub fn check_body(&mut self, method: &str, path: &str, status: u16, kind: &str, body: &str) -> Result<()> {
        let route = format!("{method} {path} {status}");
        let response =
            self.response(method, path, status).with_context(|| format!("{route} is not documented: {body:.500}"))?;
        match response["content"].as_object() {
            Some(content) => {
                let schema =
                    &content.get(kind).with_context(|| format!("{route} is not documented as {kind}"))?["schema"];
                let values: Vec<&str> = if kind == "application/json" { vec![body] } else { body.lines().collect() };
                for value in values {
                    self.check_value(schema, &serde_json::from_str(value)?).with_context(|| route.clone())?;
                }
            }
            None => ensure!(body.is_empty(), "{route} has no documented body: {body:.500}"),
        }
        self.seen.insert(route);
        Ok(())
    }

    /// Checks a value against one of the document's schemas.
    pub fn check_schema(&self, name: &str, value: &Value) -> Result<()> {
        ensure!(self.document["components"]["schemas"][name].is_object(), "no schema {name}");
        self.check_value(&json!({ "$ref": format!("#/components/schemas/{name}") }), value)
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

    fn response(&self, method: &str, path: &str, status: u16) -> Result<&Value> {
        let status = status.to_string();
        let operation = &self.document["paths"][path][method.to_ascii_lowercase()];
        let response = if operation.is_object() {
            &operation["responses"][&status]
        } else {
            let (_, name) = UNROUTED.iter().find(|(of, _)| *of == status).context("not a status of unknown routes")?;
            &self.document["components"]["responses"][name]
        };
        let response = match response["$ref"].as_str() {
            Some(pointer) => self.document.pointer(pointer.trim_start_matches('#')).context("dangling reference")?,
            None => response,
        };
        ensure!(response.is_object(), "the operation has no such status");
        Ok(response)
    }

    fn check_headers(&self, method: &str, path: &str, status: u16, headers: &HeaderMap) -> Result<()> {
        for (name, promised) in self.response(method, path, status)?["headers"].as_object().into_iter().flatten() {
            let value = match headers.get(name) {
                Some(value) if promised["schema"]["type"] == "integer" => serde_json::from_str(value.to_str()?)?,
                Some(value) => json!(value.to_str()?),
                None if promised["required"] == true => bail!("missing header {name}"),
                None => continue,
            };
            self.check_value(&promised["schema"], &value).with_context(|| name.clone())?;
        }
        Ok(())
    }

    fn check_value(&self, schema: &Value, value: &Value) -> Result<()> {
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
        jsonschema::validator_for(&root).context("invalid schema")
    }
}

/// The addresses under [`ROOT`] that a router serves, written as in the document.
///
/// Axum does not list its routes, so this parses the router's `Debug` output, which includes nested and merged routers.
/// If that format changes, the result is empty and the test of the document fails.
pub fn addresses(router: &axum::Router) -> BTreeSet<String> {
    let debug = format!("{router:?}");
    // The fallback routes follow.
    let routes = debug.split("fallback_router: ").next().unwrap_or_default();
    // `RouteId(7): "/api/v1/catalog"`
    let address = |part: &str| {
        let (id, rest) = part.split_once("): \"")?;
        id.parse::<u32>().ok()?;
        let (address, _) = rest.split_once('"')?;
        // The route of the root itself only returns 404.
        address.strip_prefix(ROOT).filter(|address| *address != "/").map(str::to_owned)
    };
    routes.split("RouteId(").filter_map(address).collect()
}
