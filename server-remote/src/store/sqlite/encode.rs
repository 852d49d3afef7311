//! What a result becomes in the database, and back.

use benchbook_contract::parameter::Arguments;
use benchbook_host::response::{Failure, Measured, Outcome, Point, Response, Run};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::{NewResult, StoreError};

/// A result as texts and numbers, made before the writer's turn: it only writes.
#[derive(Debug)]
pub(super) struct Encoded {
    pub suite: String,
    pub fingerprint: String,
    pub card: String,
    pub identity: String,
    pub generator: String,
    pub arguments: String,
    pub axis: String,
    pub seed: i64,
    pub priority: u8,
    pub precision: f64,
    pub point_ms: f64,
    pub processes: u32,
    pub request: String,
    pub quality: String,
    pub machine: String,
    pub comparisons: String,
    pub points: Vec<EncodedPoint>,
}

/// A point: figures and samples, or a failure.
#[derive(Debug)]
pub(super) struct EncodedPoint {
    pub function: String,
    pub x: f64,
    pub measured: Option<String>,
    pub runs: Option<Vec<u8>>,
    pub failed: Option<String>,
}

impl Encoded {
    pub fn new(result: &NewResult) -> Result<Self, StoreError> {
        result.check()?;
        let NewResult { response, machine: identity, axis, seed } = result;
        let Response { request, priority, suite, quality, machine, points, comparisons } = response;
        Ok(Self {
            suite: suite.name.clone(),
            fingerprint: suite.fingerprint.clone(),
            card: json(suite)?,
            identity: identity.clone(),
            generator: request.generator.clone(),
            arguments: fixed(&request.arguments, axis)?,
            axis: axis.clone(),
            seed: seed.cast_signed(),
            priority: priority.number(),
            precision: quality.precision,
            point_ms: quality.point_ms,
            processes: quality.processes,
            request: json(request)?,
            quality: json(quality)?,
            machine: json(machine)?,
            comparisons: json(comparisons)?,
            points: points.iter().map(EncodedPoint::new).collect::<Result<_, _>>()?,
        })
    }
}

impl EncodedPoint {
    fn new(point: &Point) -> Result<Self, StoreError> {
        let (measured, runs, failed) = match &point.outcome {
            Outcome::Measured(measured) => {
                let Measured { summary, runs, outputs, warnings } = measured.as_ref().clone();
                let figures = Measured { summary, runs: Vec::new(), outputs, warnings };
                (Some(json(&figures)?), Some(pack(&runs)?), None)
            }
            Outcome::Failed(failure) => (None, None, Some(json(failure)?)),
        };
        Ok(Self { function: point.function.clone(), x: point.x, measured, runs, failed })
    }
}

/// A point without raw samples.
pub(super) fn point(
    function: String,
    x: f64,
    measured: Option<&str>,
    failed: Option<&str>,
) -> Result<Point, StoreError> {
    let outcome = match (measured, failed) {
        (Some(measured), _) => Outcome::Measured(Box::new(read(measured)?)),
        (None, Some(failed)) => Outcome::Failed(read::<Failure>(failed)?),
        (None, None) => return Err(StoreError::Database("a point has neither figures nor a failure".to_owned())),
    };
    Ok(Point { function, x, outcome })
}

/// The arguments but that of the axis: equal ones have equal texts.
pub(super) fn fixed(arguments: &Arguments, axis: &str) -> Result<String, StoreError> {
    let mut fixed = arguments.clone();
    fixed.remove(axis);
    json(&fixed)
}

fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Unfit(error.to_string()))
}

/// Reads what [`json`] wrote.
pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::Database(format!("a text in it cannot be read: {error}")))
}

/// The level that zstd itself prefers: samples shrink to a quarter, and higher ones gain a few per cent.
const LEVEL: i32 = zstd::DEFAULT_COMPRESSION_LEVEL;

fn pack(runs: &[Run]) -> Result<Vec<u8>, StoreError> {
    let packed = zstd::bulk::compress(json(&runs)?.as_bytes(), LEVEL);
    packed.map_err(|error| StoreError::Database(format!("samples cannot be compressed: {error}")))
}

/// Reads what [`pack`] wrote.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<Run>, StoreError> {
    let unreadable = |error: &dyn std::fmt::Display| StoreError::Database(format!("samples cannot be read: {error}"));
    let json = zstd::decode_all(packed).map_err(|error| unreadable(&error))?;
    serde_json::from_slice(&json).map_err(|error| unreadable(&error))
}

#[cfg(test)]
mod tests {
    use super::{json, pack, unpack};
    use crate::store::synthetic::World;

    #[test]
    fn samples_are_packed_and_come_back() {
        let result = World::LARGE.result(1);
        let points = result.response.points.iter().filter_map(|point| point.measured());
        let mut count = 0;
        for measured in points {
            let packed = pack(&measured.runs).unwrap();
            let written = json(&measured.runs).unwrap();
            assert!(3 * packed.len() < 2 * written.len(), "{} of {} bytes", packed.len(), written.len());
            assert_eq!(unpack(&packed).unwrap(), measured.runs);
            count += 1;
        }
        assert!(count > 0);
    }
}
