//! Accepted results of a runner.

use anyhow::Result;
use benchbook_host::api::{AcceptedHistory, AcceptedResults};
use benchbook_host::history::AcceptedResult;

use super::runner_api::RunnerApi;

/// The maximum number of results in a list: the greatest limit of the route.
const LIMIT: u32 = 5_000;

/// A runner's folder of accepted results.
#[derive(Clone, Debug)]
pub(crate) struct RunnerResults(pub(super) RunnerApi);

impl RunnerResults {
    /// The address, for messages.
    pub(super) fn address(&self) -> &str {
        self.0.address()
    }

    /// Reads the accepted results.
    ///
    /// # Errors
    /// If the runner does not respond, or rejects the request.
    pub(super) fn read(&self) -> Result<AcceptedHistory> {
        self.0.read(format!("history?limit={LIMIT}"))
    }

    /// Adds a result.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(super) fn add(&self, accepted: &AcceptedResult) -> Result<()> {
        let request = self.0.post("history").content_type("application/json");
        let body = serde_json::to_vec(&AcceptedResults { results: vec![accepted.clone()] })?;
        let mut response = self.0.received(request.send(&body[..]))?;
        self.0.check(&mut response)
    }
}
