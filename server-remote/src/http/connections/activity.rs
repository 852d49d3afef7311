//! Records whether a connection is waiting for its runner or for its client.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Instant;

/// Counts the requests of one connection that the runner is handling. If the count is 0, the connection is waiting for its client:
/// to send a request, or to accept the next part of a response.
#[derive(Debug)]
pub(super) struct Activity(Mutex<WorkState>);

#[derive(Debug)]
struct WorkState {
    /// The number of requests that the runner is handling.
    requests: usize,
    /// When this number last became 0.
    waiting_since: Instant,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(WorkState { requests: 0, waiting_since: Instant::now() })))
    }

    /// How long the connection has been waiting for its client; absent while the runner is handling a request.
    pub(super) fn waiting(&self) -> Option<Duration> {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (work.requests == 0).then(|| work.waiting_since.elapsed())
    }

    fn begin(self: &Arc<Self>) -> WorkGuard {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).requests += 1;
        WorkGuard(Arc::clone(self))
    }
}

/// Counts a request as being handled, until it is dropped.
#[derive(Debug)]
struct WorkGuard(Arc<Activity>);

impl Drop for WorkGuard {
    fn drop(&mut self) {
        let mut work = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        work.requests -= 1;
        if work.requests == 0 {
            work.waiting_since = Instant::now();
        }
    }
}

/// Records the requests of a connection in `activity`, and adds the client's address to them as a [`ConnectInfo`].
pub(super) fn track(routes: Router, activity: Arc<Activity>, address: Option<SocketAddr>) -> Router {
    routes.layer(middleware::from_fn_with_state((activity, address), track_request))
}

async fn track_request(
    State((activity, address)): State<(Arc<Activity>, Option<SocketAddr>)>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(address) = address {
        request.extensions_mut().insert(ConnectInfo(address));
    }
    let work = Some(activity.begin());
    next.run(request).await.map(|body| Body::new(TrackedBody { body, activity, work }))
}

/// The body of a response. The runner handles it from each poll for a part until that part is ready. The connection polls for
/// the next part once the client has accepted this one.
struct TrackedBody {
    body: Body,
    activity: Arc<Activity>,
    work: Option<WorkGuard>,
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.work.is_none() {
            self.work = Some(self.activity.begin());
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.work = None;
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
