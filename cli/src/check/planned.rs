//! What a check measures.

use std::time::Duration;

use anyhow::Result;
use benchbook_host::history::CheckedMetric;
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
use benchbook_host::request::Request;
use benchbook_terminal::measurement::NativeMeasurement;

use crate::arguments::{self, SetArgument};
use crate::benchbook_toml::{BenchbookToml, CheckGroup, CheckMode, FILE};
use crate::project::OpenedSuite;
use crate::selection::{SelectedFunction, matching};

/// The priority whose warm-up and samples a check uses.
const PRIORITY: u8 = 3;

/// The number of points of a curve, if the values are not given: both ends and the middle.
const POINTS: u32 = 3;

/// How each function is measured, from the command line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CheckSettings {
    /// Values of parameters, which replace those of the group.
    pub(super) set: Vec<SetArgument>,
    /// The number of processes of each measurement.
    pub(super) samples: u32,
    /// The longest time for a point.
    pub(super) time_out: Duration,
    /// The longest time to warm up a point; the default of the priority if absent.
    pub(super) warm_up: Option<Duration>,
    /// The factor of the times and of the samples.
    pub(super) multiplier: u32,
    /// Replaces the precision of the group.
    pub(super) precision: Option<f64>,
    /// Replaces the mode of the group.
    pub(super) mode: Option<CheckMode>,
    /// Replaces the minimum effect of the group.
    pub(super) minimum_effect: Option<f64>,
    /// Whether a baseline is interleaved with each function.
    pub(super) is_paired: bool,
}

/// The target for the half-width of a mean's interval.
const PRECISION: f64 = 0.02;

/// The least change that counts.
const MINIMUM_EFFECT: f64 = 0.01;

/// The half-width of a mean's interval, divided by the least change that counts, with which pairs of builds show this change.
const PAIRED_PRECISION: f64 = 0.2;

/// The least target for the precision, if every change counts.
const LEAST_PRECISION: f64 = 0.001;

/// A function to check, and how.
#[derive(Debug)]
pub(super) struct PlannedCheck<'s> {
    pub(super) measurement: NativeMeasurement<'s>,
    /// The measurement whose counts matter: the same one without first calls.
    pub(super) counting: NativeMeasurement<'s>,
    pub(super) quality: Quality,
    pub(super) mode: CheckMode,
    pub(super) minimum_effect: f64,
}

impl PlannedCheck<'_> {
    /// The quality of a measurement whose counts matter, not its times: it ends as soon as possible.
    pub(super) fn counting_quality(&self) -> Quality {
        let warm_up = BatchBounds { at_least: 0, ..self.quality.warm_up };
        Quality { precision: 1.0, processes: 1, warm_up, ..self.quality.clone() }
    }
}

/// Plans the checks of the named groups, and of the functions whose path contains another name; of all functions without names.
///
/// # Errors
/// If a name is neither a group nor part of a path, or if a value is invalid.
pub(super) fn checks<'s>(
    suites: &'s [OpenedSuite],
    names: &[String],
    groups: &BenchbookToml,
    settings: &CheckSettings,
) -> Result<Vec<PlannedCheck<'s>>> {
    let (named, filters): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| groups.groups.contains_key(*name));
    let mut checks = Vec::new();
    if named.is_empty() || !filters.is_empty() {
        let filters: Vec<String> = filters.into_iter().cloned().collect();
        let all = CheckGroup { functions: filters, ..CheckGroup::default() };
        checks.extend(checks_of(suites, &all, settings).map_err(|error| match group_names(groups) {
            Some(names) if !all.functions.is_empty() => error.context(format!("the groups in {FILE} are {names}")),
            _ => error,
        })?);
    }
    for name in named {
        let of_group = checks_of(suites, &groups.groups[name], settings);
        checks.extend(of_group.map_err(|error| error.context(format!("the group `{name}`")))?);
    }
    Ok(without_repetitions(checks))
}

fn group_names(groups: &BenchbookToml) -> Option<String> {
    let names: Vec<&str> = groups.groups.keys().map(String::as_str).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The first of the checks that measure the same: several groups may have a function in common.
fn without_repetitions(checks: Vec<PlannedCheck<'_>>) -> Vec<PlannedCheck<'_>> {
    let mut distinct: Vec<PlannedCheck<'_>> = Vec::new();
    for check in checks {
        let request = |check: &PlannedCheck<'_>| check.measurement.plan.request().clone();
        if distinct.iter().all(|other| request(other) != request(&check)) {
            distinct.push(check);
        }
    }
    distinct
}

fn checks_of<'s>(
    suites: &'s [OpenedSuite],
    group: &CheckGroup,
    settings: &CheckSettings,
) -> Result<Vec<PlannedCheck<'s>>> {
    matching(suites, &group.functions)?.into_iter().map(|function| check(function, group, settings)).collect()
}

fn check<'s>(function: SelectedFunction<'s>, group: &CheckGroup, settings: &CheckSettings) -> Result<PlannedCheck<'s>> {
    let path = &function.function.path;
    let generator = function.generator(group.generator.as_deref())?;
    // The last value of a parameter counts.
    let set: Vec<SetArgument> = group.set.iter().chain(&settings.set).cloned().collect();
    let arguments = arguments::arguments(generator, &set).map_err(|reason| anyhow::anyhow!("`{path}`: {reason}"))?;
    let mode = settings.mode.or(group.mode).unwrap_or_default();
    let priority = Priority::try_from(PRIORITY).map_err(anyhow::Error::msg)?;
    let minimum_effect = settings.minimum_effect.or(group.minimum_effect).unwrap_or(MINIMUM_EFFECT);
    let of_mode = match settings.is_paired {
        true => (PAIRED_PRECISION * minimum_effect).max(LEAST_PRECISION),
        false => PRECISION,
    };
    let precision = settings.precision.or(group.precision).unwrap_or(of_mode);
    let multiplier = f64::from(settings.multiplier);
    let point_ms = multiplier * settings.time_out.as_secs_f64() * 1e3;
    let request = Request {
        suite: function.suite.suite().name.clone(),
        functions: vec![path.clone()],
        generator: generator.path.clone(),
        arguments,
        also_at: Vec::new(),
        priority,
        client: String::new(),
        seed: None,
        precision: Some(precision),
        point_ms: Some(point_ms),
        fresh: false,
        first_calls: mode.timed_metrics().contains(&CheckedMetric::FirstCall),
    };
    let counting = function.plan(Request { first_calls: false, ..request.clone() })?;
    let plan = function.plan(request)?;
    let defaults = plan.quality(&Qualities::default());
    let warm_up_ms = settings.warm_up.map_or(defaults.warm_up.ms, |time| time.as_secs_f64() * 1e3);
    let quality = Quality {
        points: POINTS,
        processes: settings.samples,
        warm_up: BatchBounds { ms: multiplier * warm_up_ms, ..defaults.warm_up },
        samples: BatchCounts { at_least: settings.multiplier * defaults.samples.at_least, ..defaults.samples },
        ..defaults
    };
    let measurement = NativeMeasurement { suite: function.suite, generator, plan };
    let counting = NativeMeasurement { suite: function.suite, generator, plan: counting };
    Ok(PlannedCheck { measurement, counting, quality, mode, minimum_effect })
}
