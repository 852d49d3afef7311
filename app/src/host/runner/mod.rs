//! The page's way to a runner, over HTTP.

pub(crate) mod ask;
pub(crate) mod known;
pub(super) mod remote;
pub(crate) mod watch;

use crate::state::runner::{Reach, Trouble};

/// What the status and the error of an answer mean to this page.
fn trouble(reach: &Reach, status: i32, error: &str) -> Trouble {
    let origin = web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
    reach.trouble(&origin, status, error)
}
