//! What calls of a function execute, as a tree of functions over an axis: exact, from the counters of contexts ([`benchbook_instrument::ContextReading`]).
//!
//! Functions that were inlined are frames of their own, below those that they were inlined into. So a function has the same place in the tree whether it was
//! inlined or not. The instructions of all frames add up to the count of the measured function ([`Frame::total`]); what cannot be told apart from the call itself
//! belongs to the root.
//!
//! A total at a call is exact, as in [callgrind](https://valgrind.org/docs/manual/cl-manual.html): what was executed between the call and its return. A function
//! that calls itself has one frame for the whole recursion, unless the compiler has inlined some of its calls.

mod amounts;
mod answer;
mod counts;
mod export;
mod frame;
mod function;
mod growth;
mod names;
mod native;
mod profile;
mod rows;
mod tree;
mod written;

pub use amounts::{Amounts, ProfileMetric};
pub use answer::{answer, difference, in_percent, short_number};
pub use benchbook_instrument::CallMemory;
pub use counts::ProfilePoint;
#[cfg(feature = "firefox")]
pub use export::firefox;
pub use export::{callgrind, folded};
pub use frame::{Frame, Place};
pub use function::{FunctionFilter, LibraryFrames};
pub use growth::ProfileGrowth;
pub use names::{brief_name, is_function, is_library, package};
pub use native::NativeInstructions;
pub use profile::Profile;
pub use rows::{ProfileRow, rows};
