//! What a check measures.

use std::time::Duration;

use anyhow::Result;
use benchbook_host::child::NativeSuite;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::request::Request;
use benchbook_terminal::measurement::NativeMeasurement;

use super::groups::{CheckGroup, CheckGroups, CheckMode};
use crate::arguments::{self, SetArgument};
use crate::selection::{SelectedFunction, matching};

/// The priority whose warm-up and samples a check uses.
const PRIORITY: u8 = 3;

/// The number of points of a curve, if the values are not given: both ends and the middle.
const POINTS: u32 = 3;

/// How each function is measured, as far as its group does not say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CheckSettings {
    /// Values of parameters, which replace those of the group.
    pub(super) set: Vec<SetArgument>,
    /// The number of processes of each measurement.
    pub(super) samples: u32,
    /// The longest time for a point.
    pub(super) time_out: Duration,
    /// Replaces the precision of the group.
    pub(super) precision: Option<f64>,
    /// Replaces the mode of the group.
    pub(super) mode: Option<CheckMode>,
    /// Replaces the least effect of the group.
    pub(super) least_effect: Option<f64>,
}

/// The target for the half-width of a mean's interval.
const PRECISION: f64 = 0.02;

/// The least change that counts.
const LEAST_EFFECT: f64 = 0.01;

/// A function to check, and how.
#[derive(Debug)]
pub(super) struct PlannedCheck<'s> {
    pub(super) measurement: NativeMeasurement<'s>,
    pub(super) quality: Quality,
    pub(super) mode: CheckMode,
    pub(super) least_effect: f64,
}

/// Plans the checks of the named groups, and of the functions whose path contains another name; of all functions without names.
///
/// # Errors
/// If a name is neither a group nor part of a path, or if a value is invalid.
pub(super) fn checks<'s>(
    suites: &'s [NativeSuite],
    names: &[String],
    groups: &CheckGroups,
    settings: &CheckSettings,
) -> Result<Vec<PlannedCheck<'s>>> {
    let (named, filters): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| groups.groups.contains_key(*name));
    let mut checks = Vec::new();
    if named.is_empty() || !filters.is_empty() {
        let filters: Vec<String> = filters.into_iter().cloned().collect();
        let all = CheckGroup { functions: filters, ..CheckGroup::default() };
        checks.extend(checks_of(suites, &all, settings)?);
    }
    for name in named {
        let of_group = checks_of(suites, &groups.groups[name], settings);
        checks.extend(of_group.map_err(|error| error.context(format!("the group `{name}`")))?);
    }
    Ok(checks)
}

fn checks_of<'s>(
    suites: &'s [NativeSuite],
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
    let precision = settings.precision.or(group.precision).unwrap_or(PRECISION);
    let point_ms = settings.time_out.as_secs_f64() * 1e3;
    let request = Request {
        suite: function.suite.suite().name.clone(),
        functions: vec![path.clone()],
        generator: generator.path.clone(),
        arguments,
        priority,
        client: String::new(),
        seed: None,
        precision: Some(precision),
        point_ms: Some(point_ms),
        fresh: false,
        first_calls: mode != CheckMode::Steady,
    };
    let plan = function.plan(request)?;
    let defaults = plan.quality(&Qualities::default());
    let quality = Quality { points: POINTS, processes: settings.samples, ..defaults };
    let least_effect = settings.least_effect.or(group.least_effect).unwrap_or(LEAST_EFFECT);
    let measurement = NativeMeasurement { suite: function.suite, generator, plan };
    Ok(PlannedCheck { measurement, quality, mode, least_effect })
}
