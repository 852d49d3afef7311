//! The OpenAPI document, from the types of requests and responses, and from what is written next to each route.

pub(super) use axum::http::Method;
use benchbook_host::api::{ErrorBody, STREAM};
use benchbook_host::schema::{definitions, generator, remove_null, simplify};
use schemars::{JsonSchema, SchemaGenerator};
pub(super) use serde_json::json;
use serde_json::{Map, Value};

/// The types of requests: clients may write null for a field that they could leave out.
const REQUEST_TYPES: [&str; 5] = ["Request", "Benchmark", "BuildOrigin", "CheckedPoint", "MachineClass"];

/// The document so far.
pub(super) struct Document {
    schemas: SchemaGenerator,
    paths: Map<String, Value>,
}

/// An operation being described. Every operation can return 400, 401 and 403.
pub(super) struct Operation<'d> {
    schemas: &'d mut SchemaGenerator,
    value: &'d mut Value,
}

impl Document {
    pub(super) fn new() -> Self {
        Self { schemas: generator("/components/schemas"), paths: Map::new() }
    }

    /// Adds a method of a path.
    pub(super) fn operation(&mut self, method: Method, path: &str, summary: &str) -> Operation<'_> {
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        let value = &mut methods[method.as_str().to_lowercase()];
        *value = json!({ "summary": summary });
        Operation { schemas: &mut self.schemas, value }
            .shared(400, "NoHost")
            .shared(401, "NoToken")
            .shared(403, "Foreign")
    }

    /// The whole document.
    pub(super) fn finish(mut self) -> Value {
        let error = json!(self.schemas.subschema_for::<ErrorBody>());
        let response = |description: &str| error_response(description, &error);
        let with_header = |description: &str, name: &str, header: &str, pattern: &str| {
            let mut response = response(description);
            response["headers"] = json!({
                name: { "description": header, "required": true, "schema": { "type": "string", "pattern": pattern } }
            });
            response
        };
        let responses = json!({
            "NoHost": response("The request has no Host header, an invalid one, or several."),
            "NotUnderstood": response("A parameter is invalid, or the request has no Host header, an invalid one, or several."),
            "NoToken": with_header(
                "The runner requires a token: `Authorization: Bearer …`.",
                "WWW-Authenticate",
                "The required authentication scheme.",
                "^Bearer ",
            ),
            "Foreign": response("The runner does not accept this origin or host name."),
            "Unreachable": response("The store cannot be read."),
            "UnreadableNotebooks": response("The runner's folder of notebooks cannot be read."),
            "UnknownAddress": response("There is no such resource. Any path that is not in this document returns it."),
            "OtherMethod": with_header(
                "Method not allowed. Any method that is not in this document returns it.",
                "Allow",
                "The supported methods.",
                "^[A-Z]+(,[A-Z]+)*$",
            ),
            "UnavailableHistory": response("The runner's folder of accepted results cannot be read or written."),
        });
        let schemas = definitions(&mut self.schemas, &REQUEST_TYPES);
        REQUEST_TYPES.iter().for_each(|name| assert!(schemas[name].is_object(), "{name} has another name now"));
        let mut paths = Value::Object(self.paths);
        simplify(&mut paths);
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Benchbook runner",
                "version": "1",
                "description": "Measures Rust functions natively on a reference machine, one measurement at a time. Times are nanoseconds per call \
                    unless stated otherwise. The project's ARCHITECTURE.md defines the vocabulary, docs/statistics.md the results.",
            },
            "servers": [{ "url": "/api/v1" }],
            "security": [{}, { "token": [] }],
            "paths": paths,
            "components": {
                "securitySchemes": {
                    "token": { "type": "http", "scheme": "bearer", "description": "Only if the runner has a token." },
                },
                "responses": responses,
                "schemas": schemas,
            },
        })
    }
}

