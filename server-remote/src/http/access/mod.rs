//! Access control: hosts, origins and the token.
//!
//! Every page in a local browser can reach a runner on the same machine. The runner serves only its own page and the
//! configured origins.

mod layers;
mod policy;
mod rejection;
mod rejection_log;

pub use layers::restrict;
