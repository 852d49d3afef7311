//! A runner, over HTTP.

pub(crate) mod events;

use std::fmt::Display;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail, ensure};
use benchbook_host::api::Token;
use benchbook_host::api::{ErrorBody, ROOT};
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::{WithBody, WithoutBody};
use ureq::{Agent, Body, RequestBuilder};

/// The longest time for a request, with its response.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum size of a response in bytes. The runner's lists have at most half of it, and their warnings.
const MAX_BYTES: u64 = 32 << 20;

/// A runner and the access to it. Its `Debug` form hides the token.
#[derive(Clone, Debug)]
pub(crate) struct RunnerApi {
    /// The address of the runner, without a trailing slash.
    address: String,
    token: Option<Token>,
    agent: Agent,
}

impl RunnerApi {
    /// The runner at an address such as `https://reference-01.example.org:4040`.
    pub(crate) fn new(address: &str, token: Option<Token>) -> Self {
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
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Whether the requests contain a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// A request for a route such as `history`.
    pub(crate) fn get(&self, route: impl Display) -> RequestBuilder<WithoutBody> {
        self.authorized(self.agent.get(self.url(route)))
    }

    /// A request with a body for a route.
    pub(crate) fn post(&self, route: impl Display) -> RequestBuilder<WithBody> {
        self.authorized(self.agent.post(self.url(route)))
    }

    /// Requests a route, and parses the response.
    ///
    /// # Errors
    /// If the runner does not respond, or rejects the request.
    pub(crate) fn read<T: DeserializeOwned>(&self, route: impl Display) -> Result<T> {
        let mut response = self.received(self.get(route).call())?;
        self.check(&mut response)?;
        self.parse(&mut response)
    }

    /// Explains why a response was not received.
    ///
    /// # Errors
    /// If it was not.
    pub(crate) fn received(&self, response: Result<Response<Body>, ureq::Error>) -> Result<Response<Body>> {
        response.with_context(|| self.unreachable())
    }

    /// Checks the status of a response.
    ///
    /// # Errors
    /// If the runner has rejected the request.
    pub(crate) fn check(&self, response: &mut Response<Body>) -> Result<()> {
        let status = response.status();
        ensure!(
            status.as_u16() != 401,
            "the runner at {} requires its token. Set the variable BENCHBOOK_TOKEN, or pass a file with --token-file",
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

    /// Parses the body of a response.
    ///
    /// # Errors
    /// If it does not arrive, or has another format.
    pub(crate) fn parse<T: DeserializeOwned>(&self, response: &mut Response<Body>) -> Result<T> {
        let text = response.body_mut().with_config().limit(MAX_BYTES).read_to_string();
        let text = text.with_context(|| self.unreachable())?;
        serde_json::from_str(&text).map_err(|error| self.unknown_format(error))
    }

    /// The error of a text that another version of the runner may have sent.
    pub(crate) fn unknown_format(&self, error: serde_json::Error) -> Error {
        let address = &self.address;
        let advice = format!("the response of {address} has an unknown format. Update cargo-benchbook or the runner");
        Error::new(error).context(advice)
    }

    fn unreachable(&self) -> String {
        format!("the runner at {} cannot be reached", self.address)
    }

    fn url(&self, route: impl Display) -> String {
        format!("{}{ROOT}/{route}", self.address)
    }

    fn authorized<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {}", token.reveal())),
            None => request,
        }
    }
}
