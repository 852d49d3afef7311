//! Measures the same points in several new processes (or workers of a browser) one after another, since the addresses of code and data
//! differ between processes.
//!
//! T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", *ISMM* 2013: repetitions within a process do not
//! show the variation between processes.

use crate::quality::Priority;
use crate::response::{FirstCalls, MachineKind, MeasuredPoint, Outcome, Point, Warning};
use crate::sample::figures::{Circumstances, figures};
use crate::sample::first_call_series::FirstCallSeries;
use crate::sample::measurement::{Measurement, MeasurementSettings, Progress};

/// The maximum number of input sets of a process: more than the blocks of any point.
const INPUT_SETS_PER_PROCESS: u32 = 1 << 20;

/// The largest share of a process's time spent on calls whose only purpose is to shift the samples.
const SHIFT_SHARE: f64 = 0.2;

/// The longest time of these calls in milliseconds, however long a point may take: about the longest shift with the default time per point.
const MAX_SHIFT_MS: f64 = 50.0;

/// The share of a measurement's time for which the last process runs longer, and its maximum in times of a point: each process has only a part of a
/// point's time, and what changes later would go unnoticed.
const LATER_SHARE: f64 = 0.2;
const MAX_LATER_SHARE: f64 = 1.5;

/// The longest such time in milliseconds, however long a point may take: that of a single point with the default time.
const MAX_LATER_MS: f64 = 300.0;

/// A measurement in as many processes as its quality demands.
///
/// Its driver only transports: it starts a process, passes the messages and replies of [`Self::measurement`], ends the process, and repeats
/// that until [`Self::begin_next`] returns `false`. It takes [`Self::new_points`] to report them, and measures their
/// [`Self::first_calls`] in further processes.
#[derive(Clone, Debug)]
pub struct MeasurementSeries {
    /// Those of the whole series.
    settings: MeasurementSettings,
    /// The measurement in the current process.
    measurement: Measurement,
    /// The number of its points that were taken.
    taken: usize,
    /// The points of each finished process and of the current one, in the order of measurement.
    processes: Vec<Vec<Point>>,
    /// The combined points, available during the last process.
    points: Vec<Point>,
    has_threads: bool,
}

impl MeasurementSeries {
    /// Creates the measurement in the first process.
    pub fn new(settings: MeasurementSettings) -> Self {
        let first = process_settings(&settings);
        Self {
            settings,
            measurement: Measurement::new(first),
            taken: 0,
            processes: vec![Vec::new()],
            points: Vec::new(),
            has_threads: false,
        }
    }

    /// The measurement in the current process.
    pub fn measurement(&self) -> &Measurement {
        &self.measurement
    }

    /// The measurement in the current process, for messages, replies and the process's end.
    pub fn measurement_mut(&mut self) -> &mut Measurement {
        &mut self.measurement
    }

    /// Notes that the suite starts threads of its own. The points that are taken from now on say so.
    pub fn note_threads(&mut self) {
        self.has_threads = true;
    }

    /// Takes the points that were completed since the last call, and returns them combined from all processes: nothing before the last one.
    pub fn new_points(&mut self) -> Vec<Point> {
        let mut new = self.measurement.points()[self.taken..].to_vec();
        self.taken += new.len();
        if self.has_threads {
            new.iter_mut().for_each(note_threads);
        }
        if self.is_last() {
            let mut combined: Vec<Point> = new.iter().map(|point| self.combined(point)).collect();
            let MeasurementSettings { plan, past, .. } = &self.settings;
            combined.iter_mut().for_each(|point| past.add_to(plan.request(), point));
            self.points.extend(combined.iter().cloned());
            return combined;
        }
        self.current_points().extend(new);
        Vec::new()
    }

    /// The first calls to measure at a combined point, in processes of their own; `None` if they are not requested or the point failed. In a
    /// browser, the first priority has none, so that its curve appears soon.
    pub fn first_calls(&self, point: &Point) -> Option<FirstCallSeries> {
        let MeasurementSettings { plan, quality, clock, kind, .. } = &self.settings;
        let request = plan.request();
        let is_due = request.first_calls && (*kind == MachineKind::Native || request.priority > Priority::FIRST);
        let is_due = is_due && point.measured().is_some();
        is_due.then(|| FirstCallSeries::new(plan.clone(), quality, *clock, &point.function, &point.x))
    }

    /// Adds its first calls to a combined point, and returns it.
    pub fn add_first_calls(&mut self, mut point: Point, first_calls: FirstCalls) -> Point {
        if let Outcome::Measured(measured) = &mut point.outcome {
            measured.first_calls = Some(first_calls);
        }
        if let Some(combined) = self.points.iter_mut().find(|other| is_same(other, &point)) {
            combined.clone_from(&point);
        }
        point
    }

