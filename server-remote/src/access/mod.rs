//! Who may use the runner: which page asks, by which name, with which token.
//!
//! A runner on somebody's own machine is reached by every page that its browser shows, and must answer none but its own
//! and those that it was told of.

mod guard;
mod origin;
mod policy;
mod refusal;
pub mod token;

pub use guard::guard;
pub use origin::{Authority, Origin, is_name};
pub use policy::{Access, Decision};
pub use token::Token;
