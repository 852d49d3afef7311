//! Queries, matches and new results.

use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Arguments;
use benchbook_host::quality::{Priority, Quality};
use benchbook_host::response::{Point, Response};
use serde_json::json;

use super::error::StoreError;

/// A query for points of these functions, measured together.
#[derive(Clone, Debug, PartialEq)]
pub struct PointQuery {
    /// The fingerprint of the suite's executable.
    pub fingerprint: String,
    /// The version of the method; see [`METHOD`](benchbook_host::response::METHOD).
    pub method: u32,
    /// The identity of the machine: the runner's name, its CPU model and its kernel.
    pub machine: String,
    /// The functions' paths, in the order requested.
    pub functions: Vec<String>,
    /// The generator's path.
    pub generator: String,
    /// The arguments. The argument of the axis is not compared.
    pub arguments: Arguments,
    /// The name of the axis; empty if the request has none.
    pub axis: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The axis values, in any order.
    pub xs: Vec<AxisValue>,
    /// The quality that the points must satisfy; see [`satisfies`].
    pub quality: Quality,
    /// Whether the points must have first calls that did not fail.
    pub first_calls: bool,
    /// Whether the points must have wasm instructions whose counting did not fail.
    pub wasm_instructions: bool,
}

/// The points of all functions of a query at one axis value, from one result.
#[derive(Clone, Debug, PartialEq)]
pub struct PointMatch {
    /// The axis value.
    pub x: AxisValue,
    /// The number of the result.
    pub result: u64,
    /// When the result was stored, in milliseconds since 1970.
    pub stored: u64,
    /// The priority of the measurement.
    pub priority: Priority,
    /// One point per function, in the query's order, with raw samples.
    pub points: Vec<Point>,
}

/// A new result: a response, all of whose points are to be stored, and the rest of their search key.
#[derive(Clone, Debug, PartialEq)]
pub struct NewResult {
    /// The response, with one point per measured function and axis value.
    pub response: Response,
    /// The identity of the machine, as in [`PointQuery::machine`].
    pub machine: String,
    /// The name of the axis; empty if the request has none.
    pub axis: String,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl NewResult {
    /// Checks that the result can be stored and read back: it has points, none of them twice, and its JSON is lossless.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] otherwise.
    pub fn check(&self) -> Result<(), StoreError> {
        let Response { points, .. } = &self.response;
        if points.is_empty() {
            return Err(StoreError::Invalid("it has no points".to_owned()));
        }
        let mut seen = HashSet::new();
        // The JSON differs between a number and a text with the same digits, and is the same for both zeros.
        let mut is_new = |point: &Point| seen.insert((point.function.clone(), json!(point.x).to_string()));
        if let Some(twice) = points.iter().find(|point| !is_new(point)) {
            return Err(StoreError::Invalid(format!(
                "it has two points of `{}` at {}",
                twice.function,
                json!(twice.x)
            )));
        }
        // JSON turns NaN and infinity into null.
        let parsed = serde_json::to_string(&self.response).and_then(|json| serde_json::from_str::<Response>(&json));
        match parsed {
            Ok(parsed) if parsed == self.response => Ok(()),
            Ok(_) => Err(StoreError::Invalid("its JSON differs from it".to_owned())),
            Err(problem) => Err(StoreError::Invalid(format!("its JSON cannot be parsed: {problem}"))),
        }
    }
}

/// Whether points of the `stored` quality satisfy the `requested` one. This compares numbers, not priorities.
pub fn satisfies(stored: &Quality, requested: &Quality) -> bool {
    stored.precision <= requested.precision
        && stored.point_ms >= requested.point_ms
        && stored.processes >= requested.processes
}

/// Milliseconds since 1970: the time at which a result is stored.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Selects the results to list: those that match all given fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultFilter {
    /// Results with points of this function, by path.
    pub function: Option<String>,
    /// Results of this generator, by path.
    pub generator: Option<String>,
    /// Results of this suite, by name.
    pub suite: Option<String>,
    /// Results with smaller numbers.
    pub before: Option<u64>,
    /// The maximum number of results.
    pub limit: u32,
}
