//! What counters counted, and the fuel for it.

use benchbook_instrument::{BulkKind, CodeMap};

/// The bulk operators for which wasmtime 48 also consumes a unit per byte or element. Pages by which a memory grows are free.
const CHARGED: [BulkKind; 7] = [
    BulkKind::MemoryCopy,
    BulkKind::MemoryFill,
    BulkKind::MemoryInit,
    BulkKind::TableCopy,
    BulkKind::TableFill,
    BulkKind::TableInit,
    BulkKind::TableGrow,
];

/// What the counters counted between two readings.
#[derive(Clone, Copy)]
pub struct Counted {
    /// Its instructions.
    pub instructions: u64,
    /// The amounts of bulk operators that wasmtime charges.
    pub amounts: u64,
}

impl Counted {
    /// What was counted between two readings of all counters.
    pub fn between(map: &CodeMap, before: &[u64], after: &[u64]) -> Self {
        let counters: Vec<u64> = after.iter().zip(before).map(|(after, before)| after.wrapping_sub(*before)).collect();
        let amounts = CHARGED.into_iter().map(|kind| map.amount(kind, &counters)).sum();
        Self { instructions: map.operators(&counters).cost(), amounts }
    }

    /// The fuel that wasmtime consumes for it.
    pub fn fuel(self) -> u64 {
        self.instructions + self.amounts
    }
}
