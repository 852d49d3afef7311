//! The memory use of calls, and the work that a generator declares for each call.

use serde::{Deserialize, Serialize};

use benchbook_contract::protocol::{Counts, OpenReply};

/// The memory use of some calls, counted apart from the timed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryUse {
    /// The number of counted calls.
    pub calls: u64,
    /// The allocations and bytes of all of them, and the greatest peak.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The work of a call, as its generator declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclaredWork {
    /// The elements that the call processes; absent if the generator declares none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub elements: Option<u64>,
    /// The bytes that the call processes; absent if the generator declares none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub bytes: Option<u64>,
}

impl MemoryUse {
    /// Adds up the counts of several batches of `calls` calls each; `None` without batches.
    pub(crate) fn of_batches(calls: u64, batches: &[Counts]) -> Option<Self> {
        let first = *batches.first()?;
        let counts = batches[1..].iter().fold(first, |sum, batch| Counts {
            allocations: sum.allocations.saturating_add(batch.allocations),
            bytes: sum.bytes.saturating_add(batch.bytes),
            peak: sum.peak.max(batch.peak),
        });
        Some(Self { calls: calls.saturating_mul(batches.len() as u64), counts })
    }
}

impl DeclaredWork {
    /// The work that the generator of an opened workload declares.
    pub(crate) fn of(opened: &OpenReply) -> Self {
        Self { elements: opened.elements, bytes: opened.bytes }
    }

    /// Whether the generator declares neither elements nor bytes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_allocations_and_bytes_and_takes_the_greatest_peak() {
        let batch = |allocations, bytes, peak| Counts { allocations, bytes, peak };
        let counted = MemoryUse::of_batches(4, &[batch(8, 100, 50), batch(9, 120, 40)]);
        assert_eq!(counted, Some(MemoryUse { calls: 8, counts: batch(17, 220, 50) }));
        assert_eq!(MemoryUse::of_batches(4, &[]), None);
    }
}
