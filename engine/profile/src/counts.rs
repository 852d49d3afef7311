//! What a profile is made of.

use benchbook_contract::axis_value::AxisValue;
use benchbook_instrument::{CallMemory, Context, ContextMemory};
use serde::{Deserialize, Serialize};

/// An axis value of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfilePoint {
    /// The axis value.
    pub x: AxisValue,
    /// The number of counted calls: amounts are their totals.
    pub calls: u64,
    /// The memory around the call that needs the most; absent if the suite does not count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<CallMemory>,
}

/// What was counted at an axis value.
#[derive(Clone, Debug)]
pub struct PointCounts<'c> {
    /// The axis value, and the number of counted calls.
    pub point: ProfilePoint,
    /// The contexts: a caller comes before those that it called.
    pub contexts: &'c [Context],
    /// How often each block of a context was executed, in the order of [`Context::blocks`].
    pub blocks: &'c [Vec<i64>],
    /// What the allocator did in these calls.
    pub memory: &'c [ContextMemory],
}
