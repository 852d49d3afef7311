//! Requests to a runner; `static/runner_request.js` sends them.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::error::{error, error_body};
use crate::state::machines::runner::{RunnerEndpoint, RunnerError};

#[wasm_bindgen]
extern "C" {
    type Fetch;
    #[wasm_bindgen(js_name = benchbookRequest)]
    fn fetch(address: &str, token: &str, body: &str, on_line: &Closure<dyn FnMut(JsValue)>) -> Fetch;
    #[wasm_bindgen(method, getter)]
    fn status(this: &Fetch) -> Promise;
    #[wasm_bindgen(method)]
    fn end(this: &Fetch);
}

/// A request in progress. Dropping it cancels it.
pub(crate) struct RunnerRequest {
    fetch: Fetch,
    _on_line: Closure<dyn FnMut(JsValue)>,
}

impl RunnerRequest {
    /// Requests `path`, relative to the API's root; a non-empty `body` is posted. `on_line` receives each line of the
    /// response; the last one may be empty.
    pub(crate) fn start(endpoint: &RunnerEndpoint, path: &str, body: &str, on_line: impl Fn(String) + 'static) -> Self {
        let on_line = Closure::new(move |line: JsValue| {
            if let Some(line) = line.as_string() {
                on_line(line);
            }
        });
        Self { fetch: fetch(&endpoint.url(path), &endpoint.token, body, &on_line), _on_line: on_line }
    }

    /// Resolves to the status at the end of the response; see `static/runner_request.js`.
    pub(crate) fn status(&self) -> impl Future<Output = i32> + use<> {
        let status = JsFuture::from(self.fetch.status());
        async { status.await.ok().and_then(|status| status.as_f64()).unwrap_or_default() as i32 }
    }
}

impl Drop for RunnerRequest {
    fn drop(&mut self) {
        self.fetch.end();
    }
}

/// Requests `path` and returns the body of the response.
///
/// # Errors
/// If the runner does not respond, or rejects the request.
pub(crate) async fn get(endpoint: &RunnerEndpoint, path: &str) -> Result<String, RunnerError> {
    let body = Rc::new(RefCell::new(String::new()));
    let request = {
        let body = Rc::clone(&body);
        RunnerRequest::start(endpoint, path, "", move |line| body.borrow_mut().push_str(&line))
    };
    let status = request.status().await;
    let body = body.take();
    let message = || error_body(&body).map(|body| body.error).unwrap_or_default();
    if status == 200 { Ok(body) } else { Err(error(endpoint, status, &message())) }
}
