//! How the ratios of functions are distributed over machines: the same cell, measured by several readers.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use benchbook_host::analyze::equivalence::Decision;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::order::quantile;
use benchbook_host::analyze::outliers::{Fences, Label};
use benchbook_host::messages::at::at_value;
use benchbook_host::response::MachineKind;
use benchbook_host::units::significant;
use benchbook_notebook::ranking::ranking;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::trace::Trace;

use crate::results::Results;

/// The minimum number of machines of a distribution. Two machines are compared directly.
pub const MIN_MACHINES: usize = 3;

/// The minimum number of machines of which some can be outliers: the quartiles of fewer mean little.
const MIN_FOR_OUTLIERS: usize = 5;

/// The ratios that each machine measured, at one axis value.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioDistribution {
    /// The setup of the last result.
    pub setup: Rc<ResultSetup>,
    /// The axis value; absent without an axis.
    pub x: AxisValue,
    /// The path of the baseline: the first function of the request.
    pub baseline: String,
    /// The other functions that at least [`MIN_MACHINES`] machines compared with it, in the order of the request; not empty.
    pub functions: Vec<FunctionRatios>,
    /// The number of results that are not included: of another build, another kind of machine, or with other arguments.
    pub excluded: usize,
}

/// The ratios of a function to the baseline, one for each machine.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionRatios {
    /// The path of the function.
    pub path: String,
    /// In ascending order.
    pub ratios: Vec<RatioOfMachine>,
    /// The quartiles of the ratios (type 7, as for samples): the first one, the median, the third one.
    pub quartiles: [f64; 3],
}

/// The ratio that a machine measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioOfMachine {
    /// The machine: the name of a browser with its processor, or that of a runner.
    pub machine: String,
    /// The function's time divided by the baseline's: 2 is twice as long.
    pub ratio: f64,
    /// Its interval.
    pub interval: Option<Interval>,
    /// Whether the machine found that the times differ, are the same within the margin, or neither; `None` if that was unavailable.
    pub decision: Option<Decision>,
    /// Whether the logarithm of the ratio is beyond Tukey's inner fences of all ratios.
    pub is_outlier: bool,
}

impl RatioDistribution {
    /// The distribution at `x` among the results of a cell; `None` if fewer than [`MIN_MACHINES`] machines have a ratio there. Only
    /// results of one build, one kind of machine and one version of the method are included: the largest such group, or the last one of
    /// several equally large ones. `margin`: the relative difference up to which times count as the same.
    pub fn of(results: &Results, x: &AxisValue, margin: f64) -> Option<Self> {
        let all: Vec<&Rc<CellResult>> = results.earlier.iter().chain(&results.latest).collect();
        let setup = &all.last()?.setup;
        let is_same = |result: &CellResult| result.setup.request.is_of_same_work(&setup.request);
        let groups: Vec<Group<'_>> =
            all.iter().filter(|result| is_same(result)).map(|result| Group::of(result)).collect();
        let size = |group: &Group<'_>| groups.iter().filter(|other| *other == group).count();
        // Of equal ones, the last.
        let largest = groups.iter().max_by_key(|group| size(group))?;
        let is_included = |result: &&Rc<CellResult>| is_same(result) && Group::of(result) == *largest;
        let (included, excluded): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_included);
        let ratios: Vec<Vec<Option<RatioOfMachine>>> =
            included.iter().map(|result| ratios_at(result, x, margin)).collect();
        let (baseline, others) = setup.request.functions.split_first()?;
        let function = |(index, path): (usize, &String)| {
            FunctionRatios::of(path, ratios.iter().filter_map(|ratios| ratios.get(index)?.clone()).collect())
        };
        let functions: Vec<FunctionRatios> = others.iter().enumerate().filter_map(function).collect();
        (!functions.is_empty()).then(|| Self {
            setup: Rc::clone(setup),
            x: x.clone(),
            baseline: baseline.clone(),
            functions,
            excluded: excluded.len(),
        })
    }

    /// A sentence for each function, with the names of functions between backticks.
    pub fn sentences(&self) -> Vec<String> {
        let at = at_value(&self.x, self.setup.axis_unit());
        self.functions.iter().map(|function| function.sentence(name_of(&self.baseline), &at)).collect()
    }
}

