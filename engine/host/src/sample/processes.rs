//! Processes: the same points measured in several fresh ones, since each has its own luck with the places of code and
//! data in memory.
//!
//! T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", *ISMM* 2013: repetitions within a process say
//! nothing of what differs from one to the next.

use crate::analyze::stopping::FEWEST_BLOCKS;
use crate::analyze::student::{TAIL, t_quantile};
use crate::quality::{Bounds, Quality};
use crate::response::{Measured, Outcome, Point, Warning};
use crate::sample::clock_card::ClockCard;
use crate::sample::figures::{Circumstances, figures};
use crate::sample::measurement::Progress;

/// Points of several processes that become one each.
#[derive(Clone, Debug)]
pub(crate) struct Processes {
    quality: Quality,
    clock: ClockCard,
    /// The points of each process that is done, in the order measured.
    done: Vec<Vec<Point>>,
    /// The points of the process at work.
    current: Vec<Point>,
    /// What the last process's points come to together with those before.
    points: Vec<Point>,
}

impl Processes {
    /// Before the first process.
    pub(crate) fn new(quality: Quality, clock: ClockCard) -> Self {
        Self { quality, clock, done: Vec::new(), current: Vec::new(), points: Vec::new() }
    }

    /// What each process gets: its part of the time, with as much less precision. The interval over few processes is wider
    /// than that over the blocks of one by the quantiles of Student's distribution.
    pub(crate) fn share(&self) -> Quality {
        let processes = f64::from(self.quality.processes);
        let warm_up = Bounds { ms: self.quality.warm_up.ms / processes, ..self.quality.warm_up };
        Quality {
            point_ms: self.quality.point_ms / processes,
            precision: self.precision(),
            timeout_ms: Some(self.quality.timeout_ms()),
            warm_up,
            processes: 1,
            ..self.quality.clone()
        }
    }

    fn precision(&self) -> f64 {
        let processes = self.quality.processes;
        if processes == 1 {
            return self.quality.precision;
        }
        let wider = t_quantile(processes - 1, TAIL) / t_quantile(FEWEST_BLOCKS - 1, TAIL);
        (self.quality.precision * f64::from(processes).sqrt() / wider).min(1.0)
    }

    /// The points of the last process that is done.
    pub(crate) fn last(&self) -> &[Point] {
        self.done.last().map_or(&[], Vec::as_slice)
    }

    /// How far all processes are together, where the one at work is so far.
    pub(crate) fn progress(&self, current: Progress) -> Progress {
        let done = (self.done.len() * current.of + current.done) / self.quality.processes as usize;
        Progress { done, ..current }
    }

    /// Takes a point of the process at work, and gives it with those of the processes before where this is the last.
    pub(crate) fn take(&mut self, point: &Point) -> Option<&Point> {
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

    /// The process at work is done.
    pub(crate) fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.current));
    }

    /// All points, after the last process.
    pub(crate) fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// What one point of each process comes to: a failure of one is a failure of all.
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
        let has = |wanted: &Warning| measured.iter().any(|one: &Measured| one.warnings.contains(wanted));
        let counted = |one: &Measured| {
            one.samples().filter(|(_, sample)| !sample.warm_up).map(|(_, sample)| sample.elapsed).sum::<f64>()
        };
        let circumstances = Circumstances {
            target: self.quality.precision,
            resolution: self.clock.resolution,
            one_call_a_batch: has(&Warning::OneCallABatch),
            before: 0.0,
            spent: measured.iter().map(counted).sum(),
            outputs: measured[0].outputs.clone(),
            remarks: remarks(&measured),
        };
        let runs = measured.into_iter().flat_map(|one| one.runs).collect();
        let merged = figures(runs, circumstances).expect("each process gave a sample at least");
        Outcome::Measured(Box::new(merged))
    }
}

/// What is to be said of the machine, or of how functions were measured together: of each kind the first.
fn remarks(measured: &[Measured]) -> Vec<Warning> {
    let all = || measured.iter().flat_map(|one| &one.warnings);
    let first = |is_of_kind: fn(&&Warning) -> bool| all().find(is_of_kind).cloned();
    [
        first(|warning| matches!(warning, Warning::SlowCode { .. })),
        first(|warning| matches!(warning, Warning::SlowMachine { .. })),
        first(|warning| matches!(warning, Warning::Alone)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
