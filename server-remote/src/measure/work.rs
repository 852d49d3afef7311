//! The work of a job: its request, and what its earlier turns have measured.

use std::time::Duration;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::repeatability::PastMeasurements;
use benchbook_host::sample::series::MeasurementSeries;

use crate::measure::assembly::Assembly;
use crate::measure::counting::Counting;
use crate::measure::planned_request::PlannedRequest;

/// The work of a job.
#[derive(Clone, Debug)]
pub struct MeasurementWork {
    /// The request.
    pub request: PlannedRequest,
    /// Absent before the first turn.
    pub(crate) begun: Option<BegunMeasurement>,
}

/// A measurement after its first turn.
#[derive(Clone, Debug)]
pub(crate) struct BegunMeasurement {
    /// The stored points that the measurement completes.
    pub(crate) assembly: Assembly,
    /// The axis values that are measured.
    pub(crate) missing: Vec<AxisValue>,
    pub(crate) series: MeasurementSeries,
    /// The duration of all turns so far.
    pub(crate) elapsed: Duration,
    /// The history of this machine when it began.
    pub(crate) past: PastMeasurements,
    /// Absent until all points are measured, and if they are not to be counted.
    pub(crate) counting: Option<Counting>,
}

impl MeasurementWork {
    /// Work that has not begun.
    pub fn new(request: PlannedRequest) -> Self {
        Self { request, begun: None }
    }
}
