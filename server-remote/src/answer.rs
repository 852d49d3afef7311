//! An answer: stored points and measured ones, put together.

use std::collections::HashMap;

use benchbook_host::api::{Done, MeasureResponse, Row, Started, Units};
use benchbook_host::pairing::comparisons;
use benchbook_host::request::Request;
use benchbook_host::response::Point;

use crate::ask::Ask;
use crate::runner::Runner;
use crate::store::Found;

/// What is known of an answer, point by point.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// What is known before the first point.
    pub started: Started,
    /// The points so far.
    pub points: Vec<Point>,
    results: Vec<u64>,
}

impl Assembly {
    /// An answer that begins with what was found in the store.
    pub fn new(runner: &Runner, ask: &Ask, found: Vec<Found>) -> Self {
        let offered = &runner.suites[ask.suite];
        let mut results: Vec<u64> = found.iter().map(|found| found.result).collect();
        results.sort_unstable();
        results.dedup();
        // Whatever priority they were measured with, they are at least as precise as this one means; and points of a higher
        // one at the axis values of a lower one make a curve of the lower one.
        let priority = ask.plan.request().priority;
        let points: Vec<Point> = found.into_iter().flat_map(|found| found.points).collect();
        let started = Started {
            priority,
            suite: offered.offer.card.clone(),
            quality: ask.quality.clone(),
            machine: runner.machine_of(offered),
            stored: points.len(),
            of: ask.points(),
        };
        Self { started, points, results }
    }

    /// The axis values that have no points yet.
    pub fn missing(&self, ask: &Ask) -> Vec<f64> {
        let is_missing = |x: &&f64| !self.points.iter().any(|point| point.x == **x);
        ask.question.xs.iter().filter(is_missing).copied().collect()
    }

    /// Takes the points of a result that was stored just now.
    pub fn add(&mut self, result: u64, points: Vec<Point>) {
        self.results.push(result);
        self.points.extend(points);
    }

    /// What is told once all points are there.
    pub fn done(&self, ask: &Ask) -> Done {
        Done {
            results: self.results.clone(),
            priority: self.started.priority,
            comparisons: comparisons(&ask.question.functions, ask.plan.numeric().scale, &self.points),
        }
    }
}

/// Those of the points at whose axis value each of so many functions has figures: the store finds no others. Where a
/// measurement is stopped, a point may have failed for that reason alone.
pub fn complete(functions: usize, points: Vec<Point>) -> Vec<Point> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for point in points.iter().filter(|point| point.measured().is_some()) {
        *counts.entry(point.x.to_bits()).or_default() += 1;
    }
    points.into_iter().filter(|point| counts.get(&point.x.to_bits()) == Some(&functions)).collect()
}

/// A whole answer to a request as one object, its points by rising axis value; `ask` is what was found or measured for it.
pub fn answer(ask: &Ask, request: &Request, started: Started, mut points: Vec<Point>, done: Done) -> MeasureResponse {
    let Started { suite, quality, machine, .. } = started;
    let Done { results, priority, comparisons } = done;
    // Whoever else asks the same is answered the same.
    let request = Request { client: String::new(), ..request.clone() };
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    MeasureResponse {
        data: rows(&request.functions[0], &points),
        units: Units { x: ask.plan.numeric().unit.clone().unwrap_or_default(), y: "ns".to_owned() },
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

/// The compact form of a function's figures, by rising axis value.
fn rows(function: &str, points: &[Point]) -> Vec<Row> {
    let of_function = points.iter().filter(|point| point.function == function);
    let row = |point: &Point| {
        let summary = &point.measured()?.summary;
        let (mean, sd) = (summary.mean, summary.sd);
        let means = [mean - sd, mean, mean + sd].map(Some);
        Some(Row(point.x, means, [summary.q1, summary.median, summary.q3]))
    };
    of_function.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::synthetic::World;

    #[test]
    fn only_axis_values_with_figures_of_every_function_are_complete() {
        let is_whole = |points: &[Point]| points.iter().all(|point| point.measured().is_some());
        let results = (0..100).map(|seed| World::SMALL.result(seed).response);
        let pair = |response: &benchbook_host::response::Response| response.request.functions.len() == 2;
        let mut seen = 0;
        for response in results.filter(pair) {
            let points = response.points;
            let of_whole: Vec<Point> = points.chunks(2).filter(|pair| is_whole(pair)).flatten().cloned().collect();
            assert_eq!(complete(2, points.clone()), of_whole);
            // Without its last point, the last axis value is not complete.
            let (_, others) = points.split_last().unwrap();
            let rest = of_whole.iter().filter(|point| point.x != points[points.len() - 1].x).cloned();
            assert_eq!(complete(2, others.to_vec()), rest.collect::<Vec<_>>());
            seen += usize::from(!is_whole(&points));
        }
        assert!(seen > 0, "none has a failed point");
    }
}
