//! The first stage of a check: what it measures, and how it compares.

use std::time::Duration;

use anyhow::Result;
use benchbook_host::history::{BuildOrigin, CheckedMetric};
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
use benchbook_host::request::Request;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use crate::arguments::{self, SetArgument};
use crate::project::OpenedSuite;
use crate::project::benchbook_toml::{BenchbookToml, CheckGroup, CheckMode, FILE};
use crate::project::commit::Commit;
use crate::project::selection::{SelectedFunction, matching};

/// The priority whose warm-up and samples a check uses.
const PRIORITY: u8 = 3;

/// The number of points of a curve, if the values are not given: both ends and the middle.
const POINTS: u32 = 3;

/// The number of processes.
const SAMPLES: u32 = 10;

/// The longest time for a point.
const TIME_OUT: Duration = Duration::from_secs(3);

/// The target for the half-width of a mean's interval.
const PRECISION: f64 = 0.02;

/// The least change that counts.
const MINIMUM_EFFECT: f64 = 0.01;

/// The half-width of a mean's interval, divided by the least change that counts, with which pairs of builds show this change.
const PAIRED_PRECISION: f64 = 0.2;

/// The least target for the precision, if every change counts.
const LEAST_PRECISION: f64 = 0.001;

/// What a check measures, and how it compares.
#[derive(Clone, Debug)]
pub(crate) struct CheckPlan {
    pub(crate) checks: Vec<PlannedCheck>,
    /// How often a function is measured again at most, if its result is too noisy.
    pub(crate) re_measure: u32,
    pub(crate) rule: ComparisonRule,
    /// The confidence down to which that of the rule is lowered while comparisons are undecided; absent if it stays.
    pub(crate) least_confidence: Option<f64>,
}

/// A function to check, and how.
#[derive(Clone, Debug)]
pub(crate) struct PlannedCheck {
    /// Its position in the plan.
    pub(crate) number: usize,
    /// A valid request of a single function.
    pub(crate) request: Request,
    pub(crate) quality: Quality,
    pub(crate) mode: CheckMode,
    /// The least relative change that counts.
    pub(crate) minimum_effect: f64,
    /// The fingerprint of the generator's source.
    pub(crate) inputs: String,
    pub(crate) build: BuildOrigin,
    /// The target that the suite is compiled for.
    pub(crate) target: String,
}

/// How results are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ComparisonRule {
    /// The confidence of the whole check.
    pub(crate) confidence: f64,
    pub(crate) test: HistoryTest,
}

/// How a build is compared with accepted results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum HistoryTest {
    /// By the interval of the difference from one result, or by an analysis of variance of several
    #[default]
    Difference,
    /// Whether the mean is outside the interval of the latest result. This finds more changes, and raises more false alarms
    Interval,
}

/// How each function is measured, from the command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckSettings {
    /// Values of parameters, which replace those of the group.
    pub(crate) set: Vec<SetArgument>,
    /// The number of processes of each measurement. This and the following settings replace those of the group.
    pub(crate) samples: Option<u32>,
    /// The longest time for a point.
    pub(crate) time_out: Option<Duration>,
    /// The longest time to warm up a point; the default of the priority if neither is given.
    pub(crate) warm_up: Option<Duration>,
    /// The factor of the times and of the samples.
    pub(crate) multiplier: u32,
    /// Replaces the precision of the group.
    pub(crate) precision: Option<f64>,
    /// Replaces the mode of the group.
    pub(crate) mode: Option<CheckMode>,
    /// Replaces the minimum effect of the group.
    pub(crate) minimum_effect: Option<f64>,
    /// Whether a baseline is interleaved with each function.
    pub(crate) is_paired: bool,
    /// The commit that is checked.
    pub(crate) commit: Commit,
}

impl PlannedCheck {
    /// The path of the function.
    pub(crate) fn function(&self) -> String {
        self.request.functions.concat()
    }

    /// How the function is measured, as JSON.
    pub(crate) fn debug_text(&self) -> String {
        json!({ "request": self.request, "quality": self.quality, "minimum_effect": self.minimum_effect }).to_string()
    }

    /// The request of the counts.
    pub(crate) fn counting_request(&self) -> Request {
        Request { first_calls: false, ..self.request.clone() }
    }

    /// The quality of a measurement whose counts matter, not its times: it ends as soon as possible.
    pub(crate) fn counting_quality(&self) -> Quality {
        let warm_up = BatchBounds { at_least: 0, ..self.quality.warm_up };
        Quality { precision: 1.0, processes: 1, warm_up, ..self.quality.clone() }
    }
}

/// Plans the checks of the named groups, and of the functions whose path contains another name; of all functions without names.
///
/// # Errors
/// If a name is neither a group nor part of a path, or if a value is invalid.
pub(crate) fn checks(
    suites: &[OpenedSuite],
    names: &[String],
    groups: &BenchbookToml,
    settings: &CheckSettings,
) -> Result<Vec<PlannedCheck>> {
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
    Ok(distinct(checks))
}

fn group_names(groups: &BenchbookToml) -> Option<String> {
    let names: Vec<&str> = groups.groups.keys().map(String::as_str).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The first of the checks that measure the same, numbered: several groups may have a function in common.
fn distinct(checks: Vec<PlannedCheck>) -> Vec<PlannedCheck> {
    let mut distinct: Vec<PlannedCheck> = Vec::new();
    for check in checks {
        if distinct.iter().all(|other| (&other.request, other.mode) != (&check.request, check.mode)) {
            distinct.push(PlannedCheck { number: distinct.len(), ..check });
        }
    }
    distinct
}

fn checks_of(suites: &[OpenedSuite], group: &CheckGroup, settings: &CheckSettings) -> Result<Vec<PlannedCheck>> {
    matching(suites, &group.functions)?.into_iter().map(|function| check(function, group, settings)).collect()
}

/// Plans the check of a function.
///
/// # Errors
/// If it has no such generator, or if a value is invalid.
pub(crate) fn check(
    function: SelectedFunction<'_>,
    group: &CheckGroup,
    settings: &CheckSettings,
) -> Result<PlannedCheck> {
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
    let time_out = settings.time_out.or(group.time_out).unwrap_or(TIME_OUT);
    let point_ms = multiplier * time_out.as_secs_f64() * 1e3;
    let request = Request {
        precision: Some(precision),
        point_ms: Some(point_ms),
        first_calls: mode.timed_metrics().contains(&CheckedMetric::FirstCall),
        ..Request::new(
            function.suite.suite().name.clone(),
            vec![path.clone()],
            generator.path.clone(),
            arguments,
            priority,
        )
    };
    let defaults = function.plan(request.clone())?.quality(&Qualities::default());
    let warm_up_ms = settings.warm_up.or(group.warm_up).map_or(defaults.warm_up.ms, |time| time.as_secs_f64() * 1e3);
    let quality = Quality {
        points: POINTS,
        processes: settings.samples.or(group.samples).unwrap_or(SAMPLES),
        warm_up: BatchBounds { ms: multiplier * warm_up_ms, ..defaults.warm_up },
        samples: BatchCounts { at_least: settings.multiplier * defaults.samples.at_least, ..defaults.samples },
        ..defaults
    };
    let card = function.suite.card();
    Ok(PlannedCheck {
        number: 0,
        request,
        quality,
        mode,
        minimum_effect,
        inputs: generator.source_hash.clone(),
        build: BuildOrigin {
            fingerprint: card.fingerprint.clone(),
            commit: settings.commit.hash.clone(),
            dirty: settings.commit.dirty,
            compiler: card.build.compiler().to_owned(),
        },
        target: card.build.target.clone(),
    })
}
