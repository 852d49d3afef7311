//! What calls execute, as a tree of functions: exact, from the counters of contexts ([`benchbook_instrument::read_contexts`]).
//!
//! Functions that were inlined are frames of their own, below those that they were inlined into. So a function has the same place in the tree whether it was
//! inlined or not, and the own instructions of all frames add up to the count.

mod frame;
mod tree;

pub use frame::{Frame, Place};
pub use tree::frames;
