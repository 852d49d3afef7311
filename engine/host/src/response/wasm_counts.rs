//! What calls execute of a suite's wasm module.

use serde::{Deserialize, Serialize};

/// The wasm operators of a call, counted apart from the timed calls; or why they are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WasmCounts {
    /// They were counted twice, with the same result.
    Counted(WasmOperators),
    /// They were counted twice, with heap and stack at other addresses the second time, and the results differ: what the function does
    /// depends on addresses, as that of a hash map with random keys does.
    Varying {
        /// The first result.
        one: WasmOperators,
        /// The second result.
        other: WasmOperators,
    },
    /// The reason why they are unknown, as a sentence without its full stop.
    Absent(String),
}

/// Executed wasm operators by class, and the bytes that bulk operators touched: totals of some calls, without the loop around them.
///
/// Signed: the loop without the call may have an operator that the loop with it does not need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WasmOperators {
    /// The number of counted calls.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u64,
    /// Entries of functions.
    pub entry: i64,
    /// Computations, comparisons, conversions, constants, and access to locals and globals.
    pub arithmetic: i64,
    /// Reads from memory.
    pub load: i64,
    /// Writes to memory.
    pub store: i64,
    /// Branches, taken or not.
    pub branch: i64,
    /// Calls of a known function.
    pub direct_call: i64,
    /// Calls through a table, such as those of trait objects.
    pub indirect_call: i64,
    /// Operators on ranges of memory, such as `memory.copy`: one each, however long the range.
    pub bulk: i64,
    /// The bytes that these operators copied or filled; they are not part of the total.
    pub bulk_bytes: i64,
}

impl WasmOperators {
    /// The operators of all classes, for each call.
    pub fn per_call(&self) -> f64 {
        let classes = [
            self.entry,
            self.arithmetic,
            self.load,
            self.store,
            self.branch,
            self.direct_call,
            self.indirect_call,
            self.bulk,
        ];
        classes.iter().sum::<i64>() as f64 / self.calls.max(1) as f64
    }
}
