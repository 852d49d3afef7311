//! Access control: hosts, origins and the token.
//!
//! Every page in a local browser can reach a runner on the same machine. The runner serves only its own page and the
//! configured origins.

mod layers;
mod origin;
mod policy;
mod rejection;
mod rejection_log;
mod token;

pub use layers::restrict;
pub use origin::{Authority, Origin, is_name};
pub use policy::AccessPolicy;
pub(crate) use token::random_token;
