//! The time of both builds.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_pinpoint::TimeChange;

use super::PinpointOptions;
use super::counted::Target;
use crate::arguments::SetArgument;
use crate::check::measure::{
    BaselineFigures, BaselineRevision, BothBuilds, BuildCounter, Measurements, Measurer, PairedPoint, ThisMachine,
};
use crate::check::plan::{self, CheckPlan, CheckSettings, ComparisonRule};
use crate::project::benchbook_toml::{CheckGroup, CheckMode};
use crate::project::selection::SelectedFunction;
use crate::project::{OpenedSuite, Project};

/// The pairs of builds, each with another layout of the code.
const PAIRS: u32 = 5;

/// How long the measurement of both builds takes at most.
const TIME_OUT: Duration = Duration::from_secs(5);

const CONFIDENCE: f64 = 0.95;

/// What the native builds tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NativeComparison {
    pub(super) time: TimeChange,
    /// The functions that the function reaches, and whose code differs.
    pub(super) different_code: Vec<String>,
}

impl NativeComparison {
    fn failed(error: &anyhow::Error) -> Self {
        Self { time: TimeChange::Failed { reason: format!("{error:#}") }, different_code: Vec::new() }
    }
}

/// Measures a point. A failure is an answer, too: counts do not need it.
pub(super) fn measure(
    project: &Project,
    suites: &[OpenedSuite],
    options: &PinpointOptions,
    revision: BaselineRevision,
    target: &Target,
    x: &AxisValue,
) -> NativeComparison {
    let planned = target.selected(suites).and_then(|selected| {
        let generator = Some(target.request.generator.as_str());
        paired_plan(project, &selected, generator, &options.set, Some((&target.axis, x)), PAIRS)
    });
    let measured = planned.and_then(|plan| measured(project, suites, options, revision, &plan));
    measured.unwrap_or_else(|error| NativeComparison::failed(&error))
}

/// What the times of both builds are.
pub(super) enum PairedTimes {
    /// The native code is the same, so neither was measured.
    SameCode,
    /// At least one point.
    Measured(Vec<PairedPoint>),
}

impl PairedTimes {
    /// The times of the only function of a check.
    ///
    /// # Errors
    /// If they could not be measured.
    pub(super) fn of(measured: Measurements) -> Result<Self> {
        match measured.results.into_iter().next().and_then(|one| one.baseline) {
            Some(BaselineFigures::SameCode) => Ok(Self::SameCode),
            Some(BaselineFigures::Pairs { points, .. }) if !points.is_empty() => Ok(Self::Measured(points)),
            _ => bail!("{}", measured.failures.first().map_or("the builds can't be compared", String::as_str)),
        }
    }
}

/// A check of the time of a function in pairs of builds. `at`: the name of the axis, and its only value; both ends and the middle if absent.
///
/// # Errors
/// If the function has no such generator, or if a value is invalid.
pub(super) fn paired_plan(
    project: &Project,
    selected: &SelectedFunction<'_>,
    generator: Option<&str>,
    set: &[SetArgument],
    at: Option<(&str, &AxisValue)>,
    pairs: u32,
) -> Result<CheckPlan> {
    let mut set = set.to_vec();
    if let Some((axis, x)) = at.filter(|(_, x)| !x.is_absent()) {
        set.push(format!("{axis}={x}").parse().map_err(anyhow::Error::msg)?);
    }
    let settings = CheckSettings {
        set,
        samples: Some(pairs),
        time_out: Some(TIME_OUT),
        warm_up: None,
        multiplier: 1,
        precision: None,
        mode: Some(CheckMode::Steady),
        minimum_effect: None,
        is_paired: true,
        commit: project.commit.clone(),
    };
    let group = CheckGroup { generator: generator.map(str::to_owned), ..CheckGroup::default() };
    let checks = vec![plan::check(*selected, &group, &settings)?];
    let rule = ComparisonRule { confidence: CONFIDENCE, ..ComparisonRule::default() };
    Ok(CheckPlan { checks, re_measure: 0, rule, least_confidence: None })
}

fn measured(
    project: &Project,
    suites: &[OpenedSuite],
    options: &PinpointOptions,
    revision: BaselineRevision,
    plan: &CheckPlan,
) -> Result<NativeComparison> {
    let counter = BuildCounter::new(project.clone());
    let current = ThisMachine { suites, counter: &counter };
    let mut both = BothBuilds::new(project, &options.suites, current, revision, plan, &[])?;
    let check = &plan.checks[0];
    let time = both.measure(check).and_then(time_change);
    let different_code = both.different_code(check);
    Ok(match time {
        Ok(time) => NativeComparison { time, different_code },
        Err(error) => NativeComparison { different_code, ..NativeComparison::failed(&error) },
    })
}

fn time_change(measured: Measurements) -> Result<TimeChange> {
    let PairedTimes::Measured(points) = PairedTimes::of(measured)? else { return Ok(TimeChange::SameCode) };
    let Difference { relative, interval } = Difference::of_pairs(&points[0].ln_ratios, CONFIDENCE)
        .context("fewer than two pairs of builds were measured")?;
    Ok(TimeChange::Measured { relative, low: interval.low, high: interval.high })
}
