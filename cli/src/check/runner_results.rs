//! Accepted results of a runner, over HTTP.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use benchbook_host::api::{AcceptedHistory, AcceptedResults, ErrorBody, ROOT};
use benchbook_host::history::AcceptedResult;
use benchbook_server::access::Token;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// The longest time for a request, with its response.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum number of results in a list: the greatest limit of the route.
const LIMIT: u32 = 5_000;

/// The maximum size of a response in bytes. The runner's lists have at most half of it, and their warnings.
const MAX_BYTES: u64 = 32 << 20;

/// A runner's folder of accepted results. Its `Debug` form hides the token.
#[derive(Clone, Debug)]
pub(super) struct RunnerResults {
    /// The address of the runner, without a trailing slash.
    address: String,
    token: Option<Token>,
    agent: Agent,
}

impl RunnerResults {
    /// The runner at an address such as `https://reference-01.example.org:4040`.
    pub(super) fn new(address: &str, token: Option<Token>) -> Self {
        // Certificates of an organisation are in the system's list only.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // The token is for this address only.
            .max_redirects(0)
            .tls_config(tls)
            .build();
        Self { address: address.trim_end_matches('/').to_owned(), token, agent: config.into() }
    }

    /// The address, for messages.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Reads the accepted results.
    ///
    /// # Errors
    /// If the runner does not respond, or rejects the request.
    pub(super) fn read(&self) -> Result<AcceptedHistory> {
        let request = self.agent.get(self.route()).query("limit", LIMIT.to_string());
        let request = match self.authorization() {
            Some(value) => request.header("authorization", value),
            None => request,
        };
        let mut response = request.call().with_context(|| self.unreachable())?;
        self.check(&mut response)?;
        self.parse(&mut response)
    }

    /// Adds a result.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(super) fn add(&self, accepted: &AcceptedResult) -> Result<()> {
        let request = self.agent.post(self.route()).content_type("application/json");
        let request = match self.authorization() {
            Some(value) => request.header("authorization", value),
            None => request,
        };
        let body = serde_json::to_vec(&AcceptedResults { results: vec![accepted.clone()] })?;
        let mut response = request.send(&body[..]).with_context(|| self.unreachable())?;
        self.check(&mut response)
    }

    fn route(&self) -> String {
        format!("{}{ROOT}/history", self.address)
    }

    fn authorization(&self) -> Option<String> {
        self.token.as_ref().map(|token| format!("Bearer {}", token.reveal()))
    }

    fn unreachable(&self) -> String {
        format!("the runner at {} cannot be reached", self.address)
    }

    /// Checks the status of a response.
    fn check(&self, response: &mut Response<Body>) -> Result<()> {
        let status = response.status();
        ensure!(
            status.as_u16() != 401,
            "the runner at {} requires its token. Set the variable BENCHBOOK_TOKEN, or name a file with --token-file",
            self.address
        );
        if status.is_success() {
            return Ok(());
        }
        let Ok(ErrorBody { error, problems, .. }) = self.parse(response) else {
            bail!("{} is not the address of a runner: its response has status {status}", self.address);
        };
        let problems: Vec<String> =
            problems.iter().map(|problem| format!("{}: {}", problem.location, problem.message)).collect();
        bail!("the runner at {} rejected the request: {error} {}", self.address, problems.join("; "));
    }

    fn parse<T: DeserializeOwned>(&self, response: &mut Response<Body>) -> Result<T> {
        let text = response.body_mut().with_config().limit(MAX_BYTES).read_to_string();
        let text = text.with_context(|| self.unreachable())?;
        serde_json::from_str(&text).with_context(|| {
            format!("the response of {} has an unknown format. Update cargo-benchbook or the runner", self.address)
        })
    }
}
