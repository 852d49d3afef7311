//! Requests to the runner's routes without a network. No thread measures, so that queued requests remain queued.

use axum::Router;
use axum::body::Body;
use axum::http;
use benchbook_contract::parameter::Range;
use benchbook_host::api::ErrorBody;
use benchbook_host::child::NativeSuite;
use benchbook_host::request::Request;
use benchbook_server::setup::Setup;
use benchbook_tests::requests::request;
use benchbook_tests::routes::{self, setup};
use benchbook_tests::suites::native;
use reqwest::{Client, Method, RequestBuilder, Response};
use tower::ServiceExt;

/// The routes of a runner.
pub struct Routes {
    pub router: Router,
    client: Client,
}

impl Routes {
    /// The routes of a runner with an empty store.
    pub fn new(setup: Setup) -> Self {
        Self::of(routes::routes(setup))
    }

    pub fn of(router: Router) -> Self {
        Self { router, client: Client::new() }
    }

    /// A GET request to the API.
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// A POST request to the API.
    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    /// A request to the API by any method.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://localhost/api/v1/{path}"))
    }

    pub async fn send(&self, request: RequestBuilder) -> Response {
        let request: http::Request<reqwest::Body> = request.build().unwrap().try_into().unwrap();
        self.respond(request.map(Body::new)).await
    }

    /// Sends a request whose address no client library has normalised.
    pub async fn get_raw(&self, address: &str) -> Response {
        self.respond(http::Request::get(address).body(Body::empty()).unwrap()).await
    }

    async fn respond(&self, request: http::Request<Body>) -> Response {
        let response = self.router.clone().oneshot(request).await.unwrap();
        response.map(|body| reqwest::Body::wrap_stream(body.into_data_stream())).into()
    }
}

/// The status and the body of an error.
pub async fn error(response: Response) -> (u16, ErrorBody) {
    (response.status().as_u16(), response.json().await.unwrap())
}

/// The setup of a runner with the fixture `ladder`, and a request for one of its functions.
pub fn ladder() -> (Setup, Request) {
    let native = NativeSuite::open(&native("ladder").unwrap()).unwrap();
    let suite = native.suite();
    let generator = suite.generator(&suite.function("rungs::one").unwrap().generators[0]).unwrap();
    let request = request(suite, &["rungs::one"], generator, Range { low: 100.0, high: 1_700.0 });
    (setup(native), request)
}
