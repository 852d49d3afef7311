//! What a frame executed at one axis value.

use std::iter::Sum;
use std::ops::AddAssign;

use benchbook_instrument::ContextMemory;
use serde::{Deserialize, Serialize};

/// What a frame executed at one axis value: totals of all counted calls of the measured function. Counts are signed, since those of the loop around it were
/// subtracted. In JSON, a count of 0 is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Amounts {
    /// Wasm instructions, those that load and store included.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub instructions: i64,
    /// How often the function was called; inlined calls are not counted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub calls: i64,
    /// Instructions that load from memory.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub loads: i64,
    /// Instructions that store to memory.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stores: i64,
    /// Bytes that instructions copy or fill, each of which may do so with many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copied: i64,
    /// Allocations and reallocations.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub allocations: i64,
    /// Bytes that were allocated; for reallocations, those by which memory grew.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: i64,
    /// Bytes held when the call with the most memory held the most.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub peak: i64,
    /// The sizes in bytes of the smallest and the largest allocation; absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<(u32, u32)>,
}

fn is_zero(amount: &i64) -> bool {
    *amount == 0
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
    /// [`Amounts::copied`].
    Copied,
    /// [`Amounts::bytes`].
    Bytes,
    /// [`Amounts::allocations`].
    Allocations,
    /// [`Amounts::peak`].
    Held,
}

impl ProfileMetric {
    /// All metrics, in the order in which they are offered.
    pub const ALL: [Self; 8] = [
        Self::Instructions,
        Self::Calls,
        Self::Loads,
        Self::Stores,
        Self::Copied,
        Self::Bytes,
        Self::Allocations,
        Self::Held,
    ];

    /// The name in options and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Calls => "calls",
            Self::Loads => "loads",
            Self::Stores => "stores",
            Self::Copied => "copied",
            Self::Bytes => "bytes",
            Self::Allocations => "allocations",
            Self::Held => "held",
        }
    }

    /// What is counted, in a sentence: `2.64 M wasm instructions`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Instructions => "wasm instructions",
            Self::Copied => "copied bytes",
            Self::Bytes => "allocated bytes",
            Self::Held => "bytes held at once",
            metric => metric.name(),
        }
    }

    /// What a function does with it, in a sentence: `merge takes 61% of 2.64 M wasm instructions`.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Instructions => "takes",
            Self::Calls => "gets",
            Self::Loads | Self::Stores | Self::Allocations => "makes",
            Self::Copied => "copies",
            Self::Bytes => "requests",
            Self::Held => "holds",
        }
    }

    /// The value of this metric.
    pub fn of(self, amounts: &Amounts) -> i64 {
        match self {
            Self::Instructions => amounts.instructions,
            Self::Calls => amounts.calls,
            Self::Loads => amounts.loads,
            Self::Stores => amounts.stores,
            Self::Copied => amounts.copied,
            Self::Bytes => amounts.bytes,
            Self::Allocations => amounts.allocations,
            Self::Held => amounts.peak,
        }
    }
}

impl Amounts {
    /// All of them this many times; sizes remain.
    pub(crate) fn times(self, factor: i64) -> Self {
        Self {
            instructions: self.instructions.saturating_mul(factor),
            calls: self.calls.saturating_mul(factor),
            loads: self.loads.saturating_mul(factor),
            stores: self.stores.saturating_mul(factor),
            copied: self.copied.saturating_mul(factor),
            allocations: self.allocations.saturating_mul(factor),
            bytes: self.bytes.saturating_mul(factor),
            // That of a single call.
            peak: self.peak,
            sizes: self.sizes,
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
            copied: self.copied + other.copied,
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