impl Operation<'_> {
    pub(super) fn description(self, text: &str) -> Self {
        self.value["description"] = json!(text);
        self
    }

    /// Adds a parameter of the path, with a schema of its own.
    pub(super) fn path_parameter(self, name: &str, description: &str, schema: Value) -> Self {
        self.parameter(json!({
            "name": name, "in": "path", "description": description, "required": true, "schema": schema
        }))
    }

    /// Adds the fields of a type as parameters of the query.
    pub(super) fn query<T: JsonSchema>(mut self) -> Self {
        let query = T::json_schema(self.schemas).to_value();
        for (name, schema) in query["properties"].as_object().into_iter().flatten() {
            let mut schema = schema.clone();
            let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let is_required = !remove_null(&mut schema);
            self = self.parameter(json!({
                "name": name, "in": "query", "description": description, "required": is_required, "schema": schema
            }));
        }
        self
    }

    /// Adds the fingerprint of a build as a parameter of the path.
    pub(super) fn fingerprint(self) -> Self {
        let description = "The SHA-256 of the executable, in lower-case hexadecimal.";
        self.path_parameter("fingerprint", description, json!({ "type": "string", "minLength": 1 }))
    }

    fn parameter(self, parameter: Value) -> Self {
        match &mut self.value["parameters"] {
            Value::Array(parameters) => parameters.push(parameter),
            parameters => *parameters = json!([parameter]),
        }
        self.shared(400, "NotUnderstood")
    }

    pub(super) fn body<T: JsonSchema>(self) -> Self {
        let schema = self.schemas.subschema_for::<T>();
        self.body_of("application/json", json!(schema))
    }

    pub(super) fn body_of(self, content: &str, schema: Value) -> Self {
        self.value["requestBody"] = json!({ "required": true, "content": { content: { "schema": schema } } });
        self
    }

    /// The response if the operation succeeds.
    pub(super) fn returns<T: JsonSchema>(self, description: &str) -> Self {
        let schema = self.schemas.subschema_for::<T>();
        self.success_content("application/json", json!(schema), description)
    }

    /// The success response as a stream: one `T` per line.
    pub(super) fn streams<T: JsonSchema>(self, description: &str) -> Self {
        let schema = self.schemas.subschema_for::<T>();
        self.success_content(STREAM, json!(schema), description)
    }

    pub(super) fn success_content(self, content: &str, schema: Value, description: &str) -> Self {
        let response = &mut self.value["responses"]["200"];
        response["description"] = json!(description);
        response["content"][content] = json!({ "schema": schema });
        self
    }

    /// A response without a body if the operation succeeds.
    pub(super) fn returns_nothing(self, description: &str) -> Self {
        self.value["responses"]["204"] = json!({ "description": description });
        self
    }

    pub(super) fn error(self, status: u16, description: &str) -> Self {
        let schema = json!(self.schemas.subschema_for::<ErrorBody>());
        self.value["responses"][status.to_string()] = error_response(description, &schema);
        self
    }

    /// An error with a `Retry-After` header: always, or only in the case that `only_if` describes.
    pub(super) fn retryable_error(self, status: u16, description: &str, only_if: Option<&str>) -> Self {
        let condition = only_if.map(|condition| format!("; only if {condition}")).unwrap_or_default();
        let operation = self.error(status, description);
        operation.value["responses"][status.to_string()]["headers"] = json!({
            "Retry-After": {
                "description": format!("Seconds, as in `retry_after`{condition}."),
                "required": only_if.is_none(),
                "schema": { "type": "integer", "minimum": 1 },
            }
        });
        operation
    }

    /// One of the responses that operations share.
    pub(super) fn shared(self, status: u16, name: &str) -> Self {
        self.value["responses"][status.to_string()] = json!({ "$ref": format!("#/components/responses/{name}") });
        self
    }
}

fn error_response(description: &str, schema: &Value) -> Value {
    json!({ "description": description, "content": { "application/json": { "schema": schema } } })
}
