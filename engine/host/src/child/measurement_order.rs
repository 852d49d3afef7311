//! What a native suite is to measure, and what is told meanwhile.

use super::stop_handle::StopHandle;
use crate::quality::Quality;
use crate::request::Plan;
use crate::response::Point;
use crate::sample::measurement::Progress;

/// What a native suite is to measure.
#[derive(Clone, Debug)]
pub struct MeasurementOrder<'a> {
    /// A plan of the suite's own catalog.
    pub plan: &'a Plan,
    /// How accurately.
    pub quality: &'a Quality,
    /// Which of the plan's axis values; absent: all. Others that it names are left out.
    pub only: Option<&'a [f64]>,
    /// What people call this machine.
    pub machine: &'a str,
    /// Ends it.
    pub stop: StopHandle,
}

impl<'a> MeasurementOrder<'a> {
    /// All of a plan, with a handle of its own to stop it.
    pub fn new(plan: &'a Plan, quality: &'a Quality, machine: &'a str) -> Self {
        Self { plan, quality, only: None, machine, stop: StopHandle::default() }
    }
}

/// What is told while a suite is measured.
#[derive(Clone, Copy, Debug)]
pub enum MeasurementEvent<'a> {
    /// How far it is: several times a second.
    Progress(Progress),
    /// A point has its outcome.
    Point(&'a Point),
}
