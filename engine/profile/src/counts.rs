//! The axis values of a profile.

use benchbook_contract::axis_value::AxisValue;
use benchbook_instrument::CallMemory;
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
