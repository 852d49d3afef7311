//! The agenda of a measurement: the remaining axis values and the finished points.

use std::collections::VecDeque;

use rand::seq::SliceRandom;

use crate::native_reason::NativeReason;
use crate::request::Plan;
use crate::response::{Failure, FailureKind, Outcome, Point};
use crate::sample::ending::shortened;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::rng::Rng;

/// How the reason of a point begins that was skipped after a time-out.
const AFTER_TIME_OUT: &str = "skipped: it timed out at";

/// The finished and the remaining points of a plan.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// The paths of the plan's functions.
    functions: Vec<String>,
    /// For each function, why only a native runner can measure it, if so: then it fails.
    native_reasons: Vec<Option<NativeReason>>,
    /// The remaining axis values.
    waiting: VecDeque<AxisValue>,
    points: Vec<Point>,
    total: usize,
    /// For each function, the smallest number on the axis at which it timed out.
    timed_out_at: Vec<Option<f64>>,
    /// The axis value at which functions are measured one by one, since the suite ended while they were interleaved.
    alone_at: Option<AxisValue>,
}

impl Agenda {
    /// Creates an agenda with all points of a plan: at most `count` axis values of a range, or all values of a list.
    pub(super) fn new(plan: &Plan, count: u32) -> Self {
        let waiting: VecDeque<AxisValue> = plan.axis_values(count).into();
        let functions = plan.request().functions.clone();
        Self {
            total: waiting.len() * functions.len(),
            native_reasons: vec![None; functions.len()],
            timed_out_at: vec![None; functions.len()],
            functions,
            waiting,
            points: Vec::new(),
            alone_at: None,
        }
    }

    /// Removes all axis values except these.
    pub(super) fn keep_only(&mut self, values: &[AxisValue]) {
        self.waiting.retain(|x| values.contains(x));
        self.total = self.waiting.len() * self.functions.len();
    }

    /// Shuffles the axis values except the first, at which the outputs of slow functions are checked.
    pub(super) fn shuffle(&mut self, random: &mut Rng) {
        let values = self.waiting.make_contiguous();
        if let Some((_, rest)) = values.split_first_mut() {
            rest.shuffle(random);
        }
    }

    /// Fails functions that only a native runner can measure.
    pub(super) fn fail_native_only(&mut self, plan: &Plan) {
        self.native_reasons = (0..self.functions.len()).map(|function| plan.native_reason(function)).collect();
    }

    /// Skips points that timed out or were skipped in an earlier measurement.
    pub(super) fn skip_timed_out(&mut self, points: &[Point]) {
        for point in points {
            let has_timed_out = match &point.outcome {
                Outcome::Failed(Failure { kind: FailureKind::TimedOut, .. }) => true,
                // A benchmark may also skip itself, which says nothing about larger values.
                Outcome::Failed(Failure { kind: FailureKind::Skipped, reason }) => reason.starts_with(AFTER_TIME_OUT),
                _ => false,
            };
            let function = self.functions.iter().position(|path| *path == point.function);
            if let Some((function, x)) = function.filter(|_| has_timed_out).zip(point.x.number()) {
                let at = &mut self.timed_out_at[function];
                *at = Some(at.map_or(x, |at| at.min(x)));
            }
        }
    }

    /// Returns the finished points in the order of measurement.
    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(super) fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// Returns the number of points, finished or not.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether every point has its outcome.
    pub(super) fn is_done(&self) -> bool {
        self.points.len() == self.total
    }

    /// Whether no axis value but `x` has an outcome so far.
    pub(super) fn is_first(&self, x: &AxisValue) -> bool {
        self.points.iter().all(|point| point.x == *x)
    }

    /// Whether no axis value remains.
    pub(super) fn is_last(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the next axis value and the functions to measure there together. Fails functions that cannot be measured there.
    pub(super) fn next(&mut self) -> Option<(AxisValue, Vec<usize>)> {
        while let Some(x) = self.waiting.pop_front() {
            let mut functions = self.remaining(&x);
            functions.retain(|&function| match self.reason_to_skip(function, &x) {
                Some(failure) => {
                    self.fail(function, x.clone(), failure);
                    false
                }
                None => true,
            });
            if self.alone_at.as_ref() == Some(&x) {
                functions.truncate(1);
            }
            if !functions.is_empty() {
                return Some((x, functions));
            }
        }
        None
    }

    /// Puts an axis value back to the front.
    pub(super) fn requeue(&mut self, x: AxisValue) {
        self.waiting.push_front(x);
    }

    /// Puts an axis value back if functions remain to be measured there.
    pub(super) fn wait_for_rest(&mut self, x: AxisValue) {
        if !self.remaining(&x).is_empty() {
            self.requeue(x);
        }
    }

    /// Measures functions one by one at `x` from now on.
    pub(super) fn separate(&mut self, x: AxisValue) {
        self.alone_at = Some(x);
    }

    /// Whether functions are measured one by one at `x` instead of interleaved.
    pub(super) fn is_alone(&self, x: &AxisValue) -> bool {
        self.alone_at.as_ref() == Some(x) && self.functions.len() > 1
    }

    /// Replaces the outcomes of the points from index `first` on.
    pub(super) fn reject(&mut self, first: usize, failure: &Failure) {
        for point in &mut self.points[first..] {
            point.outcome = Outcome::Failed(failure.clone());
        }
    }

    pub(super) fn add(&mut self, function: usize, x: AxisValue, outcome: Outcome) {
        self.points.push(Point { function: self.functions[function].clone(), x, outcome });
    }

    /// Adds a failure. After a time-out, larger numbers on the axis are skipped; the others follow in ascending order, so that
    /// the function times out at most once more. Truncates the reason, since it may come from the suite.
    pub(super) fn fail(&mut self, function: usize, x: AxisValue, mut failure: Failure) {
        failure.reason = shortened(failure.reason);
        if let Some(x) = x.number().filter(|_| failure.kind == FailureKind::TimedOut) {
            self.timed_out_at[function] = Some(x);
            self.waiting.make_contiguous().sort_unstable_by(AxisValue::total_cmp);
        }
        self.add(function, x, Outcome::Failed(failure));
    }

    /// Returns the functions without an outcome at `x`.
    fn remaining(&self, x: &AxisValue) -> Vec<usize> {
        let has_outcome = |path: &String| self.points.iter().any(|point| point.x == *x && &point.function == path);
        let paths = self.functions.iter().enumerate();
        paths.filter(|(_, path)| !has_outcome(path)).map(|(function, _)| function).collect()
    }

    /// Returns the failure of a function that is not measured at `x`.
    fn reason_to_skip(&self, function: usize, x: &AxisValue) -> Option<Failure> {
        if let Some(native_reason) = self.native_reasons[function] {
            let reason = format!("only a runner can measure it: {}", native_reason.text());
            return Some(Failure { kind: FailureKind::NativeOnly, reason });
        }
        let (at, x) = self.timed_out_at[function].zip(x.number())?;
        if x < at {
            return None;
        }
        Some(Failure { kind: FailureKind::Skipped, reason: format!("{AFTER_TIME_OUT} {at}") })
    }
}
