//! The agenda of a measurement: what is still to be measured at which axis value, and what came of the rest.

use std::collections::VecDeque;

use crate::points::axis_values;
use crate::request::Plan;
use crate::response::{Failure, FailureKind, Outcome, Point};
use crate::sample::ending::shortened;

/// Which points of a plan have their outcomes, and which are to come.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// The paths of the plan's functions.
    functions: Vec<String>,
    /// Whether each of them can only be measured natively, where that is not possible.
    native_only: Vec<bool>,
    /// Axis values that are still to come.
    waiting: VecDeque<f64>,
    points: Vec<Point>,
    of: usize,
    /// For each function, the least axis value at which it timed out.
    timed_out_at: Vec<Option<f64>>,
    /// The axis value at which functions are measured one by one, since together one of them ended the suite.
    alone_at: Option<f64>,
}

impl Agenda {
    /// All points of a plan, at `count` axis values at most.
    pub(super) fn new(plan: &Plan, count: u32) -> Self {
        let waiting: VecDeque<f64> = axis_values(plan.numeric(), plan.range(), count).into();
        let functions = plan.request().functions.clone();
        Self {
            of: waiting.len() * functions.len(),
            native_only: vec![false; functions.len()],
            timed_out_at: vec![None; functions.len()],
            functions,
            waiting,
            points: Vec::new(),
            alone_at: None,
        }
    }

    /// Leaves out all axis values but these.
    pub(super) fn keep_only(&mut self, values: &[f64]) {
        self.waiting.retain(|x| values.contains(x));
        self.of = self.waiting.len() * self.functions.len();
    }

    /// Fails what is declared native.
    pub(super) fn without_native(&mut self, plan: &Plan) {
        self.native_only = (0..self.functions.len()).map(|function| plan.is_native(function)).collect();
    }

    /// Skips what timed out in an earlier measurement, or was skipped there for that reason.
    pub(super) fn skip_hopeless(&mut self, points: &[Point]) {
        for point in points {
            let is_hopeless = matches!(
                &point.outcome,
                Outcome::Failed(Failure { kind: FailureKind::TimedOut | FailureKind::Skipped, .. })
            );
            let function = self.functions.iter().position(|path| *path == point.function);
            if let Some(function) = function.filter(|_| is_hopeless) {
                let at = &mut self.timed_out_at[function];
                *at = Some(at.map_or(point.x, |at| at.min(point.x)));
            }
        }
    }

    /// The points so far, in the order measured.
    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(super) fn into_points(self) -> Vec<Point> {
        self.points
    }

    /// How many points there are to be.
    pub(super) fn of(&self) -> usize {
        self.of
    }

    /// Whether every point has its outcome.
    pub(super) fn is_done(&self) -> bool {
        self.points.len() == self.of
    }

    /// Whether no axis value but `x` has an outcome so far.
    pub(super) fn is_first(&self, x: f64) -> bool {
        self.points.iter().all(|point| point.x == x)
    }

    /// Takes the next axis value with the functions to be measured at it together; what cannot be measured there fails.
    pub(super) fn next(&mut self) -> Option<(f64, Vec<usize>)> {
        while let Some(x) = self.waiting.pop_front() {
            let mut functions = self.remaining(x);
            functions.retain(|&function| match self.hopeless(function, x) {
                Some(failure) => {
                    self.fail(function, x, failure);
                    false
                }
                None => true,
            });
            if self.alone_at == Some(x) {
                functions.truncate(1);
            }
            if !functions.is_empty() {
                return Some((x, functions));
            }
        }
        None
    }

    /// Puts an axis value back, to be measured anew.
    pub(super) fn again(&mut self, x: f64) {
        self.waiting.push_front(x);
    }

    /// Puts an axis value back where functions are left to be measured at it.
    pub(super) fn wait_for_rest(&mut self, x: f64) {
        if !self.remaining(x).is_empty() {
            self.again(x);
        }
    }

    /// From now on functions are measured one by one at `x`.
    pub(super) fn separate(&mut self, x: f64) {
        self.alone_at = Some(x);
    }

    /// Whether functions that were to take turns at `x` are measured one by one.
    pub(super) fn is_alone(&self, x: f64) -> bool {
        self.alone_at == Some(x) && self.functions.len() > 1
    }

    pub(super) fn add(&mut self, function: usize, x: f64, outcome: Outcome) {
        self.points.push(Point { function: self.functions[function].clone(), x, outcome });
    }

    /// Adds a failure; what timed out is not tried at larger values. Its reason may be a suite's own words, so it is
    /// shortened to what a person reads.
    pub(super) fn fail(&mut self, function: usize, x: f64, mut failure: Failure) {
        failure.reason = shortened(failure.reason);
        if failure.kind == FailureKind::TimedOut {
            self.timed_out_at[function] = Some(x);
        }
        self.add(function, x, Outcome::Failed(failure));
    }

    /// Functions without an outcome at `x`.
    fn remaining(&self, x: f64) -> Vec<usize> {
        let has_outcome = |path: &String| self.points.iter().any(|point| point.x == x && &point.function == path);
        let paths = self.functions.iter().enumerate();
        paths.filter(|(_, path)| !has_outcome(path)).map(|(function, _)| function).collect()
    }

    /// Why a function need not be tried at `x`.
    fn hopeless(&self, function: usize, x: f64) -> Option<Failure> {
        if self.native_only[function] {
            let reason = "declared native: only a runner can measure it, not a browser".to_owned();
            return Some(Failure { kind: FailureKind::NativeOnly, reason });
        }
        let at = self.timed_out_at[function].filter(|at| *at <= x)?;
        Some(Failure { kind: FailureKind::Skipped, reason: format!("not tried: it timed out at {at} already") })
    }
}
