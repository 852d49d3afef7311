//! Finds the call that makes a function slower in one build than in another, by exact counts.
//!
//! Both builds count the same calls, and each has a [`Profile`](benchbook_profile::Profile) by call
//! ([`Profile::by_call`](benchbook_profile::Profile::by_call)). The [`Pinpoint`] of two profiles is made in three steps:
//!
//! 1. The calls of both builds are matched ([`Call`]): by the path of the called function and the line that calls it; a function that was renamed or moved by
//!    its body.
//! 2. The difference is attributed ([`Contributor`]). A call that is new or gone, that is made more often, or that takes more although nothing in it has changed, is
//!    one contributor with all that it calls. Every other function contributes what it executes itself. So the contributors add up to the difference.
//! 3. The chain of calls leads from the function to the cause of the difference: at each call, the largest part of it is followed ([`Step`]).
//!
//! The source of a function decides whether it has changed, if that is known ([`BuildCode`]), since the compiler may make other code of the same source.

mod answer;
mod attribution;
mod calls;
mod code;
mod finder;
mod markdown;
mod paired_times;
mod pinpoint;
mod report;
mod source;
pub mod words;

pub use attribution::{CallDifference, Change, Contributor};
pub use calls::Call;
pub use code::BuildCode;
pub use finder::{
    CallRange, CompareError, ComparedBuilds, ExecutedCall, FindEnd, FindLimits, Found, Layer, RangeComparison,
    TimeDifference, find,
};
pub use paired_times::{MAX_BLOCKS, MIN_BLOCKS, PairedTimes};
pub use pinpoint::{ComparedPoint, Pinpoint, Step};
pub use report::{FoundCommit, PinpointReport, TimeChange, TimeSearch, short_hash};
pub use source::{SourceFile, SourceLine};
