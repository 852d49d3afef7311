//! What to say to who is refused.

use std::net::SocketAddr;

use benchbook_host::api::ErrorBody;

use super::{Authority, Origin};

fn refusal(error: String) -> ErrorBody {
    ErrorBody { error, problems: Vec::new(), retry_after: None }
}

pub(super) fn no_host() -> ErrorBody {
    refusal("The request names no host, or several: send one Host header.".to_owned())
}

pub(super) fn foreign_host(host: &Authority, address: SocketAddr, tls: bool) -> ErrorBody {
    let scheme = if tls { "https" } else { "http" };
    let name = &host.host;
    refusal(format!(
        "This runner does not answer to {name}. Its address is {scheme}://{address}/; whoever runs it can let it answer to \
         that name too: --host {name}"
    ))
}

/// Absent is the origin of a page that has none.
pub(super) fn foreign_origin(origin: Option<&Origin>) -> ErrorBody {
    refusal(match origin {
        Some(origin) => format!(
            "Pages of {origin} may not use this runner. Open the page that it serves itself, or let whoever runs it allow \
             them: --origin {origin}"
        ),
        None => {
            "A page without an origin, such as a file or a frame in a sandbox, may not use this runner. Open the page \
                 that it serves itself."
                .to_owned()
        }
    })
}

pub(super) fn no_token(another_was_told: bool) -> ErrorBody {
    let what = if another_was_told { "This is not the runner's token." } else { "This runner wants its token." };
    refusal(format!(
        "{what} Whoever runs it has it: where none is configured, a new one is told at each start. Type it in the page where \
         the runner is chosen, or send `Authorization: Bearer TOKEN`."
    ))
}
