//! The input of a measurement of a native suite, and the events that it reports.

use super::stop_handle::StopHandle;
use super::suite_program::SuiteProgram;
use crate::quality::Quality;
use crate::repeatability::PastMeasurements;
use crate::request::Plan;
use crate::response::Point;
use crate::sample::measurement::Progress;
use benchbook_contract::axis_value::AxisValue;

/// A measurement for a native suite to carry out.
#[derive(Clone, Debug)]
pub struct MeasurementTask<'a> {
    /// A plan made from the suite's own catalog.
    pub plan: &'a Plan,
    /// The requested accuracy.
    pub quality: &'a Quality,
    /// The subset of the plan's axis values to measure. Absent: all. Values that are not in the plan are ignored.
    pub only: Option<&'a [AxisValue]>,
    /// The configured name of this machine.
    pub machine: &'a str,
    /// The kept builds that the plan refers to, by their identifiers. They are measured interleaved with the suite itself.
    pub builds: Vec<(&'a str, &'a SuiteProgram)>,
    /// The history of the machine.
    pub past: PastMeasurements,
    /// Stops the measurement.
    pub stop: StopHandle,
}

impl<'a> MeasurementTask<'a> {
    /// A task for a complete plan, with a new stop handle.
    pub fn new(plan: &'a Plan, quality: &'a Quality, machine: &'a str) -> Self {
        let past = PastMeasurements::default();
        Self { plan, quality, only: None, machine, builds: Vec::new(), past, stop: StopHandle::default() }
    }
}

/// An event during a measurement.
#[derive(Clone, Debug)]
pub enum MeasurementEvent<'a> {
    /// The progress, several times per second.
    Progress(Progress),
    /// A point is complete.
    Point(&'a Point),
}
