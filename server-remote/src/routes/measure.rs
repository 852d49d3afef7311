//! `POST measure`: what was measured already, or a place in the queue; and `DELETE clients/{client}`, which takes all that
//! a client asked back.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, post};
use axum::{Json, Router};
use benchbook::api::{Answer, Event, STREAM};
use benchbook::request::Request;
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::asked::{Asked, Body as Sent};
use crate::answer::{Assembly, answer};
use crate::ask::Ask;
use crate::error::ApiError;
use crate::hub::{Finished, Refused, Subscription, Told, Unfinished};
use crate::queue;
use crate::runner::Runner;

/// How long a stream says nothing at most: proxies cut off after a minute (nginx's `proxy_read_timeout`).
const SILENCE: Duration = Duration::from_secs(20);

/// When to try again where too many streams are open, in seconds.
const STREAMS_RETRY: u64 = 10;

pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route("/measure", post(measure)).route("/clients/{client}", delete(take_back))
}

async fn measure(
    State(runner): State<Arc<Runner>>,
    headers: HeaderMap,
    Sent(request): Sent<Request>,
) -> Result<Response, ApiError> {
    let wants_stream = headers
        .get_all(header::ACCEPT)
        .iter()
        .any(|accept| accept.to_str().is_ok_and(|accept| accept.to_ascii_lowercase().contains(STREAM)));
    let ask = Ask::new(&runner, request)?;
    let place = Arc::clone(&runner.streams).try_acquire_owned().map_err(|_| ApiError::Busy {
        reason: "This runner answers as many clients as it can (`streams` in its limits): try again later.".to_owned(),
        retry_after: STREAMS_RETRY,
    })?;
    if let Some((better, stored)) = runner.find(&ask).await? {
        runner.counted.count_stored();
        return Ok(if wants_stream {
            lines(stream::iter(events_of(stored, &better).iter().map(line).map(Ok).collect::<Vec<_>>()))
        } else {
            let done = stored.done(&better);
            let answer = answer(&better, stored.started, stored.points, done);
            Json(Answer { request: ask.plan.request().clone(), ..answer }).into_response()
        });
    }
    let subscription = runner.hub.ask(
        queue::Ask {
            client: ask.plan.request().client.clone(),
            key: ask.key(),
            priority: ask.plan.request().priority,
            cost_ms: ask.expected_ms(),
        },
        ask.clone(),
    )?;
    if wants_stream {
        // Its place is free again when nobody reads any more.
        let next = |(mut subscription, place): (Subscription<Ask>, OwnedSemaphorePermit)| async {
            let told = never_silent(&mut subscription).await?;
            Some((Ok(told.line()), (subscription, place)))
        };
        return Ok(lines(stream::unfold((subscription, place), next)));
    }
    let Finished { started, points, done } = subscription.finished().await?;
    Ok(Json(answer(&ask, started, points, done)).into_response())
}

/// What is told next, or once more how things are: a stream that says nothing is cut off by what lies between.
async fn never_silent(subscription: &mut Subscription<Ask>) -> Option<Arc<Told>> {
    loop {
        match timeout(SILENCE, subscription.next()).await {
            Ok(told) => return told,
            Err(_) => {
                if let Some(again) = subscription.again() {
                    return Some(again);
                }
            }
        }
    }
}

/// Every stream of the client ends with `stopped`; where it has none, nothing happens.
async fn take_back(State(runner): State<Arc<Runner>>, Asked(Path(client)): Asked<Path<String>>) -> StatusCode {
    runner.hub.take_back(&client);
    StatusCode::NO_CONTENT
}

/// What a stream tells of an answer that was found.
fn events_of(stored: Assembly, ask: &Ask) -> Vec<Event> {
    let done = stored.done(ask);
    let started = Event::Started(Box::new(stored.started));
    let points = stored.points.into_iter().map(|point| Event::Point { point: Box::new(point) });
    std::iter::once(started).chain(points).chain([Event::Done(Box::new(done))]).collect()
}

fn line(event: &Event) -> Bytes {
    let mut line = serde_json::to_vec(event).expect("events have a JSON form");
    line.push(b'\n');
    line.into()
}

fn lines<S>(stream: S) -> Response
where
    S: stream::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
{
    // A proxy that gathers lines would hold back what is told.
    let headers = [(header::CONTENT_TYPE.as_str(), STREAM), ("cache-control", "no-store"), ("x-accel-buffering", "no")];
    (headers, Body::from_stream(stream)).into_response()
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Full(full) => match full.retry_after() {
                Some(retry_after) => Self::Busy { reason: full.to_string(), retry_after },
                None => Self::TooLarge(full.to_string()),
            },
            Refused::Closed(_) => Self::Ending,
        }
    }
}

impl From<Unfinished> for ApiError {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Failed(reason) => Self::Measuring(reason),
            Unfinished::Stopped(_) => Self::Ending,
            Unfinished::TakenBack => Self::TakenBack,
        }
    }
}