impl FunctionRatios {
    /// `None` for too few machines.
    fn of(path: &str, mut ratios: Vec<RatioOfMachine>) -> Option<Self> {
        if ratios.len() < MIN_MACHINES {
            return None;
        }
        ratios.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
        let sorted: Vec<f64> = ratios.iter().map(|one| one.ratio).collect();
        // Of ratios, twice as much and half as much are equally far from 1.
        let logarithms: Vec<f64> = sorted.iter().map(|ratio| ratio.ln()).collect();
        if let Some(fences) = Fences::of(&logarithms, 0.0).filter(|_| ratios.len() >= MIN_FOR_OUTLIERS) {
            for (one, logarithm) in ratios.iter_mut().zip(&logarithms) {
                one.is_outlier = fences.label(*logarithm) != Label::Inside;
            }
        }
        let quartile = |part| quantile(&sorted, part);
        Some(Self { path: path.to_owned(), quartiles: [quartile(0.25)?, quartile(0.5)?, quartile(0.75)?], ratios })
    }

    /// The machines beyond the fences.
    pub fn outliers(&self) -> impl Iterator<Item = &RatioOfMachine> {
        self.ratios.iter().filter(|one| one.is_outlier)
    }

    fn sentence(&self, baseline: &str, at: &str) -> String {
        let name = name_of(&self.path);
        let [q1, median, q3] = self.quartiles.map(text);
        let ends =
            [self.ratios.first(), self.ratios.last()].map(|end| end.map(|one| text(one.ratio)).unwrap_or_default());
        let found: Vec<String> = FINDINGS
            .into_iter()
            .map(|finding| (finding, self.ratios.iter().filter(|one| one.finding() == finding).count()))
            .filter(|(_, count)| *count > 0)
            .map(|(finding, count)| format!("{finding} on {count}"))
            .collect();
        let mut sentence = format!(
            "On {} machines, `{name}` takes {median} times as long as `{baseline}`{at} (median; half of the machines: {q1} to {q3}, all: {} to {}): {}.",
            self.ratios.len(),
            ends[0],
            ends[1],
            found.join(", "),
        );
        let outliers: Vec<String> =
            self.outliers().map(|one| format!("{} ({})", one.machine, text(one.ratio))).collect();
        if !outliers.is_empty() {
            sentence += &format!(" Outliers: {}.", outliers.join("; "));
        }
        sentence
    }
}

/// The possible findings about a function in relation to the baseline.
const FINDINGS: [&str; 4] = ["slower", "faster", "the same", "undecided"];

impl RatioOfMachine {
    /// `slower`, `faster`, `the same` or `undecided`.
    pub fn finding(&self) -> &'static str {
        let [slower, faster, same, undecided] = FINDINGS;
        match self.decision {
            Some(Decision::Different) if self.ratio > 1.0 => slower,
            Some(Decision::Different) => faster,
            Some(Decision::Same) => same,
            Some(Decision::Undecided { .. }) | None => undecided,
        }
    }
}

/// Results are in one distribution only if these are equal.
#[derive(Clone, Copy, PartialEq)]
struct Group<'r> {
    kind: MachineKind,
    fingerprint: &'r str,
    /// The version of the method.
    method: u32,
}

impl<'r> Group<'r> {
    fn of(result: &'r CellResult) -> Self {
        let setup = &result.setup;
        Self { kind: setup.machine.kind, fingerprint: &setup.suite.fingerprint, method: setup.method }
    }
}

/// The ratios of a result's functions to the first one at an axis value, in the order of the request.
fn ratios_at(result: &CellResult, x: &AxisValue, margin: f64) -> Vec<Option<RatioOfMachine>> {
    let traces: Vec<Trace> = result.traces().collect();
    let ranking = ranking(&traces.iter().collect::<Vec<_>>());
    let functions = &result.setup.request.functions;
    let position = |path: &String| traces.iter().position(|trace| trace.path == *path);
    let baseline = functions.first().and_then(position);
    let of_function = |path: &String| {
        // A file may have its curves in any order.
        let (baseline, function) = (baseline?, position(path)?);
        let pair = ranking.pairs().iter().find(|pair| (pair.baseline, pair.other) == (baseline, function))?;
        let at = pair.ratios.iter().find(|at| at.x == *x)?;
        Some(RatioOfMachine {
            machine: result.setup.machine.name_and_processor(),
            ratio: at.ratio.filter(|ratio| *ratio > 0.0)?,
            interval: at.interval,
            decision: at.decide(margin),
            is_outlier: false,
        })
    };
    functions.iter().skip(1).map(of_function).collect()
}

/// A ratio with three digits.
fn text(ratio: f64) -> String {
    significant(ratio, 3)
}
