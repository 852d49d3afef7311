//! Converts results to rows of the database, and back.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Arguments;
use benchbook_host::response::{Failure, MeasuredPoint, Outcome, Point, Response, Run};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::store::error::StoreError;
use crate::store::model::NewResult;

/// The columns of a result. The caller's thread computes them, so that the writer only writes.
#[derive(Debug)]
pub(super) struct ResultRow {
    pub suite: String,
    pub fingerprint: String,
    pub card: String,
    pub identity: String,
    pub generator: String,
    pub arguments: String,
    pub axis: String,
    pub seed: i64,
    pub priority: u8,
    pub method: u32,
    pub precision: f64,
    pub point_ms: f64,
    pub processes: u32,
    pub request: String,
    pub quality: String,
    pub machine: String,
    pub comparisons: String,
    pub points: Vec<PointRow>,
}

/// The columns of a point: figures and samples, or a failure.
#[derive(Debug)]
pub(super) struct PointRow {
    pub function: String,
    pub x: AxisValue,
    pub measured: Option<String>,
    pub runs: Option<Vec<u8>>,
    pub failed: Option<String>,
}

impl ResultRow {
    pub fn new(result: &NewResult) -> Result<Self, StoreError> {
        result.check()?;
        let NewResult { response, machine: identity, axis, seed } = result;
        let Response { request, priority, suite, method, quality, machine, points, comparisons } = response;
        Ok(Self {
            suite: suite.name.clone(),
            fingerprint: suite.fingerprint.clone(),
            card: to_json(suite)?,
            identity: identity.clone(),
            generator: request.generator.clone(),
            arguments: fixed_arguments(&request.arguments, axis)?,
            axis: axis.clone(),
            seed: seed.cast_signed(),
            priority: priority.number(),
            method: *method,
            precision: quality.precision,
            point_ms: quality.point_ms,
            processes: quality.processes,
            request: to_json(request)?,
            quality: to_json(quality)?,
            machine: to_json(machine)?,
            comparisons: to_json(comparisons)?,
            points: points.iter().map(PointRow::new).collect::<Result<_, _>>()?,
        })
    }
}

impl PointRow {
    fn new(point: &Point) -> Result<Self, StoreError> {
        let (measured, runs, failed) = match &point.outcome {
            Outcome::Measured(measured) => {
                let MeasuredPoint { runs, .. } = measured.as_ref();
                let figures = MeasuredPoint { runs: Vec::new(), ..measured.as_ref().clone() };
                (Some(to_json(&figures)?), Some(pack(runs)?), None)
            }
            Outcome::Failed(failure) => (None, None, Some(to_json(failure)?)),
        };
        Ok(Self { function: point.function.clone(), x: point.x.clone(), measured, runs, failed })
    }
}

/// Why a row cannot be decoded.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct DecodeError(pub String);

impl From<rusqlite::Error> for DecodeError {
    /// The error of [`Row::get`](rusqlite::Row::get), which only converts the column of a row that was already read.
    fn from(error: rusqlite::Error) -> Self {
        Self(error.to_string())
    }
}

/// Decodes a point without raw samples.
pub(super) fn decode_point(
    function: String,
    x: AxisValue,
    measured: Option<&str>,
    failed: Option<&str>,
) -> Result<Point, DecodeError> {
    let outcome = match (measured, failed) {
        (Some(measured), _) => Outcome::Measured(Box::new(from_json(measured)?)),
        (None, Some(failed)) => Outcome::Failed(from_json::<Failure>(failed)?),
        (None, None) => return Err(DecodeError("the point has neither figures nor a failure".to_owned())),
    };
    Ok(Point { function, x, outcome })
}

/// The arguments without that of the axis, as JSON. Equal arguments have equal texts.
pub(super) fn fixed_arguments(arguments: &Arguments, axis: &str) -> Result<String, StoreError> {
    let mut fixed = arguments.clone();
    fixed.remove(axis);
    to_json(&fixed)
}

fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Invalid(error.to_string()))
}

/// Parses the output of [`to_json`].
pub(super) fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, DecodeError> {
    serde_json::from_str(json).map_err(|error| DecodeError(format!("invalid JSON: {error}")))
}

/// The default of zstd: samples shrink to a quarter; higher levels gain a few per cent.
const LEVEL: i32 = zstd::DEFAULT_COMPRESSION_LEVEL;

fn pack(runs: &[Run]) -> Result<Vec<u8>, StoreError> {
    let packed = zstd::bulk::compress(to_json(&runs)?.as_bytes(), LEVEL);
    packed.map_err(|error| StoreError::Invalid(format!("its samples cannot be compressed: {error}")))
}

/// Decompresses and parses the output of [`pack`].
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<Run>, DecodeError> {
    let invalid = |error: &dyn std::fmt::Display| DecodeError(format!("invalid samples: {error}"));
    let json = zstd::decode_all(packed).map_err(|error| invalid(&error))?;
    serde_json::from_slice(&json).map_err(|error| invalid(&error))
}

#[cfg(test)]
mod tests {
    use benchbook_host::analyze::stability::Stability;
    use benchbook_host::response::{Overhead, Run, Sample};

    use super::{pack, to_json, unpack};

    /// Twenty samples of irregular times.
    fn run() -> Run {
        let time = |index: u64| 64_000.0 + (index.wrapping_mul(2_862_933_555_777_941_757) >> 32) as f64 / 1_048_576.0;
        let sample = |index| Sample { elapsed: time(index), warm_up: index == 0, interrupted: false, inferred: false };
        let overhead = Overhead { per_call: 0.5, half_width: 0.01, ..Overhead::default() };
        let run = Run::of_single_calls((0..20).map(sample).collect(), vec![19], Stability::Settled);
        Run { calls: 64, overhead, reference: Some(523.25), ..run }
    }

    #[test]
    fn compresses_samples_without_loss() {
        for count in 1..=5 {
            let runs = vec![run(); count];
            let packed = pack(&runs).unwrap();
            let json = to_json(&runs).unwrap();
            assert!(3 * packed.len() < 2 * json.len(), "{} of {} bytes", packed.len(), json.len());
            assert_eq!(unpack(&packed).unwrap(), runs);
        }
    }
}
