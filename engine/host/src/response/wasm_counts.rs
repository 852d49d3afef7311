//! What calls execute of a suite's wasm module.

use serde::{Deserialize, Serialize};

/// The wasm instructions of a call, counted apart from the timed calls; or why they are unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WasmCounts {
    /// They were counted twice, with the same result.
    Counted(WasmInstructions),
    /// They were counted twice, with heap and stack at other addresses the second time, and the results differ: what the function does
    /// depends on addresses, as in a hash map with random keys.
    Varying {
        /// The first result.
        first: WasmInstructions,
        /// The second result.
        second: WasmInstructions,
    },
    /// They cannot be counted: the reason, as a sentence without its full stop.
    Uncountable(String),
    /// Counting failed: the reason, as a sentence without its full stop.
    Failed(String),
}

/// Executed wasm instructions by class, and the bytes that bulk instructions touched: totals of some calls, without the loop around them.
///
/// Signed: the loop without the call may have an instruction that the loop with it does not need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WasmInstructions {
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
    /// Instructions on ranges of memory, such as `memory.copy`: one each, however long the range.
    pub bulk: i64,
    /// The bytes that these instructions copied or filled; they are not part of the total.
    pub bulk_bytes: i64,
    /// How many instructions of the total are in code that is compiled only for some targets, such as a fallback for those without certain vector
    /// instructions. The native code then differs from what was counted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub conditional: i64,
}

fn is_zero(value: &i64) -> bool {
    *value == 0
}

impl WasmInstructions {
    /// The instructions of all classes and calls.
    pub fn total(&self) -> i64 {
        let Self { entry, arithmetic, load, store, branch, direct_call, indirect_call, bulk, .. } = self;
        entry + arithmetic + load + store + branch + direct_call + indirect_call + bulk
    }

    /// The instructions of all classes, for each call.
    pub fn per_call(&self) -> f64 {
        self.total() as f64 / self.calls.max(1) as f64
    }
}
