//! A valid request with its measurement plan and its query for stored points.

use std::sync::Arc;

use benchbook_host::alternative::{Alternative, RetainedCatalog};
use benchbook_host::api::BuildMeasurement;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::request::{Plan, Problem, Request};
use benchbook_host::response::METHOD;

use crate::error::ApiError;
use crate::setup::Setup;
use crate::store::PointQuery;
use crate::suites::table::HostedSuite;

/// A request that was validated against the catalog.
#[derive(Clone, Debug)]
pub struct PlannedRequest {
    /// Its suite.
    pub suite: Arc<HostedSuite>,
    /// The builds that its functions refer to, if any.
    pub builds: Vec<Arc<HostedSuite>>,
    /// The plan, with the valid request.
    pub plan: Plan,
    /// This runner's quality for the priority, with the request's own precision and time if it has any.
    pub quality: Quality,
    /// The stored points to look for before measuring.
    pub query: PointQuery,
    /// Whether the quality is the client's own. Its points are not stored, since the requests of others would find them, whatever their
    /// warm-up and number of samples.
    pub has_own_quality: bool,
}

impl PlannedRequest {
    /// Validates a request against the runner's suites and limits.
    ///
    /// # Errors
    /// If the suite is unknown, the request does not match it, or the request has too many points.
    pub fn new(setup: &Setup, request: Request) -> Result<Self, ApiError> {
        let list = setup.suites.current();
        let suite = list.hosted.iter().find(|suite| suite.name() == request.suite).ok_or_else(|| {
            let names: Vec<&str> = list.hosted.iter().map(|suite| suite.name()).collect();
            ApiError::NotFound(format!("Unknown suite `{}`. Available: {}.", request.suite, names.join(", ")))
        })?;
        let mut builds: Vec<Arc<HostedSuite>> = list.builds(&request.suite).cloned().collect();
        let plan = plan(suite, &builds, request).map_err(ApiError::Mismatch)?;
        let compared: Vec<&str> =
            plan.request().functions.iter().filter_map(|text| Alternative::parse(text).build).collect();
        builds.retain(|build| compared.contains(&build.build_id()));
        if plan.request().wasm_instructions && suite.counting_module().is_none() {
            return Err(ApiError::Mismatch(vec![no_counting_module(&format!(
                "put `{0}.counted.wasm` next to `{0}.wasm` (`cargo benchbook build` makes both), or leave this out",
                suite.name()
            ))]));
        }
        let quality = plan.quality(&setup.qualities);
        Self::from_plan(setup, Arc::clone(suite), builds, plan, quality).within_limits(setup)
    }

    /// Validates a request for one build of a suite, with the client's own quality. All points are measured again.
    ///
    /// # Errors
    /// If the runner has no such build, the request does not match it, or exceeds the runner's limits.
    pub fn of_build(setup: &Setup, fingerprint: &str, measurement: BuildMeasurement) -> Result<Self, ApiError> {
        let suite = setup.build(fingerprint).ok_or_else(|| ApiError::unknown_build(fingerprint))?;
        let BuildMeasurement { request, quality } = measurement;
        let (precision, point_ms) = (Some(quality.precision), Some(quality.point_ms));
        let request = Request { fresh: true, precision, point_ms, ..request };
        let plan = plan(&suite, &[], request).map_err(ApiError::Mismatch)?;
        if plan.request().wasm_instructions {
            return Err(ApiError::Mismatch(vec![no_counting_module("count where it was built")]));
        }
        check_quality(&setup.qualities, &quality).map_err(|problem| ApiError::Mismatch(vec![problem]))?;
        let request = Self::from_plan(setup, suite, Vec::new(), plan, quality).within_limits(setup)?;
        let request = Self { has_own_quality: true, ..request };
        // Each process has samples of its own at each point.
        let (processes, limit) = (request.quality.processes, setup.limits.points as usize);
        if request.points() * processes as usize > limit {
            return Err(ApiError::TooLarge(format!(
                "The request has {} points in {processes} processes each; this runner's limit is {limit} in total (`points`). Request \
                 fewer points or processes.",
                request.points()
            )));
        }
        Ok(request)
    }

    /// Checks the limits that depend on the plan.
    fn within_limits(self, setup: &Setup) -> Result<Self, ApiError> {
        let request = self;
        let (points, limit) = (request.points(), setup.limits.points as usize);
        if points > limit {
            return Err(ApiError::TooLarge(format!(
                "The request has {points} points; this runner's limit is {limit} (`points`). Request fewer functions or a \
                 lower priority."
            )));
        }
        let (seconds, limit) = (request.quality.point_ms / 1e3, setup.limits.point_seconds);
        if seconds > f64::from(limit) {
            return Err(ApiError::TooLarge(format!(
                "The request needs {seconds:.0} s per point; this runner's limit is {limit} s (`point_seconds`). Request less \
                 time per point."
            )));
        }
        Ok(request)
    }

