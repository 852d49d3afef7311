//! Messages that the executable sends to itself if no host drives it.

use crate::entry::peer::Peer;
use benchbook_contract::catalog::{Function, Suite};
use benchbook_contract::protocol::{HostMessage, Open, RequestFailure, SuiteMessage};

/// The seed of all inputs.
pub(super) const SEED: u64 = 1;

/// The message that prepares a function's first generator with default arguments, and the low end of a default range.
///
/// # Errors
/// If the catalog lacks the generator.
pub(super) fn smallest_workload(suite: &Suite, function: &Function, slot: u32) -> Result<Open, String> {
    let generator = function.generators.first().and_then(|path| suite.generator(path));
    let generator = generator.ok_or_else(|| format!("`{}` has no generator", function.path))?;
    let arguments = generator.parameters.iter();
    Ok(Open {
        slot,
        functions: vec![function.path.clone()],
        generator: generator.path.clone(),
        arguments: arguments.map(|parameter| (parameter.name.clone(), parameter.default_argument(false))).collect(),
        seed: SEED,
        priority: 1,
    })
}

/// The reply to a message.
///
/// # Errors
/// Returns the failure of the request.
pub(super) fn handled(peer: &mut Peer, message: HostMessage) -> Result<SuiteMessage, RequestFailure> {
    match peer.handle(message) {
        SuiteMessage::Failed(failure) => Err(failure),
        reply => Ok(reply),
    }
}