    /// The progress in all processes.
    pub fn progress(&self) -> Progress {
        let current = self.measurement.progress();
        let done =
            ((self.processes.len() - 1) * current.total + current.done) / self.settings.quality.processes as usize;
        Progress { done, ..current }
    }

    /// The share of the points that are still to be measured, 0 to 1.
    pub fn remaining_share(&self) -> f64 {
        let current = self.measurement.progress();
        let of_process =
            if self.measurement.is_done() { 1.0 } else { current.done as f64 / current.total.max(1) as f64 };
        1.0 - ((self.processes.len() - 1) as f64 + of_process) / f64::from(self.settings.quality.processes)
    }

    /// Whether all points are measured.
    pub fn is_done(&self) -> bool {
        self.is_last() && self.measurement.is_done()
    }

    /// Begins the measurement in the next process, once the current one is done. Returns `false` if that was the last.
    ///
    /// Each process has its own inputs, so the variation between processes includes that between inputs, and the interval
    /// over processes contains both. With equal inputs in all processes, it would not contain the latter at all.
    pub fn begin_next(&mut self) -> bool {
        debug_assert!(self.measurement.is_done(), "the current process has points left");
        self.new_points();
        if self.is_last() {
            return false;
        }
        let mut earlier = self.settings.earlier.clone();
        earlier.extend_from_slice(self.current_points());
        self.measurement = Measurement::new(MeasurementSettings {
            earlier,
            first_input_set: self.settings.first_input_set + self.processes.len() as u32 * INPUT_SETS_PER_PROCESS,
            first_slot: self.measurement.next_slot(),
            sentinel: self.measurement.sentinel().clone().of_new_process(),
            later_ms: if self.processes.len() + 1 == self.process_count() { self.later_ms() } else { 0.0 },
            ..process_settings(&self.settings)
        });
        self.taken = 0;
        self.processes.push(Vec::new());
        true
    }

    /// For how much longer the last process runs at its last axis value, in milliseconds for each function: a fifth of the time of all points, at most
    /// [`MAX_LATER_SHARE`] times that of one, and [`MAX_LATER_MS`].
    fn later_ms(&self) -> f64 {
        let total = self.measurement.progress().total / self.settings.plan.request().functions.len().max(1);
        (self.settings.quality.point_ms * (LATER_SHARE * total as f64).min(MAX_LATER_SHARE)).min(MAX_LATER_MS)
    }

    fn process_count(&self) -> usize {
        self.settings.quality.processes as usize
    }

    /// The combined points so far.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The combined points.
    pub fn into_points(mut self) -> Vec<Point> {
        self.new_points();
        self.points
    }

    fn is_last(&self) -> bool {
        self.processes.len() >= self.process_count()
    }

    fn current_points(&mut self) -> &mut Vec<Point> {
        self.processes.last_mut().expect("there is always a current process")
    }

    /// A point of the last process together with those of the others. A failure in one process is a failure of the point.
    fn combined(&self, point: &Point) -> Point {
        let before = self.processes.iter().filter_map(|points| points.iter().find(|other| is_same(other, point)));
        let mut measured = Vec::new();
        for one in before.chain([point]) {
            match &one.outcome {
                Outcome::Measured(figures) => measured.push((**figures).clone()),
                Outcome::Failed(_) => return Point { outcome: one.outcome.clone(), ..point.clone() },
            }
        }
        let outcome = match measured.len() {
            1 => measured.swap_remove(0),
            _ => self.merge(measured),
        };
        Point { outcome: Outcome::Measured(Box::new(outcome)), ..point.clone() }
    }

    /// The figures of all processes, of which there are several.
    fn merge(&self, measured: Vec<MeasuredPoint>) -> MeasuredPoint {
        let has = |wanted: &Warning| measured.iter().any(|one: &MeasuredPoint| one.warnings.contains(wanted));
        let counted = |one: &MeasuredPoint| {
            one.samples().filter(|(_, sample)| !sample.warm_up).map(|(_, sample)| sample.elapsed).sum::<f64>()
        };
        let circumstances = Circumstances {
            target: self.settings.quality.precision,
            resolution: self.settings.clock.resolution,
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
        figures(runs, circumstances).expect("each process gave a sample at least")
    }
}

/// The settings of each process of a series with these settings.
fn process_settings(settings: &MeasurementSettings) -> MeasurementSettings {
    let quality = settings.quality.of_process();
    let shift_ms =
        if settings.quality.processes > 1 { (SHIFT_SHARE * quality.point_ms).min(MAX_SHIFT_MS) } else { 0.0 };
    MeasurementSettings { quality, shift_ms, ..settings.clone() }
}

fn is_same(one: &Point, other: &Point) -> bool {
    one.function == other.function && one.x == other.x
}

fn note_threads(point: &mut Point) {
    if let Outcome::Measured(measured) = &mut point.outcome {
        measured.warnings.push(Warning::Threads);
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
