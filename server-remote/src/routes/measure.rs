//! `POST measure`: what was measured already, or a place in the queue; and `DELETE clients/{client}`, which takes all that
//! a client asked back.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{self, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, post};
use axum::{Json, Router};
use benchbook_host::api::{Event, ROOT, STREAM};
use benchbook_host::request::Request;
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;

use super::asked::{Asked, read, sent};
use super::{never_kept, other_method};
use crate::answer::{Assembly, answer};
use crate::ask::Ask;
use crate::error::ApiError;
use crate::hub::{Finished, Refused, Subscription, Told, Unfinished};
use crate::kept::{self, Sent};
use crate::queue;
use crate::runner::Runner;

/// How long a stream says nothing at most: proxies cut off after a minute (nginx's `proxy_read_timeout`).
const SILENCE: Duration = Duration::from_secs(20);

/// When to try again where too many streams are open, in seconds.
const STREAMS_RETRY: u64 = 10;

/// With its whole address, and to be under no layer of the API's.
pub(super) fn router() -> Router<Arc<Runner>> {
    Router::new().route(&format!("{ROOT}/measure"), post(measure)).method_not_allowed_fallback(other_method)
}

pub(super) fn clients() -> Router<Arc<Runner>> {
    Router::new().route("/clients/{client}", delete(take_back))
}

async fn measure(State(runner): State<Arc<Runner>>, request: extract::Request) -> Response {
    let answered = match sent(&runner, request).await {
        Ok(sent) => answered(runner, sent).await,
        Err(refused) => Err(refused),
    };
    never_kept(answered.into_response())
}

async fn answered(runner: Arc<Runner>, sent: Sent) -> Result<Response, ApiError> {
    let is_stream = sent.is_stream;
    if let Some(answer) = runner.kept.repeat(&sent) {
        runner.counted.count_stored();
        return Ok(found(answer, is_stream));
    }
    let request: Request = read(&sent.body)?;
    let asked = kept::Asked::new(&request, is_stream);
    let edition = match runner.kept.find(&asked, &sent) {
        Ok(answer) => {
            runner.counted.count_stored();
            return Ok(found(answer, is_stream));
        }
        Err(edition) => edition,
    };
    // Those who wait hold no buffer of their connection.
    drop(sent);
    // What is kept is answered at once, and takes nobody's place.
    let Ok(place) = Arc::clone(&runner.streams).try_acquire_owned() else {
        // What can never be measured is told so, rather than to come again.
        Ask::new(&runner, request)?;
        let reason = "This runner answers as many clients as it can (`streams` in its limits): try again later.";
        return Err(ApiError::Busy { reason: reason.to_owned(), retry_after: STREAMS_RETRY });
    };
    // Before the store is asked, which takes its time: who takes it back meanwhile is not measured for.
    let arrival = runner.hub.arrive(&request.client);
    let ask = Ask::new(&runner, request)?;
    if let Some((better, stored)) = runner.find(&ask).await? {
        runner.counted.count_stored();
        let answer = if is_stream { all_lines(stored, &better) } else { object(stored, &ask, &better) };
        runner.kept.keep(edition, asked, &answer);
        return Ok(found(answer, is_stream));
    }
    let subscription = arrival.ask(
        queue::Ask {
            client: ask.plan.request().client.clone(),
            key: ask.key(),
            priority: ask.plan.request().priority,
            cost_ms: ask.expected_ms(),
        },
        ask.clone(),
    )?;
    if is_stream {
        // Its place is free again when nobody reads any more.
        let next = |(mut subscription, place): (Subscription<Ask>, OwnedSemaphorePermit)| async {
            let told = subscription.next_within(SILENCE).await?;
            Some((Ok(told.line()), (subscription, place)))
        };
        return Ok(lines(stream::unfold((subscription, place), next)));
    }
    let Finished { started, points, done } = subscription.finished().await?;
    Ok(Json(answer(&ask, ask.plan.request(), started, points, done)).into_response())
}

/// Every stream of the client ends with `stopped`; where it has none, nothing happens.
async fn take_back(State(runner): State<Arc<Runner>>, Asked(Path(client)): Asked<Path<String>>) -> StatusCode {
    runner.hub.take_back(&client);
    StatusCode::NO_CONTENT
}

/// A whole answer, as it is sent.
fn found(answer: Bytes, is_stream: bool) -> Response {
    if is_stream {
        lines(stream::iter([Ok(answer)]))
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], answer).into_response()
    }
}

/// An answer that was found for `better`, as one object.
fn object(stored: Assembly, ask: &Ask, better: &Ask) -> Bytes {
    let done = stored.done(better);
    let answer = answer(better, ask.plan.request(), stored.started, stored.points, done);
    serde_json::to_vec(&answer).expect("answers have a JSON form").into_boxed_slice().into()
}

/// All that a stream tells of an answer that was found for `better`.
fn all_lines(stored: Assembly, better: &Ask) -> Bytes {
    let done = stored.done(better);
    let started = Event::Started(Box::new(stored.started));
    let points = stored.points.into_iter().map(|point| Event::Point { point: Box::new(point) });
    let events = std::iter::once(started).chain(points).chain([Event::Done(Box::new(done))]);
    let mut lines = Vec::new();
    events.for_each(|event| lines.extend_from_slice(&Told::new(event).line()));
    lines.into_boxed_slice().into()
}

fn lines<S>(stream: S) -> Response
where
    S: stream::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
{
    // A proxy that gathers lines would hold back what is told.
    let headers = [(header::CONTENT_TYPE.as_str(), STREAM), ("x-accel-buffering", "no")];
    (headers, Body::from_stream(stream)).into_response()
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Full(full) => match full.retry_after() {
                Some(retry_after) => Self::Busy { reason: full.to_string(), retry_after },
                None => Self::TooLarge(full.to_string()),
            },
            Refused::Closed(reason) => Self::Ending(reason),
            Refused::TakenBack => Self::TakenBack,
        }
    }
}

impl From<Unfinished> for ApiError {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Failed(reason) => Self::Measuring(reason),
            Unfinished::Stopped(reason) => Self::Ending(reason),
            Unfinished::TakenBack => Self::TakenBack,
        }
    }
}