    fn from_plan(
        setup: &Setup,
        suite: Arc<HostedSuite>,
        builds: Vec<Arc<HostedSuite>>,
        plan: Plan,
        quality: Quality,
    ) -> Self {
        let request = plan.request();
        let query = PointQuery {
            fingerprint: suite.entry.card.fingerprint.clone(),
            method: METHOD,
            machine: setup.identity.clone(),
            functions: request.functions.clone(),
            generator: request.generator.clone(),
            arguments: request.arguments.clone(),
            axis: plan.axis_name().to_owned(),
            seed: plan.seed(),
            xs: plan.axis_values(quality.points),
            quality: quality.clone(),
            first_calls: request.first_calls,
            wasm_instructions: request.wasm_instructions,
        };
        Self { suite, builds, plan, quality, query, has_own_quality: false }
    }

    /// This request at its own and every higher priority, highest first: stored points may be better than requested.
    pub fn with_higher_priorities<'a>(&'a self, setup: &'a Setup) -> impl Iterator<Item = Self> + 'a {
        let own = self.plan.request().priority;
        let priorities: Vec<Priority> = Priority::all().filter(|priority| *priority >= own).collect();
        priorities.into_iter().rev().map(move |priority| {
            let request = Request { priority, ..self.plan.request().clone() };
            let plan = plan(&self.suite, &self.builds, request).expect("a valid request is valid at every priority");
            let quality = plan.quality(&setup.qualities);
            Self::from_plan(setup, Arc::clone(&self.suite), self.builds.clone(), plan, quality)
        })
    }

    /// Whether all points are measured, even those that are stored.
    pub fn is_fresh(&self) -> bool {
        self.plan.request().fresh
    }

    /// The number of points: axis values times functions.
    pub fn points(&self) -> usize {
        self.query.xs.len() * self.query.functions.len()
    }

    /// The time for a point in milliseconds. First calls take up to twice as long as the steady state.
    pub fn point_ms(&self) -> f64 {
        let parts = if self.plan.request().first_calls { 3.0 } else { 1.0 };
        parts * self.quality.point_ms
    }

    /// Requests with equal keys have the same response. A fresh measurement does not wait for one that uses stored points.
    pub fn key(&self) -> String {
        let PointQuery {
            fingerprint,
            functions,
            generator,
            arguments,
            seed,
            quality,
            first_calls,
            wasm_instructions,
            ..
        } = &self.query;
        // Two priorities may have the same quality; the response states the requested one.
        let Request { also_at, priority, fresh, .. } = self.plan.request();
        let key = (fingerprint, functions, generator, arguments, seed, quality, first_calls, priority, fresh);
        let key = (key, also_at, wasm_instructions, self.has_own_quality);
        serde_json::to_string(&key).expect("numbers and strings serialize to JSON")
    }
}

/// Validates a request against the catalogs of a suite and of its builds.
fn plan(suite: &HostedSuite, builds: &[Arc<HostedSuite>], request: Request) -> Result<Plan, Vec<Problem>> {
    let catalogs = builds.iter().map(|build| RetainedCatalog { build: build.build_id(), suite: build.native.suite() });
    let catalogs: Vec<RetainedCatalog<'_>> = catalogs.collect();
    Plan::with_builds(suite.native.suite(), &catalogs, request)
}

fn no_counting_module(advice: &str) -> Problem {
    Problem {
        location: "wasm_instructions".to_owned(),
        message: format!("this runner has no counting module of the suite: {advice}"),
    }
}

/// Checks the parts of a client's own quality that the limits on points and on the time per point do not bound. A process that does not
/// respond occupies the machine until its timeout, and batches occupy memory and the disk.
fn check_quality(own: &Qualities, quality: &Quality) -> Result<(), Problem> {
    let defaults = Qualities::default();
    let all = || Priority::all().flat_map(|priority| [own.of(priority), defaults.of(priority)]);
    let most_samples = all().map(|quality| quality.samples.at_most).max().unwrap_or_default();
    let most_warm_up = all().map(|quality| quality.warm_up.at_most).max().unwrap_or_default();
    let longest = Quality { timeout_ms: None, ..quality.clone() }.timeout_ms();
    let table = [
        ("warm_up.ms", quality.warm_up.ms <= quality.point_ms, "the time of a point".to_owned()),
        ("warm_up.at_most", quality.warm_up.at_most <= most_warm_up, most_warm_up.to_string()),
        ("samples.at_most", quality.samples.at_most <= most_samples, most_samples.to_string()),
        ("timeout_ms", quality.timeout_ms() <= longest, format!("{longest:.0}, or nothing")),
    ];
    match table.into_iter().find(|(_, is_valid, _)| !is_valid) {
        Some((name, _, most)) => {
            Err(Problem { location: format!("quality.{name}"), message: format!("expected at most {most}") })
        }
        None => Ok(()),
    }
}
