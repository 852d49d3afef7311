//! The points of a report.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::{Benchmark, BuildOrigin, MachineClass};
use benchbook_host::units::{Nanos, axis_value};
use benchbook_report::history::fixed_value;
use serde::Serialize;

use super::change::ReportedChange;
use super::finding::Finding;
use crate::check::compared::{ComparedPoint, PointFinding, ResultToCompare};

/// A point of the report.
#[derive(Debug, Serialize)]
pub(in crate::check) struct ReportedPoint {
    pub(super) finding: Finding,
    #[serde(flatten)]
    pub(super) benchmark: Benchmark,
    /// The axis value; absent without an axis.
    #[serde(skip_serializing_if = "AxisValue::is_absent")]
    pub(super) x: AxisValue,
    /// The mean in nanoseconds per call; absent if the code is the same, so that it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<f64>,
    /// The change from the latest accepted result, or from the baseline; absent if it cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<ReportedChange>,
    /// Remarks for the reader.
    pub(super) remarks: Vec<String>,
    pub(super) build: BuildOrigin,
    pub(super) machine: MachineClass,
    /// The index of its benchmark.
    #[serde(skip)]
    pub(super) index: usize,
}

impl ReportedPoint {
    pub(super) fn new(point: ComparedPoint, results: &[ResultToCompare]) -> Self {
        let result = &results[point.index].result;
        let (finding, change, remarks) = match point.finding {
            PointFinding::New => (Finding::New, None, Vec::new()),
            PointFinding::NotComparable(reasons) => (Finding::NotComparable, None, reasons),
            PointFinding::SameCode => (Finding::SameCode, None, Vec::new()),
            PointFinding::Compared { change, difference, is_refuted } => {
                let remark = is_refuted.then(|| "a second measurement did not confirm the slowdown".to_owned());
                (Finding::from(change), Some(difference.into()), remark.into_iter().collect())
            }
        };
        Self {
            finding,
            benchmark: result.benchmark.clone(),
            x: point.x,
            mean: point.mean,
            change,
            remarks,
            build: result.build.clone(),
            machine: result.machine.clone(),
            index: point.index,
        }
    }

    /// The mean as text; empty if it was not measured.
    pub(super) fn mean_text(&self) -> String {
        self.mean.map(|mean| Nanos(mean).to_string()).unwrap_or_default()
    }

    /// The function, and whatever else distinguishes the point from the others.
    pub(super) fn name(&self, all: &[Self]) -> Vec<String> {
        let own = &self.benchmark;
        let differs = |is_other: &dyn Fn(&Benchmark) -> bool| all.iter().any(|point| is_other(&point.benchmark));
        let function = match differs(&|other| other.suite != own.suite) {
            true => format!("{}::{}", own.suite, own.function),
            false => own.function.clone(),
        };
        let metric = differs(&|other| other.metric != own.metric).then(|| own.metric.to_string());
        let arguments = self.arguments(|parameter| {
            differs(&|other| {
                (&other.suite, &other.function) == (&own.suite, &own.function)
                    && other.arguments.get(parameter) != own.arguments.get(parameter)
            })
        });
        [function].into_iter().chain(metric).chain(arguments).collect()
    }

    /// The function, the metric and all arguments: a name that is the same in each report.
    pub(super) fn full_name(&self) -> String {
        let start = [self.benchmark.function.clone(), self.benchmark.metric.to_string()];
        start.into_iter().chain(self.arguments(|_| true)).collect::<Vec<_>>().join(", ")
    }

    /// The axis value, and the arguments of those other parameters that are to be named.
    fn arguments(&self, is_named: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
        self.benchmark.arguments.iter().filter_map(move |(parameter, argument)| match fixed_value(argument) {
            None => (!self.x.is_absent()).then(|| format!("{parameter} {}", axis_value(&self.x))),
            Some(value) => is_named(parameter).then(|| format!("{parameter} {value}")),
        })
    }
}
