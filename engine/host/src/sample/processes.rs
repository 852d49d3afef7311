//! Measures the same points in several new processes (or workers of a browser), since the addresses of code and data differ
//! between processes.
//!
//! T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", *ISMM* 2013: repetitions within a process do not
//! show the variation between processes.

use crate::clock_card::ClockCard;
use crate::quality::Quality;
use crate::response::{FirstCalls, MeasuredPoint, Outcome, Point, Warning};
use crate::sample::figures::{Circumstances, figures};
use crate::sample::measurement::Progress;

/// The maximum number of input sets of a process: more than the blocks of any point.
const INPUT_SETS_PER_PROCESS: u32 = 1 << 20;

/// Combines the points of several processes.
#[derive(Clone, Debug)]
pub struct Processes {
    quality: Quality,
    clock: ClockCard,
    /// The points of each finished process, in the order of measurement.
    done: Vec<Vec<Point>>,
    /// The points of the current process.
    current: Vec<Point>,
    /// The combined points, available during the last process.
    points: Vec<Point>,
}

impl Processes {
    /// Creates the state before the first process.
    pub fn new(quality: Quality, clock: ClockCard) -> Self {
        Self { quality, clock, done: Vec::new(), current: Vec::new(), points: Vec::new() }
    }

    /// Returns the quality for each process.
    pub fn share(&self) -> Quality {
        self.quality.of_process()
    }

    /// Returns the number of the current process's first input set.
    ///
    /// Each process has its own inputs, so the variation between processes includes that between inputs, and the interval
    /// over processes contains both. With equal inputs in all processes, it would not contain the latter at all.
    pub fn first_input_set(&self) -> u32 {
        self.done.len() as u32 * INPUT_SETS_PER_PROCESS
    }

    /// Returns the points of the last finished process.
    pub fn last(&self) -> &[Point] {
        self.done.last().map_or(&[], Vec::as_slice)
    }

    /// Returns the progress of all processes, given that of the current one.
    pub fn progress(&self, current: Progress) -> Progress {
        let done = (self.done.len() * current.total + current.done) / self.quality.processes as usize;
        Progress { done, ..current }
    }

    /// Adds a point of the current process. In the last process, returns the combined point.
    pub fn add(&mut self, point: &Point) -> Option<&Point> {
        self.current.push(point.clone());
        if self.done.len() + 1 < self.quality.processes as usize {
            return None;
        }
        let is_same = |other: &&Point| other.function == point.function && other.x == point.x;
        let before = self.done.iter().filter_map(|points| points.iter().find(is_same));
        let merged = self.merge(before.chain([point]).cloned().collect());
        self.points.push(Point { outcome: merged, ..point.clone() });
        self.points.last()
    }

    /// Adds the first calls to the point that was combined last, and returns it.
    ///
    /// # Panics
    /// If no point was combined.
    pub fn add_first_calls(&mut self, first_calls: FirstCalls) -> &Point {
        let point = self.points.last_mut().expect("first calls follow the figures of their point");
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.first_calls = Some(first_calls);
        }
        point
    }

    /// Ends the current process.
    pub fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.current));
    }

    /// Whether the last process has ended.
    pub fn is_done(&self) -> bool {
        self.done.len() >= self.quality.processes as usize
    }

    /// The share of the measurement that is finished, 0 to 1, given that of the current process.
    pub fn finished_share(&self, of_process: f64) -> f64 {
        ((self.done.len() as f64 + of_process) / f64::from(self.quality.processes)).min(1.0)
    }

    /// Returns the combined points so far.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns all points after the last process.
    pub fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// Combines one point of each process. A failure in one process is a failure of the point.
    fn merge(&self, points: Vec<Point>) -> Outcome {
        let mut measured = Vec::new();
        for point in points {
            match point.outcome {
                Outcome::Measured(one) => measured.push(*one),
                failed @ Outcome::Failed(_) => return failed,
            }
        }
        if measured.len() == 1 {
            return Outcome::Measured(Box::new(measured.swap_remove(0)));
        }
        let has = |wanted: &Warning| measured.iter().any(|one: &MeasuredPoint| one.warnings.contains(wanted));
        let counted = |one: &MeasuredPoint| {
            one.samples().filter(|(_, sample)| !sample.warm_up).map(|(_, sample)| sample.elapsed).sum::<f64>()
        };
        let circumstances = Circumstances {
            target: self.quality.precision,
            resolution: self.clock.resolution,
            one_call_per_batch: has(&Warning::OneCallPerBatch),
            before: 0.0,
            spent: measured.iter().map(counted).sum(),
            outputs: measured[0].outputs.clone(),
            work: measured[0].work,
            // Only the first process counts: the same calls give the same counts, or nearly the same.
            memory: measured[0].memory,
            events: measured[0].events.clone(),
            remarks: remarks(&measured),
        };
        let runs = measured.into_iter().flat_map(|one| one.runs).collect();
        let merged = figures(runs, circumstances).expect("each process gave a sample at least");
        Outcome::Measured(Box::new(merged))
    }
}

/// Returns the first warning of each kind about the machine, about the joint measurement of functions, their outputs or their threads.
fn remarks(measured: &[MeasuredPoint]) -> Vec<Warning> {
    let all = || measured.iter().flat_map(|one| &one.warnings);
    let first = |is_of_kind: fn(&&Warning) -> bool| all().find(is_of_kind).cloned();
    [
        first(|warning| matches!(warning, Warning::SlowCode { .. })),
        first(|warning| matches!(warning, Warning::SlowMachine { .. })),
        first(|warning| matches!(warning, Warning::Alone)),
        first(|warning| matches!(warning, Warning::OutputsNotCompared)),
        first(|warning| matches!(warning, Warning::Threads)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
