//! Requests to the suites of a build.

use anyhow::{Error, Result};
use benchbook_host::child::NativeSuite;
use benchbook_host::request::{Plan, Problem, Request};

/// The plan of a request to a suite.
///
/// # Errors
/// If the request is invalid: those of a plan are valid for the current build, but another one may lack a parameter.
pub(super) fn planned(suite: &NativeSuite, request: Request) -> Result<Plan> {
    Plan::new(suite.suite(), request).map_err(problems)
}

/// The problems of a request as an error.
pub(super) fn problems(problems: Vec<Problem>) -> Error {
    Error::msg(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
}
