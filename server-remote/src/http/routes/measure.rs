//! `POST measure` returns stored points or queues a measurement; `POST builds/{fingerprint}/measure` queues one of a certain build;
//! `DELETE clients/{client}` cancels a client's requests.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{self, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, post};
use axum::{Json, Router};
#[cfg(test)]
use benchbook_host::api::MeasureResponse;
use benchbook_host::api::{BuildMeasurement, Event, STREAM};
use benchbook_host::quality::Quality;
use benchbook_host::request::{MAX_CLIENT, Problem, Request};
use futures_util::stream;
use serde::Deserialize;
use serde_json::Value;

#[cfg(test)]
use super::document::{Document, Method, json};
use super::input::{ApiInput, accepts_stream, client_address, read_body};
use crate::error::ApiError;
use crate::hub::StreamPermit;
use crate::hub::{Admission, JobResult, SharedEvent, Subscription};
use crate::measure::assembly::{Assembly, response};
use crate::measure::planned_request::PlannedRequest;
use crate::measure::response_cache::CacheKey;
use crate::measure::runner::Runner;
use crate::measure::work::MeasurementWork;
use crate::queue::JobRequest;

/// The longest silence of a stream. Proxies disconnect after a minute (nginx's `proxy_read_timeout`).
const SILENCE: Duration = Duration::from_secs(20);

/// When to try again if too many streams are open, in seconds.
const STREAMS_RETRY: u64 = 10;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new()
        .route("/measure", post(measure))
        .route("/builds/{fingerprint}/measure", post(measure_build))
        .route("/clients/{client}", delete(cancel))
}

/// What the routes accept and return.
#[cfg(test)]
pub(super) fn describe(document: &mut Document) {
    document
        .operation(Method::POST, "/builds/{fingerprint}/measure", "Measure a build with a quality of your own")
        .description("As `POST /measure`, but with the build of this fingerprint. All points are measured again.")
        .fingerprint()
        .body::<BuildMeasurement>()
        .returns::<MeasureResponse>("The figures.")
        .streams::<Event>("The figures.")
        .error(400, "The body is not a request, or the request has no Host header, an invalid one, or several.")
        .error(404, "The runner has no such build.")
        .error(408, "The body did not arrive in time.")
        .error(409, "The client cancelled its request.")
        .error(
            413,
            "The body is too long, the request has too many points, or it needs more time than a client may request.",
        )
        .error(422, "The request does not match the suite; `problems` lists the mismatches.")
        .retryable_error(429, "The queue is full; `retry_after` is the time to wait.", None)
        .error(502, "The measurement failed, or its result could not be stored.")
        .retryable_error(503, "The runner is shutting down.", None);
    document
        .operation(Method::POST, "/measure", "Measure functions, or return stored points")
        .description("Returns one JSON object by default; with `Accept: application/x-ndjson`, a stream of events, one JSON object per line. Closing the connection cancels the request. The points of a stream are provisional until `done`, which is sent after they are stored.")
        .body::<Request>()
        .returns::<MeasureResponse>("The figures.")
        .streams::<Event>("The figures.")
        .error(400, "The body is not a request, or the request has no Host header, an invalid one, or several.")
        .error(404, "Unknown suite.")
        .error(408, "The body did not arrive in time.")
        .error(409, "The client cancelled its request.")
        .error(413, "The body is too long, the request has too many points, or it needs more time than a client may request.")
        .error(422, "The request does not match the suite; `problems` lists the mismatches.")
        .retryable_error(429, "The queue is full; `retry_after` is the time to wait.", None)
        .error(502, "The measurement failed, or its result could not be stored.")
        .retryable_error(503, "The runner is shutting down, or the store cannot be read.", Some("the runner is shutting down"));
    document
        .operation(Method::DELETE, "/clients/{client}", "Cancel all requests of a client")
        .path_parameter(
            "client",
            "The client's id, as in its requests.",
            json!({"type": "string", "minLength": 1, "maxLength": MAX_CLIENT}),
        )
        .returns_nothing("The client's streams end with `stopped`.");
}

async fn measure(State(runner): State<Arc<Runner>>, http: extract::Request) -> Result<Response, ApiError> {
    let is_stream = accepts_stream(http.headers());
    let address = client_address(&http);
    let request: Request = read_body(&runner.setup.limits, http, "Use shorter texts as arguments.").await?;
    // Before any look-up: a response that misses a later write must not be cached for the revision of that write.
    let revision = runner.store.revision();
    let build = runner.setup.suites.named(&request.suite).map(|suite| suite.entry.card.fingerprint.clone());
    let key = CacheKey::new(revision, build, &request, is_stream);
    // Responses to fresh requests are never cached.
    if let Some(cached) = runner.cache.get(&key) {
        runner.metrics.count_stored_response();
        return Ok(complete(cached, is_stream));
    }
    let request = PlannedRequest::new(&runner.setup, request)?;
    // Before the search of the store, which takes a while: the client can cancel the request from now on.
    let admission = runner.hub.admit(&request.plan.request().client);
    if !request.is_fresh()
        && let Some((better, stored)) = runner.find_stored(&request).await?
    {
        runner.metrics.count_stored_response();
        let bytes = if is_stream { event_lines(stored, &better) } else { object(stored, &request, &better) };
        // The suite may have been replaced in the meantime.
        if key.build.as_ref() == Some(&request.query.fingerprint) {
            runner.cache.insert(key, bytes.clone());
        }
        return Ok(complete(bytes, is_stream));
    }
    submit(&runner, request, admission, address, is_stream).await
}

