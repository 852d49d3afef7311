//! The functions of a measurement, compared between this browser and the runner.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::axis::{Axis, distinct_values};
use benchbook_host::compare::machines::{FunctionOnBoth, MachinesAt, PointOnBoth, compare_machines};
use benchbook_host::messages::machines::machine_sentences;

use super::shown_trace::ShownTrace;
use benchbook_notebook::curve::Reading;
use benchbook_notebook::result_setup::ResultSetup;

/// The comparison of this browser's curves with those of the runner.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineComparison {
    /// The names of the functions that both machines measured.
    pub functions: Vec<String>,
    /// The comparison at each axis value that has one, in the order of the axis; not empty.
    pub values: Vec<MachinesAt>,
    /// The setup of the browser's measurement, which has the same axis as the runner's.
    pub setup: Rc<ResultSetup>,
}

/// A function's curves from both machines.
struct CurvePair<'s> {
    browser: &'s ShownTrace,
    native: &'s ShownTrace,
}

impl MachineComparison {
    /// Compares the curves of the last measurement; `None` unless a function has a ratio at some axis value.
    pub fn of(shown: &[ShownTrace]) -> Option<Self> {
        let pairs = curve_pairs(shown);
        let setup = Rc::clone(&pairs.first()?.browser.trace.setup);
        let values: Vec<MachinesAt> = axis_values(&pairs, setup.axis.as_ref())
            .into_iter()
            .filter_map(|x| compare_machines(x, &points_at(&pairs, x)))
            .collect();
        let functions = pairs.iter().map(|pair| pair.browser.name.clone()).collect();
        (!values.is_empty()).then_some(Self { functions, values, setup })
    }

    /// The sentences about it.
    pub fn sentences(&self) -> Vec<String> {
        let names: Vec<&str> = self.functions.iter().map(String::as_str).collect();
        machine_sentences(&names, &self.values)
    }

    /// The axis values and figures of a function, in the order of the axis.
    pub fn of_function(&self, function: usize) -> impl Iterator<Item = (&AxisValue, &FunctionOnBoth)> {
        self.values.iter().filter_map(move |at| {
            let figures = at.functions.iter().find(|one| one.function == function)?;
            Some((&at.x, figures))
        })
    }

    /// Whether several functions are ranked at some axis value.
    pub fn has_ranks(&self) -> bool {
        self.values.iter().any(|at| at.ranks.is_some())
    }
}

/// The functions that have a curve from both machines, in the order of the measurement. Overlays are from other
/// measurements, so they are ignored.
fn curve_pairs(shown: &[ShownTrace]) -> Vec<CurvePair<'_>> {
    let paired = || shown.iter().filter(|one| !one.is_separate);
    let pair = |browser| {
        let is_counterpart = |one: &&ShownTrace| one.trace.is_native() && has_same_function(one, browser);
        Some(CurvePair { browser, native: paired().find(is_counterpart)? })
    };
    paired().filter(|one| !one.trace.is_native()).filter_map(pair).collect()
}

fn has_same_function(one: &ShownTrace, other: &ShownTrace) -> bool {
    one.trace.path == other.trace.path
}

/// The axis values of the browser's curves, each once, in the order of the axis.
fn axis_values<'s>(pairs: &[CurvePair<'s>], axis: Option<&Axis>) -> Vec<&'s AxisValue> {
    let readings = pairs.iter().flat_map(|pair| pair.browser.trace.curve.readings());
    let mut values = distinct_values(readings.map(|reading| &reading.x));
    if let Some(axis) = axis {
        values.sort_by(|one, other| axis.compare(one, other));
    }
    values
}

/// The points of the functions that both machines measured at an axis value.
fn points_at<'s>(pairs: &[CurvePair<'s>], x: &AxisValue) -> Vec<PointOnBoth<'s>> {
    let measured = |shown: &'s ShownTrace| {
        let reading = shown.trace.curve.readings().iter().find(|reading| reading.x == *x);
        reading.and_then(Reading::measured)
    };
    let point = |(function, pair): (usize, &CurvePair<'s>)| {
        Some(PointOnBoth { function, browser: measured(pair.browser)?, native: measured(pair.native)? })
    };
    pairs.iter().enumerate().filter_map(point).collect()
}
