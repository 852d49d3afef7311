//! Timing ranges of calls: what a host sets and reads, and what the calls are.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::section::{CodeMapError, FORMAT};

/// The name of the custom section of a range module with its [`RangeMap`].
pub const RANGES_SECTION: &str = "benchbook_ranges";

/// How many calls can be entered, one inside the other.
pub const MAX_ENTERED: usize = 8;

/// How many executed calls are listed at most.
pub const MAX_EXECUTED: u32 = 1 << 20;

/// The exported global with the number of calls that were executed while they were listed, and that with the address of the list: each call has
/// a [`ListedCall`], which is two integers of type `i32`.
pub const EXECUTED_GLOBALS: [&str; 2] = ["benchbook_range_executed", "benchbook_range_list"];

/// What a range module times in each batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedPart {
    /// The batch, as the suite does.
    Batch,
    /// Some calls: the number of the call to enter in each layer, and the calls of the last layer.
    Calls(Vec<u32>, Range<u32>),
    /// Nothing: the executed calls of a layer are listed, that of the last call to enter.
    Listed(Vec<u32>),
}

/// A call that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedCall {
    /// Its place in the code, as an index into [`RangeMap::sites`].
    pub site: u32,
    /// If a table decides which function is called, the index in that table; else [`u32::MAX`].
    pub slot: u32,
}

impl TimedPart {
    /// The exported globals that the host sets before the next message, and their values. `None` if there are more calls to enter than [`MAX_ENTERED`].
    pub fn globals(&self) -> Option<Vec<(String, u32)>> {
        let (mode, entered, calls) = match self {
            Self::Batch => (0, &[][..], 0..0),
            Self::Calls(entered, calls) => (1, &entered[..], calls.clone()),
            Self::Listed(entered) => (2, &entered[..], 0..0),
        };
        let entered_calls = entered.iter().enumerate().map(|(layer, call)| (enter_global(layer), *call));
        let fields = [
            ("mode", mode),
            ("depth", entered.len() as u32),
            ("start", calls.start),
            ("end", calls.end),
            ("executed", 0),
        ];
        let fields = fields.into_iter().map(|(name, value)| (format!("benchbook_range_{name}"), value));
        (entered.len() <= MAX_ENTERED).then(|| entered_calls.chain(fields).collect())
    }
}

/// The global with the number of the call to enter in a layer.
pub(crate) fn enter_global(layer: usize) -> String {
    format!("benchbook_range_enter_{layer}")
}

/// What a range module can enter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeMap {
    pub(crate) format: u32,
    /// The functions of the module, imported ones first.
    pub functions: Vec<RangeFunction>,
    /// The functions that the calls in the code call, as indices; `None` if a table decides.
    pub sites: Vec<Option<u32>>,
    /// The functions in the table, as indices.
    pub table: Vec<Option<u32>>,
    /// The names of all functions in the code of the measured one, wherever it was compiled: itself, and those that were inlined into it.
    pub measured: Vec<String>,
}

/// A function of a range module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeFunction {
    /// Its name, demangled.
    pub name: String,
    /// Whether it is imported, so that it cannot be entered.
    pub is_imported: bool,
    /// The names of all functions in its code: itself, and those that were inlined into it.
    pub parts: Vec<String>,
}

impl RangeMap {
    /// The contents of the custom section [`RANGES_SECTION`].
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory is the only thing that writing needs")
    }

    /// Reads the contents of the custom section [`RANGES_SECTION`].
    ///
    /// # Errors
    /// If they are damaged, or from another version of this crate.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodeMapError> {
        let map: Self = postcard::from_bytes(bytes).map_err(|_| CodeMapError)?;
        if map.format == FORMAT { Ok(map) } else { Err(CodeMapError) }
    }

    /// The function that a call has called; `None` if it is not known.
    pub fn called(&self, call: ListedCall) -> Option<&RangeFunction> {
        let of_table = || self.table.get(call.slot as usize).copied().flatten();
        let function = (*self.sites.get(call.site as usize)?).or_else(of_table)?;
        self.functions.get(function as usize)
    }
}
