//! The limits in the OpenAPI document are those that the runner enforces.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use benchbook_host::api::STREAM;
use reqwest::Method;
use serde_json::{Value, json};

use crate::routes::{Routes, ladder};

/// A value for each parameter of a path or a query.
const VALID: [(&str, &str); 9] = [
    ("suite", "ladder"),
    ("function", "rungs::one"),
    ("generator", "rungs::steps"),
    ("client", "absent"),
    ("fingerprint", "77c0a41f0b12"),
    ("id", "1"),
    ("before", "1"),
    ("limit", "1"),
    ("x", "1"),
];

async fn document(routes: &Routes) -> Result<Value> {
    Ok(routes.send(routes.get("openapi.json")).await.json().await?)
}

/// The greatest valid value of a parameter and an invalid one, if its schema limits it.
fn at_and_beyond(schema: &Value) -> Option<[String; 2]> {
    if let Some(length) = schema["maxLength"].as_u64() {
        return Some([length, length + 1].map(|length| "n".repeat(length as usize)));
    }
    schema["maximum"].as_u64().map(|maximum| [maximum, maximum + 1].map(|value| value.to_string()))
}

#[tokio::test(flavor = "current_thread")]
async fn parameters_beyond_their_limits_are_rejected() -> Result<()> {
    let routes = Routes::new(ladder().0);
    let document = document(&routes).await?;
    let mut limited = 0;
    for (path, methods) in document["paths"].as_object().context("the document has paths")? {
        for (method, operation) in methods.as_object().context("a path has methods")? {
            let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            let send = async |name: &str, value: &str| {
                let values: BTreeMap<&str, &str> = VALID.into_iter().chain([(name, value)]).collect();
                let address = path.replace("{id}", values["id"]).replace("{client}", values["client"]);
                let address = address.replace("{fingerprint}", values["fingerprint"]);
                let query: Vec<String> = parameters
                    .iter()
                    .filter(|parameter| parameter["in"] == "query")
                    .filter_map(|parameter| parameter["name"].as_str())
                    .map(|name| format!("{name}={}", values[name]))
                    .collect();
                let method: Method = method.to_ascii_uppercase().parse()?;
                let address = format!("{}?{}", address.trim_start_matches('/'), query.join("&"));
                anyhow::Ok(routes.send(routes.request(method, &address)).await.status().as_u16())
            };
            for parameter in parameters {
                let name = parameter["name"].as_str().context("a parameter has a name")?;
                let Some([at, beyond]) = at_and_beyond(&parameter["schema"]) else { continue };
                assert_ne!(send(name, &at).await?, 400, "{method} {path} {name}");
                assert_eq!(send(name, &beyond).await?, 400, "{method} {path} {name}");
                limited += 1;
            }
        }
    }
    assert!(limited >= 10, "only {limited} parameters have limits");
    // An axis value may be any text, up to the limit on lists.
    for (x, status) in [("NaN".to_owned(), 404), ("n".repeat(500), 404), ("n".repeat(501), 400)] {
        let address = format!("results/1/samples?function=rungs::one&x={x}");
        assert_eq!(routes.send(routes.get(&address)).await.status().as_u16(), status, "{} characters", x.len());
    }
    Ok(())
}

#[tokio::test(flavor = "current_thread")]
async fn requests_beyond_their_limits_are_rejected() -> Result<()> {
    let (setup, request) = ladder();
    let routes = Routes::new(setup);
    let document = document(&routes).await?;
    let properties = &document["components"]["schemas"]["Request"]["properties"];
    let request = json!(request);
    let send = async |field: &str, value: Value| {
        let mut changed = request.clone();
        changed[field] = value;
        // As a stream, the response to a valid request does not wait for the measurement.
        routes.send(routes.post("measure").header("accept", STREAM).json(&changed)).await.status().as_u16()
    };
    for (field, schema) in properties.as_object().context("a request has fields")? {
        let limit = |name: &str| schema[name].as_u64();
        if let Some(length) = limit("maxLength") {
            assert!([404, 422].contains(&send(field, json!("n".repeat(length as usize + 1))).await), "{field}");
        }
        if let Some(maximum) = limit("maximum") {
            assert!([400, 422].contains(&send(field, json!(maximum + 1)).await), "{field}");
        }
        if let Some(count) = limit("maxItems") {
            let item = if schema["items"]["type"] == "number" { json!(1_000.0) } else { json!("rungs::one") };
            assert_eq!(send(field, json!(vec![item; count as usize + 1])).await, 422, "{field}");
        }
    }
    for field in ["seed", "client"] {
        let [at, _] = at_and_beyond(&properties[field]).context("the field is limited")?;
        let at = if field == "seed" { at.parse()? } else { Value::String(at) };
        assert_eq!(send(field, at).await, 200, "{field}");
    }
    // An integer may have a fraction of zero, and optional fields may be null.
    for (field, value) in
        [("seed", json!(4811.0)), ("priority", json!(2.0)), ("seed", json!(null)), ("point_ms", json!(null))]
    {
        assert_eq!(send(field, value.clone()).await, 200, "{field} {value}");
    }
    Ok(())
}
