//! What a frame executed at one axis value.

use std::iter::Sum;
use std::ops::AddAssign;

use benchbook_instrument::ContextMemory;
use serde::{Deserialize, Serialize};

/// What a frame executed at one axis value: totals of all counted calls of the measured function. Counts are signed, since those of the loop around it were
/// subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Amounts {
    /// Wasm instructions, those that load and store included.
    pub instructions: i64,
    /// How often the function was called; inlined calls are not counted.
    pub calls: i64,
    /// Instructions that load from memory.
    pub loads: i64,
    /// Instructions that store to memory.
    pub stores: i64,
    /// Allocations and reallocations.
    pub allocations: i64,
    /// Bytes that were allocated; for reallocations, those by which memory grew.
    pub bytes: i64,
    /// Bytes held when the call with the most memory held the most.
    pub peak: i64,
    /// The sizes in bytes of the smallest and the largest allocation; absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<(u32, u32)>,
}

/// What a profile is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProfileMetric {
    /// [`Amounts::instructions`].
    #[default]
    Instructions,
    /// [`Amounts::calls`].
    Calls,
    /// [`Amounts::loads`].
    Loads,
    /// [`Amounts::stores`].
    Stores,
    /// [`Amounts::bytes`].
    Bytes,
    /// [`Amounts::allocations`].
    Allocations,
}

impl ProfileMetric {
    /// All metrics, in the order in which they are offered.
    pub const ALL: [Self; 6] =
        [Self::Instructions, Self::Calls, Self::Loads, Self::Stores, Self::Bytes, Self::Allocations];

    /// The name in options and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Calls => "calls",
            Self::Loads => "loads",
            Self::Stores => "stores",
            Self::Bytes => "bytes",
            Self::Allocations => "allocations",
        }
    }

    /// What is counted, in a sentence: `2.64 M wasm instructions`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Instructions => "wasm instructions",
            Self::Bytes => "allocated bytes",
            metric => metric.name(),
        }
    }

    /// The value of this metric.
    pub fn of(self, amounts: &Amounts) -> i64 {
        match self {
            Self::Instructions => amounts.instructions,
            Self::Calls => amounts.calls,
            Self::Loads => amounts.loads,
            Self::Stores => amounts.stores,
            Self::Bytes => amounts.bytes,
            Self::Allocations => amounts.allocations,
        }
    }
}

impl From<&ContextMemory> for Amounts {
    fn from(memory: &ContextMemory) -> Self {
        let signed = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
        Self {
            allocations: signed(memory.allocations),
            bytes: signed(memory.bytes),
            peak: signed(memory.peak),
            sizes: Some(memory.sizes),
            ..Self::default()
        }
    }
}

impl AddAssign for Amounts {
    fn add_assign(&mut self, other: Self) {
        let sizes = self.sizes.into_iter().chain(other.sizes);
        *self = Self {
            instructions: self.instructions + other.instructions,
            calls: self.calls + other.calls,
            loads: self.loads + other.loads,
            stores: self.stores + other.stores,
            allocations: self.allocations + other.allocations,
            bytes: self.bytes + other.bytes,
            peak: self.peak + other.peak,
            sizes: sizes.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))),
        };
    }
}

impl Sum for Amounts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, amounts| {
            sum += amounts;
            sum
        })
    }
}
