//! The builds of suites: those that follow their sources, and those that clients choose.

use serde::{Deserialize, Serialize};

use crate::quality::Quality;
use crate::request::Request;

/// A line of `GET builds`: the state of the builds of a runner whose suites follow their sources, as with `cargo benchbook`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BuildReport {
    /// Increases whenever the suites were replaced. Afterwards, the catalog and the wasm builds are new.
    pub revision: u64,
    /// Whether a build is in progress.
    pub building: bool,
    /// What prevents suites from being used as they are in the sources.
    pub problems: Vec<BuildProblem>,
}

/// Why a suite, or one of its builds, is missing or older than its sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BuildProblem {
    /// The problem and its consequence, in a sentence.
    pub summary: String,
    /// The output of the compiler, or advice; may be empty.
    pub details: String,
    /// What it means for the suites.
    pub severity: BuildSeverity,
}

/// What a problem of a build means for the suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BuildSeverity {
    /// A suite could not be built, so its previous build remains in use.
    Failed,
    /// Something is lost or missing that the user expects.
    Problem,
    /// A suite is complete on one target only.
    Limit,
}

/// The body of `POST builds/{fingerprint}/measure`: what to measure with one build of a suite, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BuildMeasurement {
    /// The functions and their arguments. All points are measured again, whatever `fresh` is, so that each response is independent of
    /// earlier ones.
    pub request: Request,
    /// Replaces the quality of the request's priority, and the request's own precision and time.
    pub quality: Quality,
}
