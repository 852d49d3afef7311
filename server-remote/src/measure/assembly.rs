//! Assembles responses from stored and measured points.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::api::{CurveRow, Done, MeasureResponse, MetricCurve, StreamStart, Units};
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::request::Request;
use benchbook_host::response::Point;

use crate::measure::planned_request::PlannedRequest;
use crate::setup::Setup;
use crate::store::PointMatch;

/// A response in progress.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The part that is available before the first point.
    pub started: StreamStart,
    /// The points so far.
    pub points: Vec<Point>,
    results: Vec<u64>,
}

impl Assembly {
    /// Creates an assembly from the points found in the store.
    pub fn new(setup: &Setup, request: &PlannedRequest, found: Vec<PointMatch>) -> Self {
        let suite = &request.suite;
        let mut results: Vec<u64> = found.iter().map(|found| found.result).collect();
        results.sort_unstable();
        results.dedup();
        // Single points may have a higher priority than requested. The number of points is that of the requested
        // priority, so the curve has that priority too.
        let priority = request.plan.request().priority;
        let newest = found.iter().map(|found| found.stored).max();
        let points: Vec<Point> = found.into_iter().flat_map(|found| found.points).collect();
        let started = StreamStart {
            priority,
            suite: suite.entry.card.clone(),
            quality: request.quality.clone(),
            machine: setup.machine(suite),
            stored: points.len(),
            total: request.points(),
            newest,
        };
        Self { started, points, results }
    }

    /// The axis values without points.
    pub fn missing(&self, request: &PlannedRequest) -> Vec<AxisValue> {
        let is_missing = |x: &&AxisValue| !self.points.iter().any(|point| point.x == **x);
        request.query.xs.iter().filter(is_missing).cloned().collect()
    }

    /// Adds the points of a newly stored result.
    pub fn add(&mut self, result: u64, points: Vec<Point>) {
        self.results.push(result);
        self.points.extend(points);
    }

    /// The part that is available after the last point.
    pub fn done(&self, request: &PlannedRequest) -> Done {
        Done {
            results: self.results.clone(),
            priority: self.started.priority,
            comparisons: comparisons(&request.query.functions, request.plan.axis(), &self.points),
        }
    }
}

/// Keeps the points at axis values where all `functions` functions have figures, since the store finds no others. In
/// a stopped measurement, a point may have failed only because of the stop.
pub fn retain_complete(functions: usize, points: Vec<Point>) -> Vec<Point> {
    let figures_at = |x: &AxisValue| points.iter().filter(|point| point.x == *x && point.measured().is_some()).count();
    let is_complete: Vec<bool> = points.iter().map(|point| figures_at(&point.x) == functions).collect();
    points.into_iter().zip(is_complete).filter_map(|(point, is_complete)| is_complete.then_some(point)).collect()
}

/// Builds the response to a request as one object, with the points in the order of the axis. `planned` is the request
/// whose points were found or measured; it may have a higher priority than `request`.
pub fn response(
    planned: &PlannedRequest,
    request: &Request,
    started: StreamStart,
    mut points: Vec<Point>,
    done: Done,
) -> MeasureResponse {
    let StreamStart { suite, quality, machine, .. } = started;
    let Done { results, priority, comparisons } = done;
    // Equal requests get equal responses, regardless of the client, and of how the points were obtained.
    let request = Request { client: String::new(), fresh: false, ..request.clone() };
    let axis = planned.plan.axis();
    if let Some(axis) = axis {
        points.sort_by(|one, other| axis.compare(&one.x, &other.x));
    }
    let unit = axis.and_then(|axis| axis.parameter().numeric()?.unit.clone());
    MeasureResponse {
        data: rows(&request.functions[0], &points),
        metrics: MetricCurve::all(&request.functions, &points),
        units: Units { x: unit.unwrap_or_default(), y: "ns".to_owned() },
        request,
        priority,
        suite,
        quality,
        machine,
        points,
        comparisons,
        results,
    }
}

/// The compact form of a function's figures, in the order of the points.
fn rows(function: &str, points: &[Point]) -> Vec<CurveRow> {
    let own_points = points.iter().filter(|point| point.function == function);
    let row = |point: &Point| {
        let summary = &point.measured()?.summary;
        let (mean, sd) = (summary.mean, summary.sd);
        let means = [mean - sd, mean, mean + sd].map(Some);
        Some(CurveRow(point.x.clone(), means, [summary.q1, summary.median, summary.q3]))
    };
    own_points.filter_map(row).collect()
}