/// The body of `POST builds/{fingerprint}/measure`. Its quality may contradict itself, such as a minimum above the maximum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedMeasurement {
    request: Request,
    quality: Value,
}

/// Measures all points again, with the client's own quality.
async fn measure_build(
    State(runner): State<Arc<Runner>>,
    ApiInput(Path(fingerprint)): ApiInput<Path<String>>,
    http: extract::Request,
) -> Result<Response, ApiError> {
    let is_stream = accepts_stream(http.headers());
    let address = client_address(&http);
    let UncheckedMeasurement { request, quality } =
        read_body(&runner.setup.limits, http, "Use shorter texts as arguments.").await?;
    let quality = Quality::deserialize(quality).map_err(|error| {
        ApiError::Mismatch(vec![Problem { location: "quality".to_owned(), message: error.to_string() }])
    })?;
    let measurement = BuildMeasurement { request, quality };
    let request = PlannedRequest::of_build(&runner.setup, &fingerprint, measurement)?;
    let admission = runner.hub.admit(&request.plan.request().client);
    submit(&runner, request, admission, address, is_stream).await
}

/// Queues a request, and returns its response or the stream of its events. Stored responses need no permit for a stream.
async fn submit(
    runner: &Runner,
    request: PlannedRequest,
    admission: Admission<MeasurementWork>,
    address: IpAddr,
    is_stream: bool,
) -> Result<Response, ApiError> {
    let permit = open_stream(runner, &request, address)?;
    let work = MeasurementWork::new(request.clone());
    let subscription = admission.submit(job_request(runner, &request, address), work)?;
    if is_stream {
        return Ok(follow(subscription, permit));
    }
    let JobResult { started, points, done } = subscription.result().await?;
    Ok(Json(response(&request, request.plan.request(), started, points, done)).into_response())
}

/// Ends every stream of the client with `stopped`; does nothing if there is none.
async fn cancel(
    State(runner): State<Arc<Runner>>,
    ApiInput(Path(client)): ApiInput<Path<String>>,
) -> Result<StatusCode, ApiError> {
    if client.chars().count() > MAX_CLIENT {
        return Err(ApiError::Malformed(format!("client: expected at most {MAX_CLIENT} characters")));
    }
    runner.hub.cancel_client(&client);
    Ok(StatusCode::NO_CONTENT)
}

fn open_stream(runner: &Runner, request: &PlannedRequest, address: IpAddr) -> Result<StreamPermit, ApiError> {
    let permit = runner.streams.open(&request.plan.request().client, address);
    permit.map_err(|rejection| ApiError::Busy { reason: rejection.to_string(), retry_after: STREAMS_RETRY })
}

fn job_request(runner: &Runner, request: &PlannedRequest, address: IpAddr) -> JobRequest {
    JobRequest {
        client: request.plan.request().client.clone(),
        address,
        key: request.key(),
        priority: request.plan.request().priority,
        cost_ms: runner.costs.expected_ms(request),
        turn_ms: runner.costs.turn_ms(request),
    }
}

/// Streams the events of a job. The permit is released with the stream.
fn follow(subscription: Subscription<MeasurementWork>, permit: StreamPermit) -> Response {
    let next = |(mut subscription, permit): (Subscription<MeasurementWork>, StreamPermit)| async {
        let event = subscription.next_within(SILENCE).await?;
        Some((Ok(event.line()), (subscription, permit)))
    };
    stream_response(stream::unfold((subscription, permit), next))
}

/// A response whose bytes are all known.
fn complete(bytes: Bytes, is_stream: bool) -> Response {
    if is_stream {
        stream_response(stream::iter([Ok(bytes)]))
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
    }
}

/// A stored response as one object; `better` is the request at the priority that was found.
fn object(stored: Assembly, request: &PlannedRequest, better: &PlannedRequest) -> Bytes {
    let done = stored.done(better);
    let response = response(better, request.plan.request(), stored.started, stored.points, done);
    serde_json::to_vec(&response).expect("a response serializes to JSON").into_boxed_slice().into()
}

/// A stored response as the lines of a stream; `better` is the request at the priority that was found.
fn event_lines(stored: Assembly, better: &PlannedRequest) -> Bytes {
    let done = stored.done(better);
    let started = Event::Started(Box::new(stored.started));
    let points = stored.points.into_iter().map(|point| Event::Point { point: Box::new(point) });
    let events = std::iter::once(started).chain(points).chain([Event::Done(Box::new(done))]);
    let mut lines = Vec::new();
    events.for_each(|event| lines.extend_from_slice(&SharedEvent::new(event).line()));
    lines.into_boxed_slice().into()
}

fn stream_response<S>(stream: S) -> Response
where
    S: stream::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
{
    // Prevents proxies from buffering lines.
    let headers = [(header::CONTENT_TYPE.as_str(), STREAM), ("x-accel-buffering", "no")];
    (headers, Body::from_stream(stream)).into_response()
}
